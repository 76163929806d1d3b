import GRDB
import Sanderling
import SanderlingSQL

/// A record's actual table in the database, with the synchronisation's own tables for it. A class, because every row
/// uses it.
final class SyncTable: Sendable {
  /// Columns with the key of another row.
  struct Reference: Sendable {
    let parent: String
    let columns: [String]
    let parentColumns: [String]
    /// The action of the reference when the other row is deleted, in SQL.
    let onDelete: String

    /// Finds a parent by the values of ``parentColumns``.
    var probe: String {
      let conditions = parentColumns.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
      return "SELECT 1 FROM main.\(parent.quotedIdentifier) WHERE \(conditions) LIMIT 1"
    }

    /// The parent and its columns as one text, equal for all references to them.
    var target: String { Self.target(parent, parentColumns.map(\.folded)) }

    static func target(_ parent: String, _ columns: [FoldedName]) -> String {
      StoredJSON.text(([parent.folded] + columns).map { .text($0.text) })
    }
  }

  let record: SyncedRecord
  let references: [Reference]
  /// The positions of the record's columns, by name.
  let places: [String: Int]
  let keyNames: [String]
  /// The columns that convert some values of the record when they store them, by position; nil for all others.
  private let changing: [(affinity: Affinity, type: String)?]
  /// The table's generated columns, which the record doesn't have.
  let generated: [FoldedName: RecordColumn]
  private let createVersions: String
  private let keyDefinitions: [String]
  private let keyTypes: [String]

  var table: RecordTable { record.table }
  var name: String { record.synced.quotedName }
  private var extraName: String { "sanderling_sync_extra_\(table.name)" }
  var extra: String { extraName.quotedIdentifier }
  var seen: String { record.synced.seen }

  /// - Throws: ``SyncError/invalidRecords(_:)``, and errors of the database.
  init(_ record: SyncedRecord, _ db: Database) throws {
    self.record = record
    let table = record.table
    // Sources name columns by Swift texts, which compare composed and decomposed letters as equal.
    guard Set(table.columns.map(\.name)).count == table.columns.count else {
      throw SyncError.invalidRecords(
        "two columns of \(record.name) have names that differ only in their Unicode scalars: rename one column")
    }
    places = Dictionary(uniqueKeysWithValues: table.columns.enumerated().map { ($1.name, $0) })
    keyNames = table.keyColumns.map(\.name)
    let reader = TableReader(table.name, db)
    let columns = try reader.columns()
    let isStrict = try reader.isStrict()
    changing = table.columns.map { column in
      guard let type = columns.named(column.name)?.type else { return nil }
      let affinity = Affinity(declaredType: type, inStrictTable: isStrict)
      return affinity.keepsAll(of: column.type) ? nil : (affinity, type)
    }
    let own = Set(table.columns.map(\.name.folded))
    generated = Dictionary(
      uniqueKeysWithValues: columns.filter { $0.isGenerated && !own.contains($0.name.folded) }.map {
        ($0.name.folded, SyncedRecord.column($0, isNotNull: false, inStrictTable: isStrict))
      })
    createVersions = record.synced.createVersions(columns)
    // With the affinity of the key's columns; otherwise they would be compared with each row.
    keyDefinitions = record.synced.keyDefinitions(columns)
    keyTypes = record.synced.keyTypes(columns)
    references = try reader.foreignKeys().map { reference in
      let columns = reference.parentColumns.isEmpty ? try Self.key(of: reference.parent, db) : reference.parentColumns
      return Reference(
        parent: reference.parent, columns: reference.columns, parentColumns: columns, onDelete: reference.onDelete)
    }
  }

  /// The reason why the column at a position can't store a value; nil if it can. Contains no value.
  ///
  /// - Parameter isField: Whether the value comes from a file that knows only texts.
  func misfit(_ value: StorageValue, at place: Int, isField: Bool = false) -> String? {
    let column = table.columns[place]
    if let reason = column.misfit(value) {
      guard isField, column.holdsBlobs, case .text(let text) = value else { return reason }
      return column.misfit(ofBlobField: text)
    }
    guard let (affinity, type) = changing[place], !affinity.keeps(value) else { return nil }
    return
      "the column's type, \(type), would change the value. Declare the column \(table.columns[place].type.rawValue)"
  }

  /// The columns that a reference without columns refers to.
  private static func key(of table: String, _ db: Database) throws -> [String] {
    try TableReader(table, db).columns().key.map(\.name)
  }
}

// MARK: - Statements

