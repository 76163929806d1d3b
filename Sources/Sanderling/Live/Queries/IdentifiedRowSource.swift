import GRDB

/// The first rows of a rerun query, for code that decodes their elements. The leading columns that identify each row
/// are kept here and hidden from that code.
final class IdentifiedRowSource: ResultRowSource {
  private let statement: IdentifiedStatement
  private let columnCount: Int
  private let limit: Int
  private let db: Database
  /// The identity of each row, and a number that changes with its selected columns.
  private var read: [(key: RowKey, version: UInt64)] = []
  /// Whether there are rows after the first ones.
  private(set) var hasMore = false

  init(_ statement: IdentifiedStatement, columnCount: Int, limit: Int, _ db: Database) {
    self.statement = statement
    self.columnCount = columnCount
    self.limit = limit
    self.db = db
  }

  /// The stamp of a row that was read.
  ///
  /// - Parameter fingerprint: The fingerprint of the row's prefetched rows; nil for none.
  func stamp(_ index: Int, _ fingerprint: UInt64? = nil) -> RowStamp {
    var stamp = RowStamp(key: read[index].key, version: read[index].version)
    if let fingerprint { stamp.combineVersion(fingerprint) }
    return stamp
  }

  func forEachRow(_ body: (ResultRow) throws -> Void) throws {
    var occurrences: [RowKey: Int64] = [:]
    try db.forEachRow(of: statement.sql.sql, limit: limit < .max ? limit + 1 : limit) {
      try $0.bind(statement.sql.arguments)
    } row: { row in
      // The row beyond the window is not decoded, so it may be unreadable.
      if read.count == limit {
        hasMore = true
        return
      }
      let output = row.advanced(by: Int32(statement.keyCount))
      // Rows without a key are identified by their values.
      let columnCount = min(columnCount, output.columnCount)
      let identity = statement.keyCount > 0 ? 0..<statement.keyCount : 0..<columnCount
      var values = identity.map { row.storageValue(at: Int32($0)) }
      let occurrence = occurrences[RowKey(values), default: 0]
      occurrences[RowKey(values)] = occurrence + 1
      if occurrence > 0 || statement.keyCount == 0 { values.append(.integer(occurrence)) }
      read.append((RowKey(values), output.fingerprint(columnCount)))
      try body(output)
    }
  }
}
