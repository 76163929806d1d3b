import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// A state that a scripted server's answers and the test share.
final class ServerState<Value: Sendable>: Sendable {
  private let value: Lock<Value>

  init(_ value: Value) { self.value = Lock(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in body(&value) }
  }
}

/// A pull removes rows only after a list that is proven to be complete.
@Suite struct HTTPListTests {
  /// The rows of a server whose pages can be cut off.
  private struct Rows {
    var ids: [Int]
    /// From this id on, the server's pages leave out all rows.
    var cut = Int.max
    /// Rows that are added on the server: one with each request for the number of rows.
    var arrivals: [Int] = []
  }

  private static func row(_ id: Int) -> String { "{\"id\":\(id),\"name\":\"f\"}" }

  /// A server with pages of five rows, each with the token of the next page.
  private func server(_ rows: ServerState<Rows>) throws -> ScriptedServer {
    try ScriptedServer { _, request in
      rows.withLock { rows in
        if request.method == "HEAD" {
          rows.ids += rows.arrivals.isEmpty ? [] : [rows.arrivals.removeFirst()]
          return .json("", headers: ["X-Total": "\(rows.ids.count)"])
        }
        let start = request.query.split(separator: "=").last.flatMap { Int($0) } ?? 0
        let page = rows.ids.dropFirst(start).prefix(5).filter { $0 < rows.cut }
        let next = start + 5 < rows.ids.count ? "\"\(start + 5)\"" : "null"
        return .json("{\"rows\":[\(page.map(Self.row).joined(separator: ","))],\"next\":\(next)}")
      }
    }
  }

