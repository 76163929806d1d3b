import GRDB
import SanderlingSQL

/// A sample of a table's values, in the columns of a record's properties.
///
/// The rows are read from both ends of the table's tree, so that the cost doesn't depend on the number of rows.
struct TableSample {
  /// The number of rows that are read from each end.
  static let rowsAtEachEnd = 16

  /// The values of one column, without NULL.
  struct Column {
    /// The number of values.
    fileprivate(set) var count = 0
    /// The values of another form than the column's.
    fileprivate(set) var others: [StorageValue] = []
  }

  private(set) var columns: [FoldedName: Column] = [:]

  /// Reads the sample.
  ///
  /// - Parameter includes: Whether a value has the column's form.
  init(
    _ declared: [DeclaredColumn], of table: ActualTable, _ db: Database,
    includes: (DeclaredColumn, StorageValue) -> Bool
  ) throws {
    let declared = declared.filter { !$0.isFolded && table.column($0.name) != nil }
    guard !declared.isEmpty else { return }
    for sql in try Self.statements(declared, of: table, db) {
      for row in try Row.fetchAll(db, sql: sql) {
        for (index, column) in declared.enumerated() {
          let className: String = row[2 * index]
          guard className != "null" else { continue }
          let isOwnClass = !column.form.needsValues && className == column.form.className
          let value = StorageValue(row[2 * index + 1] as DatabaseValue)
          columns[column.name.folded, default: Column()].count += 1
          if !isOwnClass && !includes(column, value) {
            columns[column.name.folded, default: Column()].others.append(value)
          }
        }
      }
    }
  }

  /// The statements that read the rows. Each reads along a tree and stops at the limit.
  static func statements(_ declared: [DeclaredColumn], of table: ActualTable, _ db: Database) throws -> [String] {
    let name = table.name.quotedIdentifier
    let columns = declared.map { column in
      let value = "\(name).\(column.name.quotedIdentifier)"
      return column.form.needsValues
        ? "typeof(\(value)), CASE WHEN typeof(\(value)) = 'text' THEN substr(\(value), 1, 100) "
          + "WHEN typeof(\(value)) = 'blob' AND length(\(value)) > 100 THEN zeroblob(100) ELSE \(value) END"
        : "typeof(\(value)), CASE typeof(\(value)) WHEN '\(column.form.className)' THEN NULL ELSE \(value) END"
    }
    let select = "SELECT \(columns.joined(separator: ", ")) FROM main.\(name)"
    let limit = "LIMIT \(rowsAtEachEnd)"
    guard let order = try order(of: table, db) else { return ["\(select) \(limit)"] }
    return [false, true].map { isReversed in
      let terms = order.map { $0.sql + ($0.isDescending == isReversed ? "" : " DESC") }
      return "\(select) ORDER BY \(terms.joined(separator: ", ")) \(limit)"
    }
  }

  /// The order of the table's tree; nil if statements can't express it.
  private static func order(of table: ActualTable, _ db: Database) throws -> [(sql: String, isDescending: Bool)]? {
    guard table.syntax.isWithoutRowID else { return table.columns.freeRowIDName.map { [($0, false)] } }
    let reader = TableReader(table.name, db)
    guard let key = try reader.indexes().first(where: \.isKey) else { return nil }
    let terms = try reader.terms(of: key)
    // The connection may lack an app's collations.
    guard terms.allSatisfy({ $0.column != nil && Collation(rawValue: $0.collation.uppercased()) != nil }) else {
      return nil
    }
    return terms.map { ("\(($0.column ?? "").quotedIdentifier) COLLATE \($0.collation)", $0.isDescending) }
  }
}