extension SyncTable {
  /// `"a" = ? AND "b" = ?`, by the record's key.
  var keyCondition: String { keyNames.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ") }
  /// The key's columns in the synchronisation's own tables.
  var keyAliases: [String] { record.synced.keyNames }

  private var aliases: String { keyAliases.joined(separator: ", ") }
  private var aliasCondition: String { keyAliases.map { "\($0) = ?" }.joined(separator: " AND ") }
  private var keyParameters: String { repeatElement("?", count: keyNames.count).joined(separator: ", ") }

  var exists: String { "SELECT 1 FROM main.\(name) WHERE \(keyCondition)" }
  /// The way to write a table's rows: the ``RowStatements/Form`` for transactions that may be rolled back. It depends
  /// on the table's triggers and, because pages are always copied for them, its references.
  static let form = """
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE) \
    AND NOT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE) THEN 0 \
    WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1, 'main')) THEN 1 ELSE 2 END
    """
  func select(_ column: String) -> String {
    "SELECT \(column.quotedIdentifier) FROM main.\(name) WHERE \(keyCondition)"
  }
  var delete: String { "DELETE FROM main.\(name) WHERE \(keyCondition)" }
  /// Gives a row another value in a column.
  func setAside(_ column: String) -> String {
    "UPDATE main.\(name) SET \(column.quotedIdentifier) = ? WHERE \(keyCondition)"
  }
  var deleteExtra: String { "DELETE FROM main.\(extra) WHERE \(aliasCondition)" }
  var isSeen: String { "SELECT 1 FROM main.\(seen) WHERE \(aliasCondition)" }
  var deleteSeen: String { "DELETE FROM main.\(seen) WHERE \(aliasCondition)" }
  var selectExtra: String { "SELECT json FROM main.\(extra) WHERE \(aliasCondition)" }

  /// Some rows with values for unknown columns, after a key.
  func selectExtras(behindKey: Bool) -> String {
    let condition = behindKey ? " WHERE (\(aliases)) > (\(keyParameters))" : ""
    return "SELECT \(aliases), json FROM main.\(extra)\(condition) ORDER BY \(aliases) LIMIT ?"
  }

  var writeExtra: String {
    "INSERT INTO main.\(extra) (\(aliases), json) VALUES (\(keyParameters), ?) "
      + "ON CONFLICT (\(aliases)) DO UPDATE SET json = excluded.json WHERE json IS NOT excluded.json"
  }

  var noteSeen: String { record.synced.noteSeen }

  /// Deletes some of the recorded keys.
  var forgetSeen: String {
    "DELETE FROM main.\(seen) WHERE (\(aliases)) IN (SELECT \(aliases) FROM main.\(seen) LIMIT ?)"
  }

  /// Keys of rows that the restarted source didn't name, after a key.
  ///
  /// - Parameter withoutVersion: Only rows without a version of the source.
  func unseen(behindKey: Bool, withoutVersion: Bool = false) -> String {
    let columns = keyNames.quotedIdentifiers
    let isSeen = zip(keyAliases, keyNames).map { "\($0) = main.\(name).\($1.quotedIdentifier)" }
      .joined(separator: " AND ")
    let rest =
      (behindKey ? "(\(columns)) > (\(keyParameters)) AND " : "")
      + (withoutVersion ? "NOT EXISTS (SELECT 1 FROM main.\(record.synced.versions) WHERE \(isSeen)) AND " : "")
    return "SELECT \(columns) FROM main.\(name) WHERE \(rest)NOT EXISTS "
      + "(SELECT 1 FROM main.\(seen) WHERE \(isSeen)) ORDER BY \(columns) LIMIT ?"
  }

  /// Locally deleted rows that the restarted source didn't name, after a number of the outbox.
  var unseenDeletions: String {
    let synced = record.synced
    let isSeen = keyAliases.map { "seen.\($0) = entry.\($0)" }.joined(separator: " AND ")
    let key = keyAliases.map { "entry.\($0)" }.joined(separator: ", ")
    return "SELECT entry.sequence, \(key) FROM main.\(synced.changes) AS entry "
      + "WHERE entry.sequence > ? AND entry.existed = 1 AND NOT EXISTS (SELECT 1 FROM main.\(seen) AS seen WHERE \(isSeen)) "
      + "AND NOT EXISTS (SELECT 1 FROM main.\(name) AS present WHERE \(synced.rowHasKey("present", of: "entry"))) "
      + "ORDER BY entry.sequence LIMIT ?"
  }

  /// Creates the synchronisation's own tables for the record, or recreates tables whose key had other types.
  func makeTables(_ db: Database) throws {
    try db.execute(sql: createVersions)
    for (name, content) in [(extraName, ", json TEXT NOT NULL"), (record.synced.seenName, "")] {
      let definition = "(\(keyDefinitions.joined(separator: ", "))\(content), PRIMARY KEY (\(aliases))) WITHOUT ROWID"
      let existing = try TableReader(name, db).columns().prefix(keyAliases.count)
      if existing.isEmpty {
        try db.execute(sql: "CREATE TABLE main.\(name.quotedIdentifier) \(definition)")
      } else if existing.map(\.type) != keyTypes {
        let former = "sanderling_sync_former"
        try db.execute(
          sql: """
            CREATE TABLE main.\(former) \(definition);
            INSERT OR IGNORE INTO main.\(former) SELECT * FROM main.\(name.quotedIdentifier);
            DROP TABLE main.\(name.quotedIdentifier);
            """)
        try db.renameTable(former, to: name)
      }
    }
  }
}
