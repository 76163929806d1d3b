import GRDB
import Sanderling

extension ReadTransaction {
  func run(_ sql: String, _ values: [StorageValue], row: (ResultRow) throws -> Void = { _ in }) throws {
    try run(sql, bind: { try $0.bind(values) }, row: row)
  }

  /// Whether the query returns a row.
  func isFound(_ sql: String, _ values: [StorageValue]) throws -> Bool {
    var isFound = false
    try run(sql, values) { _ in isFound = true }
    return isFound
  }

  /// The number that a SELECT returns.
  func count(_ sql: String) throws -> Int {
    var count = 0
    try run(sql, []) { count = Int(try $0.integer(at: 0, for: Int64.self)) }
    return count
  }

  /// The truth value that a SELECT returns.
  func isTrue(_ sql: String, _ values: [StorageValue]) throws -> Bool {
    var isTrue = false
    try run(sql, values) { isTrue = try $0.integer(at: 0, for: Int64.self) != 0 }
    return isTrue
  }
}

extension WriteTransaction {
  /// Whether a statement itself changed a row, not counting triggers and cascades.
  func changes(_ sql: String, _ values: [StorageValue]) throws -> Bool {
    try countingChanges { try run(sql, values) } > 0
  }
}

extension ResultRow {
  /// A text from the synchronisation's own tables.
  func text(at index: Int32) throws -> String { try text(at: index, for: String.self) }

  func optionalText(at index: Int32) throws -> String? { try isNull(at: index) ? nil : text(at: index) }
}
