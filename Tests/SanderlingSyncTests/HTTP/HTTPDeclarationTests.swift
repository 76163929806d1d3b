import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// Columns, keys, versions and pages are read and written as an `HTTPRecord` declares them.
@Suite struct HTTPDeclarationTests {
  @Record("card") struct Card: Equatable {
    @PrimaryKey var id: UUID
    var title: String
    var draft = ""
    var deck: UUID?
  }

  private let id = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"

  private func session(
    _ server: ScriptedServer, _ store: Store, _ change: (inout HTTPRecord) -> Void = { _ in }
  ) async throws -> SyncSession {
    var record = HTTPRecord(SyncedRecord(Card.self), path: "cards")
    record.version = "v"
    record.deletedFlag = "gone"
    record.since = HTTPSince(.field("v", .unique), parameter: "after")
    record.writes = HTTPWrites()
    change(&record)
    let adapter = HTTPAdapter(try HTTPConnection(server.url), records: [record])
    return try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter)
  }

  /// A server with one row, which compares ids as case-sensitive texts.
  private func server(_ id: String) throws -> ScriptedServer {
    let version = Lock(1)
    return try ScriptedServer { _, request in
      if request.path == "/cards" {
        return request.query.contains("after")
          ? .json("[]") : .json("[{\"id\":\"\(id)\",\"title\":\"t\",\"deck\":null,\"v\":1}]")
      }
      guard request.path == "/cards/\(id)" || request.headers["if-none-match"] != nil else {
        return .json("", status: request.headers["if-match"] == nil ? 404 : 412)
      }
      let next = version.withLock { version in
        version += 1
        return version
      }
      return .json("{\"v\":\(next)}")
    }
  }

  /// The address of a row uses the id as the server wrote it, in upper or lower case. New ids have lower case.
  @Test(arguments: [false, true]) func addressesUseTheServersCaseOfIDs(isUpper: Bool) async throws {
    let given = isUpper ? id.uppercased() : id
    let server = try server(given)
    let store = try Store(inMemory: [Card.self])
    let session = try await session(server, store)
    try await session.run()
    for title in ["a", "b"] {
      try await store.write { _ = try $0.update(Card.query, .set(\.title, to: title)) }
      #expect(try await session.run().sent == SentCounts(acknowledged: 1))
    }
    let new = UUID()
    try await store.write { try $0.insert(Card(id: new, title: "new", deck: UUID(uuidString: id))) }
    #expect(try await session.run().sent == SentCounts(acknowledged: 1))
    let put = try #require(server.requests.last { $0.method == "PUT" })
    #expect(put.path == "/cards/\(new.uuidString.lowercased())")
    #expect(put.body.contains("\"id\":\"\(new.uuidString.lowercased())\"") && put.body.contains("\"deck\":\"\(id)\""))
    let patches = server.requests.filter { $0.method == "PATCH" }
    #expect(patches.count >= 2 && patches.allSatisfy { $0.path == "/cards/\(given)" })
  }

  @Record("pile") struct Pile: Equatable {
    @PrimaryKey var id: UUID
    @References(Pile.self) var parent: UUID?
  }

  /// A reference to a pulled row is sent as the server wrote the id of that row. The address of a row uses the id that
  /// its body contains.
  @Test(arguments: [false, true]) func referencesUseTheServersCaseOfIDs(isUpper: Bool) async throws {
    let given = isUpper ? id.uppercased() : id
    let server = try ScriptedServer { _, request in
      if request.method != "GET" { return .json("{\"v\":2}") }
      return .json(request.query.contains("after") ? "[]" : "[{\"id\":\"\(given)\",\"parent\":null,\"v\":1}]")
    }
    let store = try Store(inMemory: [Pile.self])
    var record = HTTPRecord(SyncedRecord(Pile.self), path: "piles")
    record.version = "v"
    record.since = HTTPSince(.field("v", .unique), parameter: "after")
    record.writes = HTTPWrites()
    let adapter = HTTPAdapter(try HTTPConnection(server.url), records: [record])
    let session = try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter)
    try await session.run()
    let (child, grandchild) = (UUID(), UUID())
    try await store.write { tx in
      try tx.insert(Pile(id: child, parent: UUID(uuidString: self.id)))
      try tx.insert(Pile(id: grandchild, parent: child))
    }
    #expect(try await session.run().sent == SentCounts(acknowledged: 2))
    let own = child.uuidString.lowercased()
    let puts = server.requests.filter { $0.method == "PUT" }
    #expect(puts.map(\.path).first == "/piles/\(own)")
    #expect(puts.first?.body == "{\"id\":\"\(own)\",\"parent\":\"\(given)\"}")
    // A reference to a row of this device has the declared case.
    #expect(puts.last?.body.contains("\"parent\":\"\(own)\"") == true)
  }

  /// Versions are ordered without regard to the ids that are stored with them.
  @Test func versionsWithIdsHaveAnOrder() {
    func stored(_ version: String) -> String? { HTTPVersion(version: version, id: "A").stored }
    #expect(OutboxEntry.isEarlier(stored("9"), than: stored("10")) == true)
    #expect(OutboxEntry.isEarlier(stored("10"), than: "9") == false)
    #expect(OutboxEntry.isEarlier(stored("a"), than: stored("b")) == nil)
  }

  /// A conflict policy that names a property of another record makes the session throw; it doesn't stop the process.
  @Test func conflictPolicyOfAnotherRecordIsRefused() async throws {
    for policy in [
      ConflictPolicy.merge.merging(\Folder.Fields.id, .counter), .newest(by: \Folder.Fields.name),
    ] {
      let store = try Store(inMemory: [Card.self])
      await #expect(throws: SyncError.invalidRecords("the conflict policy of card names a property of table folder")) {
        _ = try await SyncSession(
          "t", store: store, records: [SyncedRecord(Card.self, conflicts: policy)], source: BatchSource([]))
      }
    }
  }

  /// A row whose stored version has no id, as former releases stored it, is also requested in the other case.
  @Test func idsOfFormerReleasesAreRequestedInBothCases() async throws {
    let server = try server(id.uppercased())
    let store = try Store(inMemory: [Card.self])
    let session = try await session(server, store)
    try await session.run()
    try await store.write { try $0.database.execute(sql: "UPDATE sanderling_sync_versions_card SET version = '1'") }
    try await store.write { _ = try $0.update(Card.query, .set(\.title, to: "a")) }
    #expect(try await session.run().sent == SentCounts(acknowledged: 1))
    #expect(
      server.requests.filter { $0.method == "PATCH" }.map(\.path) == ["/cards/\(id)", "/cards/\(id.uppercased())"])
  }

  @Test func uppercaseIDsCanBeDeclared() async throws {
    let server = try server(id.uppercased())
    let store = try Store(inMemory: [Card.self])
    let session = try await session(server, store) { $0.uuids = .uppercase }
    try await session.run()
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_versions_card WHERE version = '1'") == 1)
    let new = UUID()
    try await store.write { try $0.insert(Card(id: new, title: "new")) }
    try await session.run()
    #expect(server.requests.last { $0.method == "PUT" }?.path == "/cards/\(new.uuidString)")
  }

  /// A column that stays on the device is neither sent nor read. A change of that column alone needs no request.
  @Test func localColumnIsNeitherSentNorRead() async throws {
    let server = try server(id)
    let store = try Store(inMemory: [Card.self])
    let session = try await session(server, store) { record in
      record.keepOnDevice(\Card.Fields.draft)
      record.name(\Card.Fields.deck, "deck")
    }
    try await session.run()
    let count = server.requests.count { $0.method != "GET" }
    try await store.write { _ = try $0.update(Card.query, .set(\.draft, to: "mine")) }
    #expect(try await session.run().sent == SentCounts(acknowledged: 1))
    #expect(server.requests.count { $0.method != "GET" } == count)
    try await store.write { _ = try $0.update(Card.query, .set(\.title, to: "a"), .set(\.draft, to: "more")) }
    try await session.run()
    #expect(server.requests.last { $0.method == "PATCH" }?.body == "{\"title\":\"a\"}")
    try await store.write { try $0.insert(Card(id: UUID(), title: "new", draft: "d")) }
    try await session.run()
    #expect(server.requests.last { $0.method == "PUT" }?.body.contains("draft") == false)
    #expect(try await store.count("SELECT count(*) FROM card WHERE draft = 'more'") == 1)
  }

  /// A server's field that has the name of a local column, or of a column with another field name, is sent back
  /// unchanged. Its value is not stored in that column.
  @Test func aFieldWithTheNameOfALocalColumnIsTheServers() async throws {
    let row =
      "{\"id\":\"\(id)\",\"card_title\":\"t\",\"title\":\"theirs\",\"draft\":\"also theirs\",\"deck\":null,\"v\":1}"
    let server = try ScriptedServer { _, request in
      switch request.method {
      case "GET": .json(request.path == "/cards" ? (request.query.contains("after") ? "[]" : "[\(row)]") : row)
      default: .json("{\"v\":2}")
      }
    }
    let store = try Store(inMemory: [Card.self])
    let session = try await session(server, store) { record in
      record.keepOnDevice(\Card.Fields.draft)
      record.name(\Card.Fields.title, "card_title")
      record.writes?.update = .init("PUT", precondition: .ifMatch)
    }
    try await session.run()
    #expect(try await store.fetch(Card.query).map(\.title) == ["t"])
    #expect(try await store.fetch(Card.query).map(\.draft) == [""])
    try await store.write { _ = try $0.update(Card.query, .set(\.title, to: "new"), .set(\.draft, to: "mine")) }
    try await session.run()
    let body = try #require(server.requests.last { $0.method == "PUT" }?.body)
    #expect(
      body == "{\"card_title\":\"new\",\"deck\":null,\"draft\":\"also theirs\",\"id\":\"\(id)\",\"title\":\"theirs\"}")
  }

  @Test(arguments: ["column", "local", "key", "version", "header", "twice", "pages", "other"])
  func invalidDeclarationsAreRefused(mistake: String) async throws {
    let server = try server(id)
    let store = try Store(inMemory: [Card.self])
    let session = try await session(server, store) { record in
      switch mistake {
      case "column": record.fields = ["titel": "title"]
      case "local": record.localColumns = ["darft"]
      case "key": record.localColumns = ["id"]
      case "version": record.version = nil
      case "header":
        // The header of an answer to a write gives no version for rows that are read.
        record.version = nil
        record.writes?.versionHeader = "ETag"
      case "other": record.name(\Folder.Fields.name, "name")
      case "twice": record.fields = ["title": "deck"]
      default:
        record.since = nil
        record.pages = .afterLastRow(size: 10)
      }
    }
    await #expect { try await session.run() } throws: { error in
      if case HTTPError.invalidDeclaration(record: "card", _)? = error as? HTTPError { true } else { false }
    }
    #expect(server.requests.isEmpty)
  }

  /// A version field that no row has is an error, because every change would be in conflict.
  @Test func aMisnamedVersionIsAnError() async throws {
    let server = try server(id)
    let session = try await session(server, try Store(inMemory: [Card.self])) {
      $0.version = "version"
      $0.since = nil
    }
    await #expect { try await session.run() } throws: { "\($0)".contains("no row has the field version") }
  }

  /// An inserted record replaces a record of the same key that the server keeps as deleted.
  @Test func aDeletedRecordIsReplaced() async throws {
    let server = try ScriptedServer { _, request in
      switch (request.method, request.headers["if-match"]) {
      case ("GET", _) where request.path == "/cards": .json("[]")
      case ("GET", _): .json("{\"id\":\"x\",\"v\":4,\"gone\":true}")
      case ("PUT", "\"4\""): .json("{\"v\":5}")
      default: .json("", status: 412)
      }
    }
    let store = try Store(inMemory: [Card.self])
    let session = try await session(server, store)
    try await store.write { try $0.insert(Card(id: UUID(), title: "new")) }
    #expect(try await session.run().sent == SentCounts(acknowledged: 1))
  }

  // MARK: Pages

  @Test func membersAreFoundByPath() throws {
    var reader = JSONReader(
      "{\"a\":{\"b\":{\"rows\":[{\"id\":1,\"m\":{\"v\":2}}],\"next\":\"x\"},\"c\":{\"d\":3}},\"e.f\":4}")
    let (rows, members) = try reader.page(rowsIn: "a.b.rows", limit: 10)
    #expect(rows?.first?.member("m.v")?.word == "2" && rows?.count == 1)
    #expect(members.member("a.b.next")?.word == "x" && members.member("a.c.d")?.word == "3")
    #expect(members.member("e.f")?.word == "4" && members.member("a.c.x") == nil && members.member("a.x.d") == nil)
  }

  private func pull(
    _ change: (inout HTTPRecord) -> Void,
    _ answer: @escaping @Sendable (Int, ScriptedServer.Request) -> ScriptedServer.Answer
  ) async throws -> Int {
    let server = try ScriptedServer(answer)
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    change(&record)
    var options = HTTPOptions()
    options.clock = LeapingClock()
    options.backoff.attempts = 2
    let adapter = HTTPAdapter(try HTTPConnection(server.url, options: options), records: [record])
    let store = try Store.synced()
    try await SyncSession("t", store: store, records: adapter.syncedRecords, source: adapter).run()
    return try await store.fetch(Folder.query).count
  }

  private static func row(_ id: Int) -> String { "{\"id\":\(id),\"name\":\"f\"}" }

  /// A pull fails if the server counts more rows than its pages contain.
  @Test func fewerRowsThanTheServerHasAreAnError() async throws {
    for told in [1, 2] {
      let pulled = Task {
        try await pull {
          $0.rows = "rows"
          $0.count = .member("meta.total", query: [:])
        } _: { _, _ in
          .json("{\"rows\":[\(Self.row(1))],\"meta\":{\"total\":\(told)}}")
        }
      }
      if told == 1 {
        #expect(try await pulled.value == 1)
      } else {
        await #expect(throws: HTTPError.self) { _ = try await pulled.value }
      }
    }
    await #expect {
      _ = try await pull {
        $0.count = .header("X-Total")
      } _: { _, _ in
        .json("[\(Self.row(1))]")
      }
    } throws: {
      "\($0)".contains("X-Total")
    }
  }

  @Test func undeclaredNextPageIsAnError() async throws {
    await #expect {
      _ = try await pull { _ in
      } _: { _, _ in
        .json("[\(Self.row(1))]", headers: ["Link": "<https://example.com/folders?page=2>; rel=\"next\""])
      }
    } throws: { "\($0)".contains("next page") }
    #expect(
      try await pull { _ in
      } _: { _, _ in
        .json("[\(Self.row(1))]", headers: ["Link": "<https://example.com/help>; rel=\"help\""])
      } == 1)
  }

  /// A pull accepts an only page without a token if the declaration allows that, and fails otherwise.
  @Test func tokenMayBeOmittedAtTheEndIfDeclared() async throws {
    #expect(
      try await pull {
        $0.rows = "rows"
        $0.pages = .token(member: "next", parameter: "page", isOmittedAtEnd: true)
      } _: { _, _ in
        .json("{\"rows\":[\(Self.row(1))]}")
      } == 1)
    await #expect(throws: HTTPError.self) {
      _ = try await pull {
        $0.rows = "rows"
        $0.pages = .token(member: "next", parameter: "page")
      } _: { _, _ in
        .json("{\"rows\":[\(Self.row(1))]}")
      }
    }
  }

  /// Numbered pages end at an empty page, a missing page, or a repeated page. A short page does not end them.
  @Test(arguments: ["empty", "absent", "clamped"]) func numberedPagesEndAtAnEmptyMissingOrRepeatedPage(way: String)
    async throws
  {
    let count = try await pull {
      $0.pages = .numbers(parameter: "page", size: 100)
    } _: { _, request in
      let page = request.query.split(separator: "=").last.flatMap { Int($0) } ?? 0
      if page > 3, way == "absent" { return .json("{}", status: 404) }
      if page > 3, way == "empty" { return .json("[]") }
      return .json("[\(Self.row(min(page, 3) * 2)),\(Self.row(min(page, 3) * 2 + 1))]")
    }
    #expect(count == 6)
  }

  /// All pages of a list are requested with the start of its first page, even if that start is earlier than the
  /// position.
  @Test func pagesOfAListShareOneStart() async throws {
    let server = try ScriptedServer { _, request in
      let isSecond = request.query.contains("page=2")
      return .json("[\(isSecond ? "" : "{\"id\":1,\"name\":\"f\",\"updated\":\"2026-01-01T00:00:10.000Z\"}")]")
    }
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.since = HTTPSince(.field("updated", .unique), parameter: "since")
    record.since?.overlap = .seconds(5)
    record.pages = .numbers(parameter: "page", size: 10)
    let adapter = HTTPAdapter(try HTTPConnection(server.url), records: [record])
    let store = try Store.synced()
    for _ in 0..<2 {
      try await SyncSession("t", store: store, records: adapter.syncedRecords, source: adapter).run()
    }
    let queries = server.requests.suffix(2).map(\.query)
    #expect(queries == ["page=1&since=2026-01-01T00:00:05.000Z", "page=2&since=2026-01-01T00:00:05.000Z"])
  }

  /// If the server no longer knows the page at which an earlier run stopped, the list is read from its beginning.
  @Test func aForgottenPageIsReadFromTheBeginning() async throws {
    let isForgotten = Lock(false)
    let server = try ScriptedServer { _, request in
      if request.query.contains("page=b") {
        return isForgotten.withLock { $0 } ? .json("{}", status: 400) : .raw("")
      }
      let isSecond = request.query.contains("page=c")
      return .json(
        "{\"rows\":[\(Self.row(isSecond ? 2 : 1))],\"next\":\(isSecond ? "null" : isForgotten.withLock { $0 } ? "\"c\"" : "\"b\"")}"
      )
    }
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.rows = "rows"
    record.pages = .token(member: "next", parameter: "page")
    record.since = HTTPSince(.field("id", .unique), parameter: "since")
    var options = HTTPOptions()
    options.backoff.attempts = 1
    let adapter = HTTPAdapter(try HTTPConnection(server.url, options: options), records: [record])
    let store = try Store.synced()
    let session = try await SyncSession("t", store: store, records: adapter.syncedRecords, source: adapter)
    await #expect(throws: HTTPError.self) { try await session.run() }
    isForgotten.withLock { $0 = true }
    try await session.run()
    #expect(try await store.fetch(Folder.query).map(\.id).sorted() == [1, 2])
  }
}
