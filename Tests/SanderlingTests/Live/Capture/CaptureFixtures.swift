import Foundation
import GRDB
import Testing

@testable import Sanderling

// Records for the tables of capture's tests. The tables themselves are written by hand, as an app's own are.

/// A row whose key SQLite assigns.
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

/// A row whose key is of two columns.
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
  let commits = CommitObserver(capture: ChangeCapture(requiresDeclaredCollations: false))
  var capture: ChangeCapture { commits.capture }

  /// - Parameter sql: Makes the tables.
  init(_ sql: String, path: String? = nil) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue =
      try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
      ?? DatabaseQueue(configuration: configuration)
    queue.add(transactionObserver: commits, extent: .databaseLifetime)
    try run(sql)
  }

  func run(_ sql: String) throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// Runs statements of which some may fail.
  func attempt(_ statements: String...) {
    queue.inDatabase { db in
      for statement in statements { try? db.execute(sql: statement) }
    }
  }

  /// Captures all columns of the records' tables.
  @discardableResult
  func install(_ records: any StoredRecord.Type...) throws -> [String: String] {
    let needs = records.map { CaptureNeed(table: RecordType($0), columns: Set($0.table.columns.indices)) }
    let obstacles = try queue.writeWithoutTransaction { try capture.install(needs, on: $0) }
    return Dictionary(uniqueKeysWithValues: obstacles.map { ($0.key.table.name, $0.value.description) })
  }

  /// Takes all, that of commits included whose end nobody told.
  func take() -> CapturedChanges {
    let commit = queue.inDatabase { capture.name(onWriter: $0) }
    return capture.take(through: commit)
  }

  /// What was captured of a table, in order: the key, and the old values or "none".
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
