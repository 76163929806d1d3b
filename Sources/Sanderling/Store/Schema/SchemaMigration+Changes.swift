import GRDB
import SanderlingSQL

extension SchemaMigration {
  /// Makes the changes. The connection must not enforce foreign keys, so that tables can be rebuilt.
  ///
  /// - Throws: ``StoreError/schemaMismatch(_:)`` if a new reference has rows without a parent.
  static func apply(_ changes: [SchemaChange], in db: Database) throws {
    var rebuilds: [(table: String, edits: [TableEdit])] = []
    for case .rebuild(let table, let edit) in changes {
      if let index = rebuilds.firstIndex(where: { $0.table.isIdentical(to: table) }) {
        rebuilds[index].edits.append(edit)
      } else {
        rebuilds.append((table, [edit]))
      }
    }
    let rebuilt = rebuilds.map(\.table)
    let violationsBefore = try violations(of: rebuilt, in: db)
    for case .dropTrigger(let name) in changes { try db.execute(sql: "DROP TRIGGER \(name.quotedIdentifier)") }
    for case .dropIndex(let name) in changes { try db.execute(sql: "DROP INDEX \(name.quotedIdentifier)") }
    for case .dropTable(let name) in changes { try db.execute(sql: "DROP TABLE \(name.quotedIdentifier)") }
    for case .createTable(let table) in changes { try db.execute(sql: table.sql) }
    for case .addColumn(let table, let definition) in changes {
      try db.execute(sql: "ALTER TABLE \(table.quotedIdentifier) ADD COLUMN \(definition)")
    }
    for rebuild in rebuilds { try TableRebuild.run(db, table: rebuild.table, rebuild.edits) }
    for case .createIndex(let index) in changes { try db.execute(sql: index.sql) }
    for case .createTrigger(let trigger) in changes { try db.execute(sql: trigger.sql) }
    var renewed: [(table: String, texts: DerivedTexts)] = []
    for case .makeSearchTables(let index) in changes {
      for table in index.tables { try db.execute(sql: table.sql) }
      renewed.append((index.table, .documents(index)))
    }
    for case .deriveAgain(let table, let texts) in changes where !renewed.contains(where: { $0 == (table, texts) }) {
      renewed.append((table, texts))
    }
    for (table, texts) in renewed {
      for sql in texts.renewalSQL(in: table) { try db.execute(sql: sql) }
    }
    try check(try violations(of: rebuilt, in: db), against: violationsBefore)
  }

  private struct Reference: Hashable {
    let table: String
    let parent: String

    static func == (lhs: Reference, rhs: Reference) -> Bool {
      lhs.table.isIdentical(to: rhs.table) && lhs.parent.isIdentical(to: rhs.parent)
    }
  }

  /// The numbers of rows with a dangling reference, in the tables and in the tables that refer to them.
  private static func violations(of tables: [String], in db: Database) throws -> [Reference: Int] {
    var checked: [FoldedName: String] = [:]
    for table in tables {
      let children = try String.fetchAll(
        db,
        sql: """
          SELECT child.name FROM main.sqlite_schema AS child, pragma_foreign_key_list(child.name) AS reference
          WHERE child.type = 'table' AND reference."table" = ? COLLATE NOCASE
          """, arguments: [table])
      for name in [table] + children { checked[name.folded] = name }
    }
    var violations: [Reference: Int] = [:]
    for table in checked.values.sorted() {
      for row in try rowsWithoutParents(of: table, in: db) {
        violations[Reference(table: row[0], parent: row[2]), default: 0] += 1
      }
    }
    return violations
  }

  private static func rowsWithoutParents(of table: String, in db: Database) throws -> [Row] {
    do {
      return try Row.fetchAll(db, sql: "PRAGMA main.foreign_key_check(\(table.quotedIdentifier))")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A reference to columns that are no key can't be checked, neither before the changes nor after them.
      return []
    }
  }

  private static func check(_ violations: [Reference: Int], against before: [Reference: Int]) throws {
    let differences = violations.filter { $0.value > before[$0.key, default: 0] }
      .sorted { $0.key.table < $1.key.table }
      .map { reference, count in
        SchemaPlan.Difference.refused(
          reference.table,
          "\(count) \(count == 1 ? "row refers" : "rows refer") to no row of \(reference.parent.quotedIdentifier)",
          because: "The reference is new. Delete or correct these rows in an explicit step.")
      }
    if !differences.isEmpty { throw StoreError.schemaMismatch(SchemaPlan(differences: differences)) }
  }
}
