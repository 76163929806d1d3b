import GRDB
import SanderlingSQL

/// The properties of a table in the database that matter to capture.
package struct CaptureTarget {
  package typealias Column = ActualColumn

  /// Columns that are unique together. Writing a row may replace another row with the same values.
  package struct UniqueKey {
    /// The columns, and how each is compared.
    package let terms: [(column: String, collation: String?)]
    package let isRowID: Bool
    /// The condition of a partial index; nil when all rows are unique.
    package var condition: TableReader.Condition?
  }

  /// The prefix of the names of the temporary triggers of all stores.
  static let temporaryPrefix = "sanderling_capture_"

  package let name: String
  package let columns: [Column]
  package let uniqueKeys: [UniqueKey]
  /// The column that is an alias of the rowid.
  package let rowIDColumn: String?

  /// Reads the properties of a table, and checks whether it can be captured.
  ///
  /// - Throws: ``CaptureTarget/Obstructed`` when it can't, and errors of the database.
  package init(_ table: RecordTable, _ db: Database) throws {
    name = table.name
    let isWithoutRowID = try Self.requireOrdinaryTable(table.name, db)
    let reader = TableReader(table.name, db)
    columns = try reader.columns()
    let indexes = try reader.indexes()
    let keyColumns = columns.filter { $0.keyPosition > 0 }
    let hasKeyIndex = isWithoutRowID || indexes.contains(where: \.isKey)
    rowIDColumn = keyColumns.count == 1 && !hasKeyIndex ? keyColumns[0].name : nil

    var uniqueKeys: [UniqueKey] = []
    if !isWithoutRowID, let name = rowIDColumn ?? columns.freeRowIDName {
      uniqueKeys.append(UniqueKey(terms: [(name, nil)], isRowID: true))
    }
    for index in indexes where index.isUnique {
      let name = index.name.quotedIdentifier
      let condition = index.isPartial ? try reader.condition(of: index) : nil
      if index.isPartial, condition?.readsOrdinaryColumns != true {
        throw Obstructed(
          "its unique index \(name) has a condition on a generated column or the rowid, so that replaced rows can't be found"
        )
      }
      let terms = try reader.terms(of: index).map { (column: $0.column ?? "", collation: Optional($0.collation)) }
      // BEFORE UPDATE triggers see NULL in generated columns of the new row.
      for term in terms where columns.named(term.column).map(\.isGenerated) ?? true {
        throw Obstructed(
          "its unique index \(name) is on an expression or a generated column, so that replaced rows can't be found"
        )
      }
      uniqueKeys.append(UniqueKey(terms: terms, isRowID: false, condition: condition))
    }
    self.uniqueKeys = uniqueKeys
    try requireColumns(table)
  }

  /// The reason why a table can't be captured.
  package struct Obstructed: Error {
    package let obstacle: CaptureObstacle

    init(_ reason: String) {
      obstacle = CaptureObstacle(reason)
    }
  }

  package func column(_ name: String) -> Column? {
    columns.named(name)
  }

  /// Whether an inserted row may get another value than its BEFORE triggers see.
  func isDecidedLate(_ name: String, onInsert: Bool) -> Bool {
    if onInsert, let rowIDColumn, rowIDColumn.folded == name.folded { return true }
    return replacementOfNull(name) != nil
  }

  /// The default value that INSERT OR REPLACE stores in place of NULL.
  private func replacementOfNull(_ name: String) -> String? {
    column(name).flatMap { $0.isNotNull ? $0.defaultSQL : nil }
  }

  /// The SQL in a trigger for the value that a written row gets in a column.
  package func newValue(_ column: String) -> String {
    let value = "NEW.\(column.quotedIdentifier)"
    return replacementOfNull(column).map { "ifnull(\(value), (\($0)))" } ?? value
  }

  /// The conditions for the row called `existing` that the written row may replace.
  package func isReplaced(by unique: UniqueKey) -> [String] {
    let terms = unique.terms.map { column, collation in
      "existing.\(column.quotedIdentifier) = \(newValue(column))\(Self.collate(collation))"
    }
    // The index's condition as written, so that SQLite searches the index. Whether the new row satisfies it is not
    // checked: finding a row that stays unchanged does no harm.
    return terms + (unique.condition.map { ["(\($0.sql))"] } ?? [])
  }

  /// The clause that compares by a collation; empty for the column's own collation.
  static func collate(_ collation: String?) -> String {
    collation.map { " COLLATE \($0.quotedIdentifier)" } ?? ""
  }

  /// Whether the app has temporary triggers on the table. SQLite decides whether they run before or after the triggers
  /// of capture.
  func hasForeignTemporaryTriggers(_ db: Database) throws -> Bool {
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
      arguments: [name])
    return names.contains { !$0.folded.hasPrefix(Self.temporaryPrefix) }
  }
}

// MARK: - Obstacles

extension CaptureTarget {
  /// - Returns: Whether the table is a WITHOUT ROWID table.
  private static func requireOrdinaryTable(_ name: String, _ db: Database) throws -> Bool {
    let shadows = "SELECT 1 FROM temp.sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE"
    if try Row.fetchOne(db, sql: shadows, arguments: [name]) != nil {
      throw Obstructed("a temporary table or view has the same name and hides it")
    }
    guard let row = try Row.fetchOne(db, sql: "PRAGMA main.table_list(\(name.quotedIdentifier))") else {
      throw Obstructed("the database has no such table")
    }
    let type: String = row["type"]
    guard type == "table" else {
      throw Obstructed(type == "view" ? "it is a view" : "it is a \(type) table")
    }
    guard try String.fetchOne(db, sql: "PRAGMA main.encoding") == "UTF-8" else {
      throw Obstructed("the database's texts are not UTF-8")
    }
    return row["wr"]
  }

  /// Checks that the record's columns exist, and that its key is unique.
  private func requireColumns(_ table: RecordTable) throws {
    for column in table.columns where self.column(column.name) == nil {
      throw Obstructed("it has no column \(column.name.quotedIdentifier)")
    }
    let key = Set(table.keyColumns.map(\.name.folded))
    guard uniqueKeys.contains(where: { $0.condition == nil && Set($0.terms.map(\.column.folded)) == key }) else {
      throw Obstructed("the columns of the record's key have no unique index")
    }
  }

  /// Checks the columns' collations. Swift sorts and compares by the collations that the record declares.
  func requireCollations(_ table: RecordTable, _ db: Database) throws {
    for column in table.columns {
      let collation = self.column(column.name)?.collation ?? Collation.binary.rawValue
      guard collation.folded == column.collation.rawValue.folded else {
        throw Obstructed(
          "its column \(column.name.quotedIdentifier) has the collation \(collation), which the record doesn't declare")
      }
    }
  }

  /// The columns whose values the database converts differently from the record's declaration.
  func looseColumns(_ table: RecordTable) -> Set<Int> {
    Set(
      table.columns.indices.filter { index in
        let declared = table.columns[index].type.affinity
        guard let type = column(table.columns[index].name)?.type else { return false }
        let actual = Affinity(declaredType: type)
        // Comparisons treat all numeric affinities alike.
        return actual != declared && !(actual.isNumeric && declared.isNumeric)
      })
  }
}
