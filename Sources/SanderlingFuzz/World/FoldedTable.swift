import GRDB
import Sanderling

/// The stored folds of one column.
struct FoldedTable: Sendable {
  let table: String
  private let text: String
  private let folded: String

  /// The tables of all searchable columns of a record.
  static func all(of record: any FuzzRecord.Type) -> [FoldedTable] {
    record.table.folded.map { column in
      FoldedTable(
        table: record.table.name, text: "\(record.table.name).\(column.textName.quotedIdentifier)",
        folded: "\(record.table.name).\(column.name.quotedIdentifier)")
    }
  }

  static let all = fuzzRecords.flatMap { all(of: $0) }

  /// The number of rows waiting to be folded; nil if it is unknown, for example while a table or a column is missing.
  static func pendingCount(of tables: [FoldedTable] = all, _ db: Database) -> Int? {
    var count = 0
    for each in tables {
      let sql = "SELECT COUNT(*) FROM main.\(each.table) WHERE \(each.folded) IS X''"
      guard let found = try? Int.fetchOne(db, sql: sql) else { return nil }
      count += found
    }
    return count
  }

  /// The folds of a table's texts, by the rows' keys.
  struct Folds {
    var all: [[StorageValue]: [StorageValue]] = [:]
    /// The texts that wait to be folded.
    var pending: Set<Place> = []

    /// A text of a row.
    struct Place: Hashable {
      let key: [StorageValue]
      let column: Int
    }

    subscript(place: Place) -> StorageValue? { all[place.key]?[place.column] }
  }

  /// The folds of all rows' texts, and the texts waiting to be folded; nil while a table or a column is missing.
  static func folds(of record: any FuzzRecord.Type, _ db: Database) -> Folds? {
    let (tables, keys) = (all(of: record), record.table.keyColumns.map(\.name.quotedIdentifier))
    let columns = keys + tables.flatMap { ["\(TextReference.function)(\($0.text))", "\($0.folded) IS X''"] }
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM main.\(record.table.name)"
    guard let rows = try? Row.fetchAll(db, sql: sql) else { return nil }
    var folds = Folds()
    for row in rows {
      let values = Array(row.databaseValues).map { StorageValue($0) }
      let key = Array(values.prefix(keys.count))
      let texts = Array(values.dropFirst(keys.count))
      folds.all[key] = tables.indices.map { texts[2 * $0] }
      for column in tables.indices where texts[2 * column + 1] == .integer(1) {
        folds.pending.insert(Folds.Place(key: key, column: column))
      }
    }
    return folds
  }

  /// The problem with folds that will not be computed again; nil if there is none.
  static func problem(_ db: Database) -> String? {
    for each in all {
      let fold = "CAST(\(TextReference.function)(\(each.text)) AS TEXT)"
      let sql = """
        SELECT quote(CAST(\(each.text) AS BLOB)), quote(CAST(\(each.folded) AS BLOB)) FROM main.\(each.table)
        WHERE \(each.folded) IS NOT X'' AND \(each.folded) IS NOT \(fold) LIMIT 1
        """
      // A missing table or column can't be compared.
      guard let row = try? Row.fetchOne(db, sql: sql) else { continue }
      let bytes = Array(row.databaseValues)
      return "\(each.folded) is \(bytes[1]) where the text is \(bytes[0])"
    }
    return nil
  }

  /// Whether the database has triggers of the app, which may write each time a text is folded.
  static func hasAppTriggers(_ db: Database) -> Bool { hasTriggers(named: ["app_*"], db) }

  /// Whether the database has triggers that may fail after a row was written: those of the app, and those that touch a
  /// row, whose new version may violate a unique index.
  static func hasFailingTriggers(_ db: Database) -> Bool { hasTriggers(named: ["app_*", "sanderling_touch_*"], db) }

  private static func hasTriggers(named patterns: [String], _ db: Database) -> Bool {
    let triggers = "SELECT type, name FROM sqlite_schema UNION ALL SELECT type, name FROM sqlite_temp_schema"
    let isNamed = patterns.map { "name GLOB '\($0)'" }.joined(separator: " OR ")
    let found = try? Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM (\(triggers)) WHERE type = 'trigger' AND (\(isNamed)))")
    return found ?? true
  }
}
