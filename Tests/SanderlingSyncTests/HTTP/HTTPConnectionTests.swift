import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// Pulls and pushes against a server that fails, lies, or is malicious.
@Suite(.timeLimit(.minutes(10))) struct HTTPConnectionTests {
  private let clock = LeapingClock()

  private func options(_ change: (inout HTTPOptions) -> Void = { _ in }) -> HTTPOptions {
    var options = HTTPOptions()
    options.clock = clock
    options.limits.body = 1 << 20
    options.timeout = .seconds(60)
    change(&options)
    return options
  }

  private func folders(
    _ server: ScriptedServer, _ authorization: HTTPAuthorization? = nil, options: HTTPOptions? = nil,
    _ change: (inout HTTPRecord) -> Void = { _ in }
  ) throws -> HTTPAdapter {
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.since = HTTPSince(.field("updated", .key("id"))) { ["since": $0.value, "after": $0.key ?? ""] }
    record.pages = .afterLastRow(size: 2)
    record.ignoredFields = ["updated"]
    change(&record)
    return HTTPAdapter(
      try HTTPConnection(server.url, authorization: authorization, options: options ?? self.options()),
      records: [record])
  }

  private func row(_ id: Int, _ updated: Int) -> String {
    "{\"id\":\(id),\"name\":\"f\(id)\",\"parentID\":null,\"updated\":\(updated)}"
  }

  private func pull(
    _ adapter: HTTPAdapter, _ store: Store, _ options: SyncOptions = SyncOptions()
  ) async throws -> SyncSummary {
    try await SyncSession("t", store: store, records: adapter.syncedRecords, source: adapter, options: options).run()
  }

  // MARK: Safety

  @Test func onlyEncryptedAddressesAreTaken() throws {
    for text in ["http://example.com", "ftp://example.com", "https://", "https://user:secret@example.com"] {
      #expect(throws: HTTPError.self) { try HTTPConnection(try #require(URL(string: text))) }
    }
    for text in ["https://example.com/v1", "http://127.0.0.1:80", "http://localhost:80"] {
      _ = try HTTPConnection(try #require(URL(string: text)))
    }
    // The host only begins like a loopback address, so plain HTTP is refused.
    #expect(throws: HTTPError.self) { try HTTPConnection(try #require(URL(string: "http://127.0.0.1.example.com"))) }
    _ = try HTTPConnection(
      try #require(URL(string: "http://example.com")), options: options { $0.allowsPlainHTTP = true })
  }

  @Test func redirectionsAreNotFollowed() async throws {
    let other = try ScriptedServer { _, _ in .json("[]") }
    let server = try ScriptedServer { _, _ in
      .json("", status: 302, headers: ["Location": other.url.absoluteString + "/folders"])
    }
    let adapter = try folders(server, .bearer { _ in "secret-token" })
    let address = other.url.absoluteString + "/folders"
    await #expect(throws: HTTPError.redirected(path: "folders", to: address)) {
      try await pull(adapter, try .synced())
    }
    #expect("\(HTTPError.redirected(path: "folders", to: address))".contains(address))
    #expect(other.requests.isEmpty)
    let linking = try ScriptedServer { _, _ in
      .json("{\"items\":[],\"next\":\"\(other.url.absoluteString)/folders?page=2\"}")
    }
    let linked = try folders(linking, .bearer { _ in "secret-token" }) {
      $0.rows = "items"
      $0.pages = .linkMember("next")
    }
    // The error leaves out the query of the address, which may contain a secret.
    await #expect(throws: HTTPError.redirected(path: "folders", to: address)) {
      try await pull(linked, try .synced())
    }
    #expect(other.requests.isEmpty)
  }

  @Test func tokensAreRenewedAndNeverPrinted() async throws {
    let server = try ScriptedServer { _, request in
      request.headers["authorization"] == "Bearer new-secret"
        ? .json("[]") : .json("{\"message\":\"old-secret is no token\"}", status: 401)
    }
    let asked = Lock([Bool]())
    let authorization = HTTPAuthorization.bearer { wasRefused in
      asked.withLock { $0.append(wasRefused) }
      return wasRefused ? "new-secret" : "old-secret"
    }
    let adapter = try folders(server, authorization)
    _ = try await pull(adapter, try .synced())
    #expect(asked.withLock { $0 } == [false, true])
    #expect(!String(reflecting: authorization).contains("secret"))
    #expect(!"\(adapter.connection)".contains("secret"))
    // This server repeats the token in its answers.
    let talking = try ScriptedServer { _, request in
      .json("{\"message\":\"\(request.headers["authorization"] ?? "") and \(request.query)\"}", status: 418)
    }
    do {
      _ = try await pull(try folders(talking, .bearer { _ in "secret-token" }), try .synced())
      Issue.record("the pull throws no error")
    } catch {
      #expect("\(error)".contains("418") && !"\(error)".contains("secret-token"), "\(error)")
    }
    let refusing = try ScriptedServer { _, _ in .json("", status: 401) }
    await #expect(throws: HTTPError.unauthorized(path: "folders")) {
      try await pull(try folders(refusing, .bearer { _ in "t" }), try .synced())
    }
    #expect(refusing.requests.count == 2)
  }

  // MARK: Failures

  @Test func failedRequestsAreRepeated() async throws {
    let row = row(1, 1)
    let server = try ScriptedServer { number, request in
      switch number {
      case 0: .json("", status: 503, headers: ["Retry-After": "7"])
      case 1: .json("", status: 500)
      // The next answers: a body that is shorter than its length, a body that is longer, and bytes that aren't HTTP.
      case 2: .bytes(Array("[\(row)".utf8), length: 5000)
      case 3: .bytes(Array("[\(row)]".utf8), length: 20)
      case 4: .raw("")
      default: .json(request.query.contains("since=1") ? "[]" : "[\(row)]")
      }
    }
    let store = try Store.synced()
    #expect(try await pull(try folders(server), store).counts.written == 1)
    #expect(server.requests.count == 7)
    #expect(clock.sleeps.contains { $0 >= .seconds(6.9) })
    #expect(try await store.fetch(Folder.query).count == 1)
    let broken = try ScriptedServer { _, _ in .json("[\(row),") }
    await #expect { try await pull(try folders(broken), store) } throws: { error in
      if case HTTPError.malformed? = error as? HTTPError { true } else { false }
    }
    #expect(broken.requests.count == HTTPOptions().backoff.attempts)
  }

  // MARK: Waits

  @Test func waitsAreAnnounced() async throws {
    let server = try ScriptedServer { number, _ in
      switch number {
      case 0: .json("", status: 429, headers: ["Retry-After": "3600"])
      case 1: .json("[]", headers: ["Backoff": "60"])
      default: .json("[]")
      }
    }
    let waits = Lock([HTTPWait]())
    let connection = try HTTPConnection(
      server.url, options: options { $0.onWait = { wait in waits.withLock { $0.append(wait) } } })
    let request = HTTPRequest("GET", "folders", query: ["token": "secret"])
    _ = try await connection.read(request) { $0 }
    let address = server.url.absoluteString + "/folders"
    #expect(
      waits.withLock { $0 } == [
        HTTPWait(address: address, status: 429, duration: .seconds(3600), isRequested: true)
      ])
    // A wait that a successful answer asks for delays the next request.
    _ = try await connection.read(request) { $0 }
    let all = waits.withLock { $0 }
    #expect(all.count == 2 && all[1].status == nil && all[1].isRequested && all[1].duration <= .seconds(60))
    #expect(clock.sleeps.reduce(.zero, +) >= .seconds(3659))
  }

  @Test func aWaitCanBeRefused() async throws {
    struct TooLong: Error, Equatable {}
    let server = try ScriptedServer { _, _ in .json("", status: 503, headers: ["Retry-After": "3600"]) }
    let connection = try HTTPConnection(
      server.url,
      options: options { $0.onWait = { wait in if wait.duration > .seconds(60) { throw TooLong() } } })
    await #expect(throws: TooLong()) { _ = try await connection.read(HTTPRequest("GET", "folders")) { $0 } }
    // The next request would also come too early.
    await #expect(throws: TooLong()) { _ = try await connection.read(HTTPRequest("GET", "folders")) { $0 } }
    #expect(server.requests.count == 1 && clock.sleeps.isEmpty)
  }

  /// Waits that a server asks for when it rejects changes are reported before the changes are sent again.
  @Test(arguments: [false, true]) func waitsOfChangesAreAnnounced(together: Bool) async throws {
    let server = try ScriptedServer { _, request in
      if request.path == "/batch" {
        let answer = #"{"status":429,"headers":{"Retry-After":"120"},"body":{}}"#
        return .json("{\"responses\":[\(answer),\(answer)]}")
      }
      return .json("", status: 429, headers: ["Retry-After": "120"])
    }
    let waits = Lock([HTTPWait]())
    let adapter = try folders(
      server, options: options { $0.onWait = { wait in waits.withLock { $0.append(wait) } } }
    ) {
      $0.version = "v"
      $0.writes = HTTPWrites()
      if together { $0.writes?.batch = HTTPBatch(path: "batch", size: 10) }
    }
    let mutations = (1...2).map {
      Mutation(
        SyncedRecord(Folder.self).name, key: [.integer(Int64($0))],
        .insertion(["id": .integer(Int64($0)), "name": .text("f")]), client: "c", sequence: Int64($0))
    }
    let outcomes = try await adapter.send(mutations)
    #expect(outcomes.first == .failed("the server answered 429", retryAfter: .seconds(120)))
    let all = waits.withLock { $0 }
    let wait = try #require(all.first)
    #expect(wait.status == 429 && wait.duration == .seconds(120))
    #expect(wait.address.hasPrefix(server.url.absoluteString + "/folders"))
  }

  @Test func requestsKeepTheDeclaredInterval() async throws {
    let server = try ScriptedServer { _, _ in .json("[]") }
    let connection = try HTTPConnection(server.url, options: options { $0.interval = .seconds(2) })
    for _ in 0..<4 { _ = try await connection.send(HTTPRequest("GET", "a")) }
    #expect(clock.sleeps.count == 3 && clock.sleeps.reduce(.zero, +) <= .seconds(6))
  }

  @Test func requestToASilentServerTimesOut() async throws {
    let server = try ScriptedServer { _, _ in Answer.slow }
    let connection = try HTTPConnection(
      server.url, options: options { $0.greatestDuration = .milliseconds(400) })
    await #expect { _ = try await connection.send(HTTPRequest("GET", "a")) } throws: { error in
      if case HTTPError.unreachable? = error as? HTTPError { true } else { false }
    }
  }

  private typealias Answer = ScriptedServer.Answer

  // MARK: Bounds

  /// A request for events is repeated if the stream of events doesn't begin within the timeout.
  @Test(.timeLimit(.minutes(10))) func eventStreamThatDoesNotBeginIsRequestedAgain() async throws {
    let server = try ScriptedServer { _, request in
      request.path == "/events" ? ScriptedServer.Answer(parts: [[]], pause: .seconds(60)) : .json("[]")
    }
    let connection = try HTTPConnection(server.url, options: options { $0.timeout = .seconds(1) })
    let adapter = HTTPAdapter(
      connection, records: [HTTPRecord(SyncedRecord(Folder.self), path: "folders")],
      follows: .events(HTTPEvents(path: "events")))
    let following = Task { for try await _ in adapter.batches(after: nil) {} }
    while server.requests.count(where: { $0.path == "/events" }) < 2 { try await Task.sleep(for: .milliseconds(20)) }
    following.cancel()
    await #expect(throws: CancellationError.self) { try await following.value }
  }

  @Test func oversizedAnswersAreRefused() async throws {
    func error(_ answer: ScriptedServer.Answer, _ change: (inout HTTPOptions) -> Void = { _ in }) async throws -> String
    {
      let server = try ScriptedServer { _, _ in answer }
      do {
        _ = try await pull(try folders(server, options: options(change)), try .synced())
        return "none"
      } catch { return "\(error)" }
    }
    // A body without a length that never ends.
    var endless = Answer.raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[\"")
    endless.parts.append([UInt8](repeating: 65, count: 1 << 16))
    endless.times = 1
    for _ in 0..<100 { endless.parts.append([UInt8](repeating: 65, count: 1 << 16)) }
    #expect(try await error(endless).contains("more than 1048576 bytes"))
    let compressed = Answer.bytes(Self.bomb, headers: ["Content-Encoding": "gzip"])
    #expect(try await error(compressed).contains("more than 1048576 bytes"))
    let deep = String(repeating: "[", count: 100_000)
    #expect(
      try await error(.json("[{\"id\":1,\"name\":\(deep)"), { $0.backoff.attempts = 1 }).contains("nested more than 64")
    )
    let rows = "[" + (0..<200).map { row($0, $0) }.joined(separator: ",") + "]"
    #expect(
      try await error(.json(rows)) {
        $0.limits.rows = 100; $0.backoff.attempts = 1
      }.contains("more than 100 rows"))
    let long = "[{\"id\":1,\"updated\":1,\"name\":\"\(String(repeating: "x", count: 5000))\"}]"
    #expect(try await error(.json(long)) { $0.limits.field = 4000 }.contains("bytes in a value"))
    let wide = "[{\"id\":1,\"updated\":1,\((0..<50).map { "\"c\($0)\":1" }.joined(separator: ","))}]"
    #expect(try await error(.json(wide)) { $0.limits.columns = 40 }.contains("members in a row"))
    let header = Answer.json("[]", headers: ["X-Long": String(repeating: "x", count: 5000)])
    #expect(try await error(header) { $0.limits.header = 4000 }.contains("bytes in its header"))
    // Pages that repeat the same rows for ever.
    let same = Answer.json("[\(row(1, 1)),\(row(2, 1))]")
    #expect(try await error(same) { $0.backoff.attempts = 1 }.contains("leads to itself"))
  }

  /// Ten megabytes of one byte, compressed to 65 kB, as an attack on memory. The data is a literal and its repetitions
  /// of length 258, in the fixed codes of RFC 1951. It has no end marker.
  private static var bomb: [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var (byte, count): (UInt8, UInt8) = (0, 0)
    func put(_ bits: String) {
      for bit in bits {
        byte |= (bit == "1" ? 1 : 0) << count
        count += 1
        if count == 8 {
          bytes.append(byte)
          (byte, count) = (0, 0)
        }
      }
    }
    // The last block with fixed codes, then the digit 0.
    put("1" + "10" + "01100000")
    for _ in 0..<40_000 { put("11000101" + "00000") }
    return bytes
  }

  @Test func compressedAnswersAreRead() async throws {
    // gzip of [{"id":1,"name":"f","parentID":null,"updated":1}]
    let body = try #require(
      Data(
        base64Encoded: "H4sIACOKBGsC/4uuVspMUbIy1FHKS8xNVbJSSlPSUSpILErNK/F0UbLKK83J0VEqLUhJLEkFKauNBQAWZWhEMQAAAA=="))
    let server = try ScriptedServer { number, _ in
      number == 0 ? .bytes(Array(body), headers: ["Content-Encoding": "gzip"]) : .json("[]")
    }
    #expect(try await pull(try folders(server), try .synced()).counts.written == 1)
    #expect(server.requests.first?.headers["accept-encoding"]?.contains("gzip") == true)
  }

  // MARK: Pages

  /// A pull misses no row when rows with equal times lie on both sides of a page's end, or when a row changes between
  /// two pages.
  @Test func noRowIsMissedBetweenPages() async throws {
    let rows = Lock([1: 5, 2: 5, 3: 5, 4: 6, 5: 6])
    let server = try ScriptedServer { number, request in
      let query = request.query.split(separator: "&").reduce(into: [String: Int]()) { result, part in
        let parts = part.split(separator: "=")
        if parts.count == 2 { result[String(parts[0])] = Int(parts[1]) }
      }
      return rows.withLock { rows in
        // Another client changes a row that was already read.
        if number == 1 { rows[1] = 7 }
        let page = rows.map { (id: $0.key, time: $0.value) }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.filter {
          ($0.time, $0.id) > (query["since"] ?? 0, query["after"] ?? 0)
        }.prefix(2).map { "{\"id\":\($0.id),\"name\":\"t\($0.time)\",\"parentID\":null,\"updated\":\($0.time)}" }
        return .json("[\(page.joined(separator: ","))]")
      }
    }
    let store = try Store.synced()
    let adapter = try folders(server)
    _ = try await pull(adapter, store)
    let names = try await store.fetch(Folder.order { $0.id }).map(\.name)
    #expect(names == ["t7", "t5", "t5", "t6", "t6"])
    #expect(try await pull(adapter, store).counts.received == 0)
  }

  /// A pull asks for changes since shortly before the last answer, because writes of other clients may not have been
  /// visible then.
  @Test func laterPullsOverlapTheLastAnswer() throws {
    var since = HTTPSince(.field("updated", .unique), parameter: "since")
    since.overlap = .seconds(30)
    func start(_ mark: String, _ date: String?) -> String {
      since.start(
        at: HTTPSince.Mark(value: mark, key: "k"), lastAnswer: date.flatMap { HTTPDate.date($0) }
      ).value
    }
    #expect(start("2026-11-23 10:00:00.500Z", nil) == "2026-11-23 09:59:30.500Z")
    #expect(start("2026-11-23 10:00:00.500Z", "Mon, 23 Nov 2026 10:00:10 GMT") == "2026-11-23 09:59:39.000Z")
    // An older mark needs no overlap: no write of that time is still running.
    #expect(start("2026-11-23 10:00:00.500Z", "Mon, 23 Nov 2026 11:00:10 GMT") == "2026-11-23 10:00:00.500Z")
    #expect(start("100000", nil) == "70000")
    #expect(start("opaque", nil) == "opaque")
  }

  /// A pull follows pages by link member, token and page number.
  @Test func pagesAreFollowedByLinkTokenAndNumber() async throws {
    let ways: [(HTTPPages, @Sendable (Int) -> String)] = [
      (.linkMember("next"), { $0 < 2 ? ",\"next\":\"/folders?page=\($0 + 1)\"" : "" }),
      (.token(member: "token", parameter: "page"), { $0 < 2 ? ",\"token\":\"\($0 + 1)\"" : "" }),
      (.numbers(parameter: "page", first: 0, size: 1), { _ in "" }),
    ]
    for (pages, tail) in ways {
      let server = try ScriptedServer { _, request in
        let page =
          request.query.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) } ?? 0
        let row = page < 3 ? "{\"id\":\(page + 1),\"name\":\"f\",\"parentID\":null}" : ""
        return .json("{\"items\":[\(row)],\"cursor\":\"c9\"\(tail(page))}")
      }
      let adapter = try folders(server) {
        $0.rows = "items"
        $0.pages = pages
        $0.since = HTTPSince(.member("cursor"), parameter: "since")
      }
      let store = try Store.synced()
      #expect(try await pull(adapter, store).counts.written == 3, "\(pages)")
      let count = server.requests.count
      _ = try await pull(adapter, store)
      #expect(server.requests.dropFirst(count).first?.query.contains("since=c9") == true, "\(pages)")
    }
  }

  /// A list without positions is complete: local rows that the server no longer lists are removed.
  @Test func listWithoutPositionsRemovesUnlistedRows() async throws {
    let server = try ScriptedServer { number, _ in
      .json(number == 0 ? "[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"}]" : "[{\"id\":2,\"name\":\"b\"}]")
    }
    let adapter = try folders(server) {
      $0.since = nil
      $0.pages = .single
    }
    let store = try Store.synced()
    #expect(try await pull(adapter, store).counts.written == 2)
    let second = try await pull(adapter, store)
    #expect(second.counts.removed == 1 && second.counts.written == 0)
  }

  @Test func byteOrderMarkOfAnAnswerIsSkipped() async throws {
    let server = try ScriptedServer { _, _ in .json("\u{FEFF}[{\"id\":1,\"name\":\"a\"}]") }
    let adapter = try folders(server) {
      $0.since = nil
      $0.pages = .single
    }
    #expect(try await pull(adapter, Store.synced()).counts.written == 1)
  }

  /// An incomplete answer ends the pull with an error, so that the rows that it leaves out are not removed.
  @Test(arguments: [(304, ""), (202, "[]"), (206, "[{\"id\":1,\"name\":\"a\"}]"), (205, "[]")])
  func incompleteAnswerRemovesNoRows(status: Int, body: String) async throws {
    let server = try ScriptedServer { number, _ in
      number == 0
        ? .json("[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"}]") : .json(body, status: status)
    }
    let adapter = try folders(server) {
      $0.since = nil
      $0.pages = .single
    }
    let store = try Store.synced()
    #expect(try await pull(adapter, store).counts.written == 2)
    await #expect(throws: HTTPError.self) { try await pull(adapter, store) }
    #expect(try await store.fetch(Folder.query).count == 2)
    let twice = try ScriptedServer { _, _ in .json("{\"rows\":[{\"id\":1,\"name\":\"a\"}],\"rows\":[]}") }
    let twofold = try folders(twice) { $0.rows = "rows" }
    await #expect(throws: HTTPError.self) { try await pull(twofold, store) }
  }

  @Test func expiredPositionRestartsThePull() async throws {
    let server = try ScriptedServer { number, request in
      // After the first run the server no longer knows the position.
      if request.query.contains("since=9") { return number == 2 ? .json("", status: 410) : .json("[]") }
      let id = number == 0 ? 1 : 2
      return .json("[{\"id\":\(id),\"name\":\"a\",\"updated\":9}]")
    }
    let store = try Store.synced()
    let adapter = try folders(server)
    _ = try await pull(adapter, store)
    // The server now has a different folder in place of its only folder.
    let summary = try await pull(adapter, store, SyncOptions(allowsMassDeletion: true))
    #expect(summary.counts.removed == 1 && summary.counts.written == 1)
    #expect(try await store.fetch(Folder.query).map(\.id) == [2])
  }

  /// A pull writes only to tables of the synchronisation, whatever names and values the server sends.
  @Test func onlyDeclaredTablesAreWritten() async throws {
    let server = try ScriptedServer { number, _ in
      .json(
        number > 0
          ? "[]"
          : "[{\"id\":1,\"name\":\"a\",\"updated\":1,\"sqlite_master\":\"x\",\"name\\\"; DROP TABLE note; --\":2},{\"id\":\"no\",\"name\":3,\"updated\":2}]"
      )
    }
    let store = try Store.synced()
    let summary = try await pull(
      try folders(server) { $0.pages = .afterLastRow(size: 10) }, store)
    #expect(summary.counts.written == 1 && summary.counts.quarantined == 1)
    #expect(try await store.count("SELECT count(*) FROM note") == 0)
  }

  // MARK: Writes

  @Test func statusOfAWriteDecidesItsOutcome() async throws {
    let server = try ScriptedServer { number, _ in
      switch number {
      case 0: .json("{\"etag\":\"v1\"}", status: 201)
      case 1: .json("", status: 412)
      case 2: .json("", status: 409)
      case 3: .json("{\"message\":\"too long\"}", status: 422)
      case 4: .json("", status: 404)
      default: .json("", status: 429, headers: ["Retry-After": "30"])
      }
    }
    let adapter = try folders(server) {
      $0.version = "etag"
      $0.fields = ["name": "folder_name"]
      $0.writes = HTTPWrites()
      $0.writes?.numberHeader = "Idempotency-Key"
    }
    func mutation(_ number: Int64, _ content: Mutation.Content) -> Mutation {
      Mutation("folder", key: [.integer(number)], content, baseVersion: "v0", client: "me", sequence: number)
    }
    let outcomes = try await adapter.send([
      mutation(1, .insertion(["id": .integer(1), "name": .text("a"), "parentID": .null])),
      mutation(2, .update(["name": .text("b")])), mutation(3, .update(["name": .text("b")])),
      mutation(4, .update(["name": .text("b")])), mutation(5, .deletion), mutation(6, .deletion),
      mutation(7, .deletion),
    ])
    #expect(
      outcomes == [
        .acknowledged(version: "v1"), .conflicting("the server answered 412"),
        .conflicting("the server answered 409"), .refused("the server answered 422: too long"),
        .acknowledged(), .failed("the server answered 429", retryAfter: .seconds(30)),
      ])
    try #require(server.requests.count == 6)
    let first = server.requests[0]
    #expect(first.method == "PUT" && first.path == "/folders/1" && first.headers["if-none-match"] == "*")
    #expect(first.body == "{\"folder_name\":\"a\",\"id\":1,\"parentID\":null}")
    #expect(server.requests[1].method == "PATCH" && server.requests[1].headers["if-match"] == "\"v0\"")
    #expect(server.requests[1].headers["idempotency-key"] == "me/2")
  }

  /// The sign-in page of a network acknowledges no change; the change is sent again when the server can be reached.
  @Test func signInPagesAndBrokenAnswersAcknowledgeNothing() async throws {
    let page = "<html>Please <a href=\"login\">sign in</a>"
    let server = try ScriptedServer { number, request in
      switch (number, request.method) {
      case (0, _): .json(page)
      case (1, _): .json("{\"etag\":\"v1\"", status: 201)
      case (2, "PUT"): .json("{\"etag\":\"v1\"}", status: 201)
      case (3, "DELETE"): .json(page, status: 404)
      case (4, "DELETE"): .json("", status: 204)
      default: .json("", status: 500)
      }
    }
    let adapter = try folders(server) {
      $0.version = "etag"
      $0.writes = HTTPWrites()
      $0.since = nil
    }
    let store = try Store.synced()
    let session = try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: BatchSource([]), sink: adapter, options: quick)
    try await store.write { try $0.insert(Folder(id: 1, name: "a")) }
    #expect(try await session.run().sent == SentCounts(acknowledged: 1))
    #expect(server.requests.map(\.method) == ["PUT", "PUT", "PUT"])
    try await store.write { _ = try $0.delete(Folder.query) }
    #expect(try await session.run().sent == SentCounts(acknowledged: 1))
    #expect(server.requests.map(\.method) == ["PUT", "PUT", "PUT", "DELETE", "DELETE"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_folder") == 0)
  }

  /// Kinto and PocketBase confirm each mutation in their answers; an answer without a confirmation comes from another
  /// server.
  @Test func unconfirmedAnswerAcknowledgesNoMutation() async throws {
    let server = try ScriptedServer { number, request in
      if request.path.hasSuffix("sanderling") { return .json("{\"hook\":1}") }
      return .json(request.path.hasSuffix("records") || number % 2 == 0 ? "{}" : "")
    }
    let records = [SyncedRecord(Folder.self)]
    let (kinto, pocketBase) = (
      try KintoAdapter(url: server.url, bucket: "b", records: records, authorization: nil, options: options()),
      try PocketBaseAdapter(url: server.url, records: records, authorization: nil, options: options())
    )
    for sink in [kinto, pocketBase] as [any SyncSink] {
      for content in [Mutation.Content.insertion(["id": .integer(1)]), .update(["name": .text("b")]), .deletion] {
        let mutation = Mutation("folder", key: [.integer(1)], content, baseVersion: "1", client: "me", sequence: 1)
        guard case .failed? = try await sink.send([mutation]).first else {
          Issue.record("\(sink) acknowledges \(content) although the answer doesn't confirm it")
          continue
        }
      }
    }
  }

  /// Kinto answers 409 when two requests collide in its database, even to a read. The request is repeated.
  @Test func requestThatCollidesWithAnotherIsRepeated() async throws {
    let server = try ScriptedServer { number, request in
      if request.method == "PUT" { return .json("{\"code\":409}", status: 409) }
      return number % 2 == 0 ? .json("{\"code\":409}", status: 409) : .json("{\"data\":[]}")
    }
    let options = options { $0.backoff = PushBackoff(first: .milliseconds(1), greatest: .milliseconds(2), attempts: 3) }
    let adapter = try KintoAdapter(
      url: server.url, bucket: "b", records: [SyncedRecord(Folder.self)], authorization: nil, options: options)
    let read = try await adapter.adapter.connection.read(HTTPRequest("GET", "buckets")) { $0 }
    #expect(read.status == 200 && server.requests.count == 2)
    let mutation = Mutation(
      "folder", key: [.integer(1)], .insertion(["id": .integer(1)]), baseVersion: nil, client: "me", sequence: 1)
    #expect(try await adapter.send([mutation]) == [.failed("the server was busy with another request")])
    // From other servers, 409 means that the record already exists.
    let other = try HTTPConnection(server.url, options: options)
    await #expect(throws: HTTPError.status(path: "records", code: 409, message: "")) {
      _ = try await other.read(HTTPRequest("PUT", "records")) { $0 }
    }
  }

  private var quick: SyncOptions {
    var options = SyncOptions()
    options.backoff = PushBackoff(first: .milliseconds(1), greatest: .milliseconds(2), attempts: 5)
    return options
  }
}

extension ScriptedServer.Answer {
  /// An answer that sends one byte every 100 milliseconds.
  fileprivate static var slow: Self {
    var answer = raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
    for _ in 0..<30 { answer.parts.append([32]) }
    answer.pause = .milliseconds(100)
    return answer
  }
}
