import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// Every request of a transport ends, whatever a server answers.
@Suite(.timeLimit(.minutes(5))) struct HTTPTransportTests {
  private typealias Answer = ScriptedServer.Answer

  private func isUnreachable(_ error: any Error) -> Bool {
    if case HTTPError.unreachable? = error as? HTTPError { true } else { false }
  }

  /// A challenge for a name and password, or of an unknown scheme, is returned as the answer 401.
  @Test(arguments: [
    "Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\"", "Bearer error=\"invalid_token\"", "Negotiate",
  ])
  func challengeIsReturnedAsAnswer401(challenge: String) async throws {
    let server = try ScriptedServer { _, request in
      request.headers["authorization"] == "Bearer new"
        ? .json("{}") : .json("{}", status: 401, headers: ["WWW-Authenticate": challenge])
    }
    let connection = try HTTPConnection(server.url, authorization: .bearer { $0 ? "new" : "old" })
    #expect(try await connection.send(HTTPRequest("GET", "a")).status == 200)
    #expect(server.requests.count == 2)
    // The transport through `URLSession` returns it, too.
    let transfer = HTTPTransfer(path: "a", server: "http://b", limits: HTTPLimits())
    let request = HTTPWireRequest(
      url: server.url.appending(path: "a"), method: "GET", headers: [:], body: nil, silence: .seconds(60))
    let transport = URLSessionTransport()
    let response = try await withCheckedThrowingContinuation { continuation in
      transfer.begin(continuation)
      _ = transport.start(request, transfer)
    }
    #expect(response.status == 401)
  }

  /// An answer that breaks off at any byte makes the request fail; the process continues.
  @Test func anAnswerThatBreaksOffIsAFailure() async throws {
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Some: header\r\n\r\n{}"
    let length = Lock(0)
    let server = try ScriptedServer { _, _ in .raw(String(whole.prefix(length.withLock { $0 }))) }
    let connection = try HTTPConnection(server.url)
    for count in 0..<whole.count {
      length.withLock { $0 = count }
      await #expect(performing: { _ = try await connection.send(HTTPRequest("GET", "a")) }, throws: isUnreachable)
    }
    length.withLock { $0 = whole.count }
    #expect(try await connection.send(HTTPRequest("GET", "a")).body == Array("{}".utf8))
    // An interim answer alone is not an answer. Neither is an interim answer before an answer that breaks off.
    let interim = try ScriptedServer { number, _ in
      .raw("HTTP/1.1 100 Continue\r\n\r\n" + (number == 0 ? "" : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    }
    let other = try HTTPConnection(interim.url)
    await #expect(performing: { _ = try await other.send(HTTPRequest("GET", "a")) }, throws: isUnreachable)
    #expect(try await other.send(HTTPRequest("GET", "a")).status == 200)
  }

  @Test func requestsArriveAsSent() async throws {
    let server = try ScriptedServer { _, _ in .json("{}", headers: ["X-Twice": "a"]) }
    let connection = try HTTPConnection(server.url)
    let body = Data(String(repeating: "ü", count: 700_000).utf8)
    for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
      let isEmpty = ["GET", "HEAD"].contains(method)
      let request = HTTPRequest(
        method, "a/b", query: ["q": "ä &"], headers: ["X-Own": "v"], body: isEmpty ? nil : body)
      #expect(try await connection.send(request).header("X-TWICE") == "a", "\(method)")
    }
    _ = try await connection.send(HTTPRequest("PUT", "a"))
    let requests = server.requests
    #expect(requests.map(\.method) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PUT"])
    #expect(requests[0].path == "/a/b" && requests[0].query == "q=ä &" && requests[0].headers["x-own"] == "v")
    #expect(requests[2...5].allSatisfy { $0.body.utf8.count == body.count })
    #expect(requests[2].headers["content-type"] == "application/json" && requests[6].headers["content-length"] == "0")
    #expect(requests.allSatisfy { $0.headers["expect"] == nil && $0.headers["cookie"] == nil })
    await #expect(throws: HTTPError.self) {
      _ = try await connection.send(HTTPRequest("GET", "a", headers: ["X-Own": "v\r\nX-Other: w"]))
    }
  }

  @Test func aCancelledRequestEndsAtOnce() async throws {
    let server = try ScriptedServer { _, _ in Answer(parts: [[]], pause: .seconds(600)) }
    let connection = try HTTPConnection(server.url)
    let request = Task { try await connection.send(HTTPRequest("GET", "a")) }
    while server.requests.isEmpty { await Task.yield() }
    request.cancel()
    await #expect(throws: CancellationError.self) { _ = try await request.value }
  }

  /// A request that waits for a token ends when it is cancelled. The next request uses the token that arrives later.
  @Test func aRequestThatWaitsForATokenEndsAtOnce() async throws {
    let server = try ScriptedServer { _, _ in .json("{}") }
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let count = Lock(0)
    let connection = try HTTPConnection(
      server.url,
      authorization: .bearer { _ in
        count.withLock { $0 += 1 }
        ask.yield()
        for await _ in gate { break }
        return "token"
      })
    let requests = (0..<3).map { _ in Task { try await connection.send(HTTPRequest("GET", "a")) } }
    for await _ in asked { break }
    requests[0].cancel()
    requests[1].cancel()
    for request in requests.prefix(2) {
      await #expect(throws: CancellationError.self) { _ = try await request.value }
    }
    open.yield()
    #expect(try await requests[2].value.status == 200)
    #expect(try await connection.send(HTTPRequest("GET", "a")).status == 200)
    #expect(count.withLock { $0 } == 1 && server.requests.count == 2)
  }

  /// The pull reports an address where nothing listens, with and without a pending change. The push stops its retries
  /// when the pull ends.
  @Test(arguments: [false, true]) func anUnreachableServerIsReported(hasEdit: Bool) async throws {
    let url = try { try ScriptedServer { _, _ in .json("[]") }.url }()
    let (clock, pushClock) = (LeapingClock(), LeapingClock())
    var options = HTTPOptions()
    options.clock = clock
    options.backoff.attempts = 3
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.version = "v"
    record.writes = HTTPWrites()
    let adapter = HTTPAdapter(try HTTPConnection(url, options: options), records: [record])
    let store = try Store.synced()
    var syncOptions = SyncOptions()
    syncOptions.clock = pushClock
    let session = try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter, options: syncOptions)
    if hasEdit { try await store.write { tx in for id in 1...5 { try tx.insert(Folder(id: id, name: "f")) } } }
    await #expect(performing: { try await session.run() }, throws: isUnreachable)
    #expect(clock.sleeps.count == 2)
    // The push that runs during the pull may be waiting for its second attempt when the pull ends.
    #expect(pushClock.sleeps.reduce(.zero, +) < .seconds(130) && (hasEdit || pushClock.sleeps.isEmpty))
  }
}
