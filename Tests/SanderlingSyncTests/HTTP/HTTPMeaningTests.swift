import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// An HTTP status has the same meaning in an answer and in a part of a batch. Only a status about a change's content
/// quarantines the change.
@Suite struct HTTPMeaningTests {
  @Test func everyStatusHasAMeaning() {
    func statuses(_ meaning: HTTPMeaning) -> [Int] { (100..<600).filter { HTTPMeaning(status: $0) == meaning } }
    #expect(statuses(.done) == Array(200..<300))
    #expect(statuses(.unknownCaller) == [401, 419, 440, 498])
    #expect(statuses(.forbidden) == [403])
    #expect(statuses(.client) == [402, 407, 431])
    #expect(statuses(.form) == [406, 415, 417, 426, 428])
    #expect(
      statuses(.moment) == Array(100..<200) + Array(300..<400) + [408, 421, 423, 424, 425, 429, 499] + Array(500..<600))
    #expect(statuses(.absence) == [404, 410])
    #expect(statuses(.conflict) == [409, 412])
    #expect([400, 405, 413, 414, 418, 422, 451].allSatisfy { HTTPMeaning(status: $0) == .refusal })
    #expect(HTTPMeaning(status: 409, busy: [409]) == .moment)
    // A refusal with a `Retry-After` header is temporary.
    #expect(
      HTTPMeaning(status: 403, asksToWait: true) == .moment && HTTPMeaning(status: 413, asksToWait: true) == .moment)
  }

  private enum Place: String, CaseIterable {
    case answer, part
  }

  /// A server that answers `status` to the first requests, or to the first parts of a batch. As Kinto's, the batch
  /// itself needs no permission.
  private func server(
    _ place: Place, _ status: Int, headers: String = "", times: Int, token: String? = nil
  ) throws -> ScriptedServer {
    let left = Lock(times)
    return try ScriptedServer { _, request in
      if request.method == "GET" { return .json("{\"data\":[]}", headers: ["Total-Objects": "0"]) }
      func part() -> String {
        let isRefused =
          token.map { request.headers["authorization"] != $0 }
          ?? left.withLock { left in
            left -= 1
            return left >= 0
          }
        return isRefused
          ? "{\"status\":\(status),\"headers\":{\(headers)},\"body\":{}}"
          : "{\"status\":201,\"headers\":{},\"body\":{\"data\":{\"last_modified\":7}}}"
      }
      if request.path.hasSuffix("batch"), place == .part {
        let count = request.body.components(separatedBy: "\"method\"").count - 1
        return .json("{\"responses\":[\((0..<count).map { _ in part() }.joined(separator: ","))]}")
      }
      if request.path.hasSuffix("batch") {
        let count = request.body.components(separatedBy: "\"method\"").count - 1
        let first = part()
        if first.contains("\"status\":\(status)") { return .json("{}", status: status) }
        return .json("{\"responses\":[\((0..<count).map { _ in first }.joined(separator: ","))]}")
      }
      return part().contains("\"status\":201")
        ? .json("{\"data\":{\"last_modified\":7}}", status: 201) : .json("{}", status: status)
    }
  }

  private func session(
    _ server: ScriptedServer, _ store: Store, _ authorization: HTTPAuthorization? = nil
  ) async throws -> SyncSession {
    var options = HTTPOptions()
    options.clock = LeapingClock()
    let adapter = try KintoAdapter(
      url: server.url, bucket: "b", records: [SyncedRecord(Folder.self)], authorization: authorization, options: options
    ) { record in
      record.incarnation = nil
      record.count = nil
    }
    var syncOptions = SyncOptions()
    syncOptions.backoff = PushBackoff(first: .milliseconds(1), greatest: .milliseconds(2), attempts: 5)
    return try await SyncSession(
      "t", store: store, records: adapter.adapter.syncedRecords, source: adapter, sink: adapter, options: syncOptions)
  }

  private func folders(_ store: Store) async throws {
    try await store.write { tx in for id in 1...3 { try tx.insert(Folder(id: id, name: "f\(id)")) } }
  }

  /// A change is sent again, and not quarantined, after a status about the client, the moment or a retry.
  @Test(arguments: ["answer", "part"], [402, 407, 408, 415, 425, 428, 429, 431, 500, 502, 503, 507])
  func changeIsSentAgainAfterATemporaryStatus(place: String, status: Int) async throws {
    let store = try Store.synced()
    let server = try server(try #require(Place(rawValue: place)), status, times: 1)
    let session = try await session(server, store)
    try await folders(store)
    let sent = try #require(try await session.run().sent)
    // A part with 5xx may mean that other parts were rolled back. The changes of those are sent again alone.
    #expect(sent.refused == 0 && sent.left == 0 && sent.acknowledged == 3, "\(sent)")
    #expect(try await session.quarantine().isEmpty)
  }

  /// A token that expired while the device was offline is renewed, and all changes are sent.
  @Test(arguments: ["answer", "part"], [401, 403])
  func anExpiredTokenIsRenewed(place: String, status: Int) async throws {
    let store = try Store.synced()
    let server = try server(try #require(Place(rawValue: place)), status, times: 0, token: "Bearer new")
    let asked = Lock([Bool]())
    let session = try await session(
      server, store,
      .bearer { wasRefused in
        asked.withLock { $0.append(wasRefused) }
        return wasRefused ? "new" : "old"
      })
    try await folders(store)
    #expect(try await session.run().sent == SentCounts(acknowledged: 3))
    #expect(asked.withLock { $0 } == [false, true])
    #expect(try await session.quarantine().isEmpty)
  }

  /// Changes wait, with the reason, if the server refuses the token and there is no other token.
  @Test(arguments: ["answer", "part"]) func changesWaitIfTheServerRefusesTheToken(place: String) async throws {
    let store = try Store.synced()
    let server = try server(try #require(Place(rawValue: place)), 401, times: .max)
    let session = try await session(server, store, .bearer { _ in "old" })
    try await folders(store)
    let sent = try #require(try await session.run().sent)
    #expect(sent.refused == 0 && sent.left == 3 && sent.failure?.contains("token") == true, "\(sent)")
    #expect(try await session.quarantine().isEmpty)
  }

  /// A server that answers 403 to every change concerns the account: all changes wait, and none is quarantined. The app
  /// is asked for a new token once.
  @Test(arguments: ["answer", "part"]) func changesWaitIfTheServerForbidsAllOfThem(place: String) async throws {
    let store = try Store.synced()
    let server = try server(try #require(Place(rawValue: place)), 403, times: .max)
    let asked = Lock(0)
    let session = try await session(
      server, store,
      .bearer { _ in
        asked.withLock {
          $0 += 1; return "token \($0)"
        }
      })
    try await folders(store)
    let sent = try #require(try await session.run().sent)
    #expect(sent.refused == 0 && sent.acknowledged == 0 && sent.left == 3, "\(sent)")
    #expect(sent.failure?.contains("403 to all changes") == true && sent.failure?.contains("Sign in") == true)
    #expect(asked.withLock { $0 } == 2)
    #expect(try await session.quarantine().isEmpty)
  }

  /// A server that takes mutations one by one and answers as `forbids` says.
  private func separate(
    _ store: Store, _ forbids: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer?
  ) async throws -> (session: SyncSession, server: ScriptedServer) {
    let server = try ScriptedServer { _, request in
      forbids(request) ?? (request.method == "GET" ? .json("[]") : .json("{\"v\":1}", status: 201))
    }
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.version = "v"
    record.deletedFlag = "gone"
    record.since = HTTPSince(.field("v", .unique), parameter: "after")
    record.writes = HTTPWrites()
    var options = HTTPOptions()
    options.clock = LeapingClock()
    options.backoff.attempts = 1
    let adapter = HTTPAdapter(try HTTPConnection(server.url, options: options), records: [record])
    var syncOptions = SyncOptions()
    syncOptions.backoff = PushBackoff(first: .milliseconds(1), greatest: .milliseconds(2), attempts: 2)
    let session = try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter, options: syncOptions)
    return (session, server)
  }

  /// A change that the server forbids is quarantined if the same account may still read or make other changes.
  @Test(arguments: [1, 3]) func aForbiddenChangeIsRefused(count: Int) async throws {
    let store = try Store.synced()
    let (session, server) = try await separate(store) { request in
      request.path == "/folders/1" ? .json("{\"message\":\"read only\"}", status: 403) : nil
    }
    try await store.write { tx in for id in 1...count { try tx.insert(Folder(id: id, name: "f")) } }
    let sent = try #require(try await session.run().sent)
    #expect(sent.refused == 1 && sent.acknowledged == count - 1 && sent.left == 0, "\(sent)")
    #expect(try await session.quarantine().map(\.reason) == ["the server answered 403: read only"])
    #expect(server.requests.count { $0.path == "/folders/1" } == 1)
  }

  /// The change of an account that may neither write nor read waits until the account has its rights again.
  @Test func aSuspendedAccountsEditWaits() async throws {
    let store = try Store.synced()
    let isSuspended = Lock(true)
    let (session, server) = try await separate(store) { _ in
      isSuspended.withLock { $0 } ? .json("{\"message\":\"suspended\"}", status: 403) : nil
    }
    try await store.write { try $0.insert(Folder(id: 1, name: "f")) }
    await #expect(throws: HTTPError.self) { try await session.run() }
    #expect(try await session.quarantine().isEmpty)
    isSuspended.withLock { $0 = false }
    #expect(try await session.run().sent?.acknowledged == 1)
    #expect(server.requests.contains { $0.method == "PUT" })
  }

  /// An HTML page comes from a firewall, portal or proxy, so it refuses no change: the server never saw the change.
  /// Exception: status 413 refuses the change, because it is too large for both.
  @Test(arguments: [400, 403, 405, 413, 422, 451]) func htmlPagesRefuseNoChanges(status: Int) async throws {
    let store = try Store.synced()
    let isBlocked = Lock(true)
    let (session, server) = try await separate(store) { request in
      isBlocked.withLock { $0 } && request.method == "PUT"
        ? .json("<html>Blocked by policy</html>", status: status, headers: ["Content-Type": "text/html"]) : nil
    }
    try await store.write { tx in for id in 1...3 { try tx.insert(Folder(id: id, name: "f")) } }
    let sent = try #require(try await session.run().sent)
    if status == 413 {
      #expect(sent.refused == 3)
      return
    }
    #expect(sent.refused == 0 && sent.left == 3, "\(sent)")
    #expect(sent.failure?.contains("the answer \(status) has no JSON") == true)
    isBlocked.withLock { $0 = false }
    #expect(try await session.run().sent == SentCounts(acknowledged: 3))
    #expect(server.requests.contains { $0.method == "PUT" })
  }

  /// Acknowledged parts of a batch stay acknowledged when other parts need another token.
  @Test func onlyUnauthorizedPartsAreSentAgain() async throws {
    let server = try ScriptedServer { number, request in
      let parts = number == 0 ? [201, 401, 429] : [201]
      let answers = parts.map { "{\"status\":\($0),\"body\":{\"data\":{\"last_modified\":7}}}" }
      return .json("{\"responses\":[\(answers.joined(separator: ","))]}")
    }
    let adapter = try KintoAdapter(
      url: server.url, bucket: "b", records: [SyncedRecord(Folder.self)], authorization: .bearer { $0 ? "new" : "old" })
    let outcomes = try await adapter.send(
      (1...3).map {
        Mutation("folder", key: [.integer($0)], .insertion(["name": .text("f")]), client: "c", sequence: $0)
      })
    #expect(
      outcomes == [.acknowledged(version: "7"), .acknowledged(version: "7"), .failed("the server answered 429")])
    #expect(server.requests.count == 2)
    #expect(server.requests.dropFirst().first?.body.components(separatedBy: "\"method\"").count == 2)
  }

  /// A failure in the fourth batch keeps the outcomes of the first three.
  @Test func failedBatchKeepsEarlierOutcomes() async throws {
    let server = try ScriptedServer { number, request in
      if number == 3 { return .raw("") }
      let count = request.body.components(separatedBy: "\"method\"").count - 1
      let part = "{\"status\":201,\"body\":{\"data\":{\"last_modified\":7}}}"
      return .json("{\"responses\":[\(Array(repeating: part, count: count).joined(separator: ","))]}")
    }
    let adapter = try KintoAdapter(
      url: server.url, bucket: "b", records: [SyncedRecord(Folder.self)], authorization: nil)
    let mutations = (1...100).map {
      Mutation("folder", key: [.integer($0)], .insertion(["name": .text("f")]), client: "c", sequence: $0)
    }
    let outcomes = try await adapter.send(mutations)
    #expect(outcomes.count == 76 && outcomes.prefix(75).allSatisfy(\.isAcknowledged) && outcomes[75].isFailed)
    #expect(adapter.batchLimit == 25)
  }

  /// A run stores the answer to one request before it makes the next request.
  @Test func eachRequestIsSettledBeforeTheNext() async throws {
    let store = try Store.synced()
    let waiting = Lock([Int]())
    let server = try ScriptedServer { _, request in
      if request.method == "PUT" {
        let count = try? store.readBlocking {
          try Int.fetchOne($0.database, sql: "SELECT count(*) FROM sanderling_sync_changes_folder")
        }
        waiting.withLock { $0.append((count ?? nil) ?? -1) }
        return .json("{\"v\":1}", status: 201)
      }
      return .json("[]")
    }
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.version = "v"
    record.writes = HTTPWrites()
    let adapter = HTTPAdapter(try HTTPConnection(server.url), records: [record])
    let session = try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: BatchSource([]), sink: adapter)
    try await folders(store)
    #expect(try await session.run().sent == SentCounts(acknowledged: 3))
    #expect(waiting.withLock { $0 } == [3, 2, 1])
  }
}
