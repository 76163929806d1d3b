import GRDB
import SanderlingSQL

/// A foreign key in the database. Its table need not be a record's.
struct TableReference {
  let table: String
  let columns: [String]
  let parent: String
  let parentColumns: [String]
  /// Whether changes of parent rows change rows of the table, by CASCADE, SET NULL or SET DEFAULT.
  let changesRows: Bool

  static func all(_ db: Database) throws -> [TableReference] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT child.name, reference.id, reference."table", reference."from", reference."to", reference.on_update,
          reference.on_delete
        FROM main.sqlite_schema AS child, pragma_foreign_key_list(child.name, 'main') AS reference
        WHERE child.type = 'table' ORDER BY child.name, reference.id, reference.seq
        """)
    var references: [[Row]] = []
    for row in rows {
      if let last = references.last?.first, last[0] as String == row[0] as String, last[1] as Int == row[1] as Int {
        references[references.count - 1].append(row)
      } else {
        references.append([row])
      }
    }
    return try references.map { rows in
      let parent: String = rows[0][2]
      var parentColumns = rows.compactMap { $0[4] as String? }
      if parentColumns.isEmpty { parentColumns = try keyColumns(of: parent, db) }
      let actions = ["CASCADE", "SET NULL", "SET DEFAULT"]
      return TableReference(
        table: rows[0][0], columns: rows.map { $0[3] }, parent: parent, parentColumns: parentColumns,
        changesRows: actions.contains(rows[0][5]) || actions.contains(rows[0][6]))
    }
  }

  static func keyColumns(of table: String, _ db: Database) throws -> [String] {
    try TableReader(table, db).columns().key.map(\.name)
  }
}