  private func session(
    _ server: ScriptedServer, _ store: Store, _ options: SyncOptions = SyncOptions(),
    _ change: (inout HTTPRecord) -> Void = { _ in }
  ) async throws -> SyncSession {
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.rows = "rows"
    record.pages = .token(member: "next", parameter: "page")
    record.count = .header("X-Total")
    change(&record)
    var httpOptions = HTTPOptions()
    httpOptions.clock = LeapingClock()
    httpOptions.backoff.attempts = 1
    let adapter = HTTPAdapter(
      try HTTPConnection(server.url, options: httpOptions), records: [record], deletionsKept: .seconds(30 * 86_400))
    return try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: adapter, options: options)
  }

  /// A list with too few rows ends each run with an error, including a run that continues at the list's last page.
  @Test func shortListRemovesNoRowsInAnyRun() async throws {
    let rows = ServerState(Rows(ids: Array(1...10)))
    let store = try Store.synced()
    let server = try server(rows)
    let session = try await session(server, store)
    try await session.run()
    rows.withLock { $0.cut = 8 }
    for _ in 0..<3 {
      await #expect { try await session.run() } throws: { "\($0)".contains("the server says that there are more") }
      #expect(try await store.fetch(Folder.query).count == 10)
    }
    rows.withLock { $0 = Rows(ids: Array(1...7)) }
    #expect(try await session.run().counts.removed == 3)
    #expect(!server.requests.isEmpty)
  }

  /// A list is not complete if the server doesn't answer how many rows it has.
  @Test(arguments: [404, 500]) func listWithoutARowCountRemovesNothing(status: Int) async throws {
    let isWhole = Lock(true)
    let server = try ScriptedServer { _, request in
      let isWhole = isWhole.withLock { $0 }
      if request.method == "HEAD" { return .json("", status: isWhole ? 200 : status, headers: ["X-Total": "3"]) }
      let rows = (isWhole ? [1, 2, 3] : [1, 2]).map(Self.row).joined(separator: ",")
      return .json("{\"rows\":[\(rows)],\"next\":null}")
    }
    let store = try Store.synced()
    let session = try await session(server, store)
    try await session.run()
    isWhole.withLock { $0 = false }
    for _ in 0..<2 {
      await #expect(throws: HTTPError.self) { try await session.run() }
      #expect(try await store.fetch(Folder.query).count == 3)
    }
  }

  /// After a run that ended between two pages, the next run adds to the number of rows that were counted.
  @Test func nextRunContinuesTheRowCount() async throws {
    let isAway = Lock(true)
    let server = try ScriptedServer { _, request in
      if request.method == "HEAD" { return .json("", headers: ["X-Total": "4"]) }
      let isSecond = request.query.contains("page=b")
      if isSecond, isAway.withLock({ $0 }) { return .raw("") }
      let rows = (isSecond ? [3, 4] : [1, 2]).map(Self.row).joined(separator: ",")
      return .json("{\"rows\":[\(rows)],\"next\":\(isSecond ? "null" : "\"b\"")}")
    }
    let store = try Store.synced()
    let session = try await session(server, store)
    await #expect(throws: HTTPError.self) { try await session.run() }
    isAway.withLock { $0 = false }
    let before = server.requests.count
    #expect(try await session.run().counts.written == 2)
    // Requests one page and the number of rows. Nothing is read again.
    #expect(server.requests.count == before + 2)
  }

  /// A run succeeds if rows are added while the server is asked for its number of rows.
  @Test(arguments: [1, 3]) func busyServerDoesNotEndTheRun(arrivals: Int) async throws {
    let rows = ServerState(Rows(ids: Array(1...9), arrivals: Array(10..<10 + arrivals)))
    let store = try Store.synced()
    let server = try server(rows)
    let session = try await session(server, store)
    try await session.run()
    #expect(try await store.fetch(Folder.query).count >= 10)
    try await session.run()
    #expect(try await store.fetch(Folder.query).count == rows.withLock { $0.ids.count })
    #expect(!server.requests.isEmpty)
  }

  /// A row that appears on two pages counts once.
  @Test func repeatedRowCountsOnce() {
    func row(_ id: Int64) -> [String: ForeignValue] { ["id": .integer(id)] }
    var list = HTTPList()
    #expect(list.take([row(1), row(2)]) == 2)
    #expect(list.take([row(2), row(3)]) == 1)
    #expect(list.take([row(2), row(3)]) == 0)
  }

  // MARK: Last pages

  /// If no answer has the declared link header, the header may be misspelt. An answer without it is then not taken for
  /// the last page.
  @Test(arguments: [false, true]) func misspeltLinkHeaderDoesNotEndTheList(hasCount: Bool) async throws {
    let server = try ScriptedServer { _, request in
      if request.method == "HEAD" { return .json("", headers: ["X-Total": "2"]) }
      let isSecond = request.path == "/more"
      return .json(
        "[\(Self.row(isSecond ? 2 : 1))]", headers: isSecond ? [:] : ["Link": "</more>; rel=\"next\""])
    }
    for header in ["Links", "Link"] {
      let store = try Store.synced()
      let session = try await session(server, store) { record in
        record.rows = nil
        record.pages = .linkHeader(header)
        record.count = hasCount ? .header("X-Total") : nil
      }
      if header == "Link" {
        try await session.run()
        #expect(try await store.fetch(Folder.query).count == 2)
      } else {
        await #expect { try await session.run() } throws: {
          "\($0)".contains(hasCount ? "the server says that there are more" : "it lacks the header Links")
        }
      }
    }
  }

  /// A list of one page is accepted if its number of rows is known, or if the declaration says that the header is left
  /// out.
  @Test(arguments: ["count", "declared", "none"]) func singlePageNeedsARowCountOrADeclaration(way: String) async throws
  {
    let server = try ScriptedServer { _, request in
      request.method == "HEAD" ? .json("", headers: ["X-Total": "1"]) : .json("[\(Self.row(1))]")
    }
    let session = try await session(server, try Store.synced()) { record in
      record.rows = nil
      record.pages = .linkHeader("Link", isOmittedAtEnd: way == "declared")
      record.count = way == "count" ? .header("X-Total") : nil
    }
    if way == "none" {
      await #expect(throws: HTTPError.self) { try await session.run() }
    } else {
      #expect(try await session.run().counts.written == 1)
    }
  }

  /// A member that leads to a next page is an error if the record is declared to have one page.
  @Test(arguments: [
    "\"next\":\"/folders?page=2\"", "\"next_cursor\":\"c\"", "\"nextPage\":2", "\"has_more\":true",
    "\"links\":{\"next\":\"/folders?page=2\"}", "\"_links\":{\"next\":{\"href\":\"/folders\"}}", "\"cursor\":\"c\"",
    "\"@odata.nextLink\":\"/folders\"", "\"meta\":{\"has_next_page\":true,\"end\":\"c\"}",
  ])
  func undeclaredNextPageMemberIsAnError(member: String) async throws {
    let server = try ScriptedServer { _, _ in .json("{\"rows\":[\(Self.row(1))],\(member)}") }
    let session = try await session(server, try Store.synced()) { record in
      record.pages = .single
      record.count = nil
    }
    await #expect { try await session.run() } throws: { "\($0)".contains("says that another page follows") }
  }

  @Test(arguments: [
    "\"next\":null", "\"next_cursor\":\"\"", "\"has_more\":false,\"cursor\":\"c\"",
    "\"links\":{\"self\":\"/\",\"next\":null}",
    "\"step\":\"next\"", "\"nextStep\":\"pay\"",
  ])
  func membersWithoutANextPageAreIgnored(member: String) async throws {
    let server = try ScriptedServer { _, _ in .json("{\"rows\":[\(Self.row(1))],\(member)}") }
    let session = try await session(server, try Store.synced()) { record in
      record.pages = .single
      record.count = nil
    }
    #expect(try await session.run().counts.written == 1)
  }

  @Test func misleadingMemberCanBeIgnoredByDeclaration() async throws {
    let server = try ScriptedServer { _, _ in .json("{\"rows\":[\(Self.row(1))],\"meta\":{\"next\":\"monday\"}}") }
    let session = try await session(server, try Store.synced()) { record in
      record.pages = .single
      record.count = nil
      record.ignoredFields = ["meta.next"]
    }
    #expect(try await session.run().counts.written == 1)
  }

  // MARK: Servers that lose something

  /// A pull doesn't remove all rows when the server lists none, unless that is allowed.
  @Test func anEmptyListRemovesNothing() async throws {
    let rows = ServerState(Rows(ids: Array(1...10)))
    let server = try server(rows)
    let store = try Store.synced()
    try await session(server, store).run()
    rows.withLock { $0.ids = [] }
    for _ in 0..<2 {
      await #expect {
        try await session(server, store).run()
      } throws: { error in
        error as? SyncError == .massDeletion(table: "folder", unnamed: 10, of: 10)
          && "\(error)".contains("SyncOptions.allowsMassDeletion")
      }
      #expect(try await store.fetch(Folder.query).count == 10)
    }
    #expect(try await session(server, store, SyncOptions(allowsMassDeletion: true)).run().counts.removed == 10)
  }

  /// Status 304 confirms the collection at the time of the answer. The source therefore doesn't restart later, although
  /// the server may have forgotten older deletions.
  @Test func status304ConfirmsAFreshCollection() async throws {
    let moment = Lock(0)
    let months = ["Jan", "Feb", "Mar"]
    let server = try ScriptedServer { _, request in
      let number = moment.withLock { $0 }
      let date = "Sun, 10 \(months[number]) 2026 10:00:00 GMT"
      let headers = ["Date": date, "ETag": "\"\(number == 2 ? 2 : 1)\""]
      if request.headers["if-none-match"] == "\"1\"", number < 2 { return .json("", status: 304, headers: headers) }
      return .json(request.query.contains("after") ? "[]" : "[{\"id\":1,\"name\":\"f\",\"v\":1}]", headers: headers)
    }
    let store = try Store.synced()
    for number in 0...2 {
      moment.withLock { $0 = number }
      let session = try await session(server, store) { record in
        record.rows = nil
        record.pages = .afterLastRow(size: 10)
        record.count = nil
        record.since = HTTPSince(.field("v", .unique), parameter: "after")
        record.hasCollectionTag = true
      }
      try await session.run()
    }
    // Only the first run reads from the beginning.
    #expect(server.requests.count { !$0.query.contains("after") } == 1)
    #expect(server.requests.contains { $0.headers["if-none-match"] == "\"1\"" })
  }

  private func wentBack(
    _ server: ScriptedServer, _ state: ServerState<Bool>, _ change: (inout HTTPRecord) -> Void
  ) async throws -> [Bool] {
    var record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    record.since = HTTPSince(.field("v", .unique), parameter: "after")
    record.pages = .afterLastRow(size: 10)
    change(&record)
    let adapter = HTTPAdapter(try HTTPConnection(server.url), records: [record])
    return try await wentBack(adapter, state)
  }

  /// Whether the source reports that the server went back: for two pulls before the server does so, and for two pulls
  /// after it.
  private func wentBack(_ source: any SyncSource, _ state: ServerState<Bool>) async throws -> [Bool] {
    var cursor: String?
    var wentBack: [Bool] = []
    for isBack in [false, false, true, true] {
      state.withLock { $0 = isBack }
      var hasGoneBack = false
      for try await batch in source.batches(after: cursor) {
        cursor = batch.cursor ?? cursor
        hasGoneBack = hasGoneBack || (batch.serverWentBack && batch.restarts)
      }
      wentBack.append(hasGoneBack)
    }
    return wentBack
  }

  /// A lower tag, cursor, incarnation number or newest row shows that the server restored a backup. This is reported
  /// once.
  @Test(arguments: ["tag", "header", "member", "incarnation", "newest", "empty"])
  func serverThatWentBackIsDetected(way: String) async throws {
    let isBack = ServerState(false)
    let server = try ScriptedServer { _, request in
      let version = isBack.withLock { $0 } ? 5 : 9
      if request.path == "/about" { return .json("{\"made\":\(version)}") }
      let row = "{\"id\":1,\"name\":\"f\",\"v\":\(version)}"
      let isAfter = request.query.split(separator: "=").last.flatMap { Int($0) }.map { version <= $0 } ?? false
      let isEmpty = isAfter || (way == "empty" && version == 5)
      let headers = ["ETag": "\"\(version)\"", "X-Cursor": "\(version)"]
      let rows = "[\(isEmpty ? "" : row)]"
      return .json(way == "member" ? "{\"rows\":\(rows),\"at\":\(version)}" : rows, headers: headers)
    }
    let found = try await wentBack(server, isBack) { record in
      switch way {
      case "tag": record.hasCollectionTag = true
      case "header":
        record.since = HTTPSince(.header("X-Cursor"), parameter: "after")
        record.pages = .single
      case "member":
        record.rows = "rows"
        record.since = HTTPSince(.member("at"), parameter: "after")
        record.pages = .single
      case "incarnation": record.incarnation = HTTPIncarnation(path: "about", member: "made")
      default: record.since?.newest = ["sort": "-v"]
      }
    }
    #expect(found == [false, false, true, false])
  }

  /// A collection that was deleted and made again is not reported as a backup.
  @Test func recreatedCollectionIsNotReportedAsABackup() async throws {
    let isNew = ServerState(false)
    let server = try ScriptedServer { _, request in
      request.path == "/about" ? .json("{\"made\":\(isNew.withLock { $0 } ? 9 : 5)}") : .json("[]")
    }
    let found = try await wentBack(server, isNew) {
      $0.incarnation = HTTPIncarnation(path: "about", member: "made")
    }
    #expect(found == [false, false, false, false])
  }

  @Test func kintoReportsThatItWentBack() async throws {
    let isBack = ServerState(false)
    let server = try ScriptedServer { _, request in
      let version = isBack.withLock { $0 } ? 5 : 9
      if !request.path.hasSuffix("records") { return .json("{\"data\":{\"last_modified\":1}}") }
      let row = "{\"id\":\"1\",\"name\":\"f\",\"last_modified\":\(version)}"
      let rows = request.query.contains("_since") ? "" : row
      return .json("{\"data\":[\(rows)]}", headers: ["ETag": "\"\(version)\"", "Total-Objects": "1"])
    }
    let adapter = try KintoAdapter(
      url: server.url, bucket: "b", records: [SyncedRecord(Folder.self)], authorization: nil)
    #expect(try await wentBack(adapter, isBack) == [false, false, true, false])
  }

  @Test func pocketBaseReportsThatItWentBack() async throws {
    let isBack = ServerState(false)
    let server = try ScriptedServer { _, request in
      if request.path.hasSuffix("sanderling") { return .json("{\"hook\":1}") }
      let hour = isBack.withLock { $0 } ? "09" : "10"
      let row = "{\"id\":\"1\",\"name\":\"f\",\"version\":\"v\",\"updated\":\"2026-06-01 \(hour):00:00.000Z\"}"
      return .json("{\"items\":[\(request.query.contains("filter") ? "" : row)],\"totalItems\":1}")
    }
    let adapter = try PocketBaseAdapter(url: server.url, records: [SyncedRecord(Folder.self)], authorization: nil)
    #expect(try await wentBack(adapter, isBack) == [false, false, true, false])
  }
}
