import Foundation
import GRDB
import Testing

@testable import Sanderling

// Records for the tables of the capture tests. The tests create the tables by SQL, as an app with its own tables does.

/// A row whose key is assigned by SQLite.
@Record
struct NumberedRow {
  var id: Int64?
  var x: String?
  var y: Int?
  var parent: Int64?
}

/// A row whose key is a text.
@Record
struct NamedRow {
  @PrimaryKey var name: String
  var x: String?
  var y: Int?
  var parent: Int64?
}

/// A row whose key is a blob.
@Record
struct BlobRow {
  var id: UUID
  var x: String?
  var y: Int?
  var parent: Int64?
}

/// A row whose key is two columns.
@Record
struct PairRow {
  @PrimaryKey var first: Int64
  @PrimaryKey var second: String
  var x: String?
  var y: Int?
  var parent: Int64?
}

/// A connection whose changes are captured.
struct CapturedDatabase {
  let queue: DatabaseQueue
  let capture: TestCapture

  /// Opens a database.
  ///
  /// - Parameter sql: The statements that create the tables.
  init(_ sql: String, path: String? = nil) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue =
      try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
      ?? DatabaseQueue(configuration: configuration)
    capture = try TestCapture(queue, requiresDeclaredCollations: false)
    try run(sql)
  }

  func run(_ sql: String) throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// Runs statements. Failing statements are ignored.
  func attempt(_ statements: String...) {
    queue.inDatabase { db in
      for statement in statements { try? db.execute(sql: statement) }
    }
  }

  /// Captures all columns of the records' tables.
  @discardableResult
  func install(_ records: any StoredRecord.Type...) throws -> [String: String] {
    let needs = records.map { CaptureNeed(table: RecordType($0), columns: Set($0.table.columns.indices)) }
    let obstacles = try queue.inDatabase { try capture.install(needs, on: $0) }
    return Dictionary(uniqueKeysWithValues: obstacles.map { ($0.key.table.name, $0.value.description) })
  }

  /// Takes all captured changes, including changes of commits whose end GRDB did not report.
  func take() -> CapturedChanges {
    let commit = queue.inDatabase { capture.name($0) }
    return capture.take(through: commit)
  }

  /// Takes the changes and returns the changes of one table, in order: the key, and the old values or "none".
  func taken(_ record: any StoredRecord.Type) -> [String] {
    take().tables[RecordType(record)]?.map { key, old in
      "\(key): "
        + (old.map { image in image.layout.columns.map { image.text(ofColumn: $0) }.joined(separator: ", ") } ?? "none")
    } ?? []
  }

  func number(_ sql: String) throws -> Int {
    try #require(try queue.inDatabase { try Int.fetchOne($0, sql: sql) })
  }
}

extension RowImage {
  func text(ofColumn index: Int) -> String {
    switch value(ofColumn: index) {
    case nil: "not captured"
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let data): data.map { String($0, radix: 16) }.joined()
    }
  }
}

/// Counts calls from any thread.
final class Counter: Sendable {
  private let value = Lock(0)

  var count: Int { value.withLock { $0 } }

  func add() {
    value.withLock { $0 += 1 }
  }
}

/// A stand-in for an engine's use of the writer's capture: it states the goal and keeps the writer's answer.
final class TestCapture: Sendable {
  let log: ChangeLog
  let counter = Counter()
  private let observer: WriterConfined<CommitObserver>
  private let capture: WriterConfined<ChangeCapture>
  /// Guards the goals and the answers.
  private let known = Lock(Known())

  private struct Known: Sendable {
    var goal = CaptureGoal(isWatching: true)
    var layouts: [RecordType: CaptureLayout] = [:]
  }

  init(
    _ writer: any DatabaseWriter, limit: Int = ChangeLog.defaultLimit, requiresDeclaredCollations: Bool = true
  ) throws {
    let sequence = CommitSequence()
    let log = ChangeLog(sequence: sequence, limit: limit)
    self.log = log
    (observer, capture) = try writer.writeWithoutTransaction { [counter] db in
      let capture = ChangeCapture(
        log: log, limit: limit, requiresDeclaredCollations: requiresDeclaredCollations
      ) { counter.add() }
      let observer = CommitObserver(sequence, on: db)
      try observer.begin(telling: capture, db)
      db.add(transactionObserver: observer, extent: .databaseLifetime)
      return (WriterConfined(observer, on: db), WriterConfined(capture, on: db))
    }
  }

  // MARK: On the writer's queue

  /// Captures columns in addition to those already captured.
  @discardableResult
  func install(_ needs: [CaptureNeed], on db: Database) throws -> [RecordType: CaptureObstacle] {
    try pursue(db) { goal in
      for need in needs { goal.tables[need.table, default: []].formUnion(need.columns) }
    }
  }

  /// Pursues the unchanged goal again, which installs missing triggers.
  @discardableResult
  func verify(on db: Database) throws -> [RecordType: CaptureObstacle] {
    try pursue(db) { _ in }
  }

  func uninstall(keeping kept: Set<RecordType>, on db: Database) throws {
    _ = try pursue(db) { goal in
      goal.tables = goal.tables.filter { kept.contains($0.key) }
      if kept.isEmpty { goal.isWatching = false }
    }
  }

  private func pursue(
    _ db: Database, _ change: (inout CaptureGoal) -> Void
  ) throws -> [RecordType: CaptureObstacle] {
    let goal = known.withLock { known in
      change(&known.goal)
      return known.goal
    }
    guard let state = try capture.value(on: db).pursue(goal, on: db) else { return [:] }
    known.withLock { known in
      known.layouts = state.layouts
      known.goal.tables = known.goal.tables.filter { state.obstacles[$0.key] == nil }
    }
    return state.obstacles
  }

  func look(_ db: Database) -> Bool { capture.value(on: db).look(db) }
  func name(_ db: Database) -> UInt64 { capture.value(on: db).name(db) }

  /// The writer's capture, for an access to the writer.
  func onWriter(_ db: Database) -> ChangeCapture { capture.value(on: db) }

  // MARK: From any thread

  var hasPending: Bool { log.hasPending }
  var lastCommit: UInt64 { log.lastCommit }
  var sequence: CommitSequence { log.sequence }

  func take(through commit: UInt64) -> CapturedChanges {
    log.take(through: commit)
  }

  func covers(_ needs: [CaptureNeed]) -> Bool {
    known.withLock { known in needs.allSatisfy { known.layouts[$0.table]?.covers($0.columns) ?? false } }
  }

  func layout(of table: RecordType) -> CaptureLayout? { known.withLock { $0.layouts[table] } }

  func follow(tables: Set<String>) {
    known.withLock { $0.goal.followedTables = tables }
    log.followed.replace(by: tables)
  }
}
