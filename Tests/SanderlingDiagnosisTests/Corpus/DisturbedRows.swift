import Foundation
import SanderlingDiagnosis

/// Copies of a schema's database with fewer and changed rows: NULLs, ties, rows without parents and parents without
/// rows. No code of the diagnosis makes them.
struct DisturbedRows {
  private let worlds: [CorpusConnection]

  /// Disturbs copies of the database at a path. O(rows).
  init(path: String) throws {
    var worlds: [CorpusConnection] = []
    for world in 1...3 {
      let connection = try CorpusConnection(path: "")
      try connection.execute(
        "PRAGMA foreign_keys = OFF; ATTACH '\(path)' AS source; BEGIN")
      for (table, sql) in try Self.objects("table", on: connection) {
        // Virtual tables create their own tables. The rows of virtual tables aren't disturbed.
        guard (try? connection.execute(sql)) != nil, !sql.uppercased().hasPrefix("CREATE VIRTUAL") else { continue }
        try? Self.fill(table, world: world, on: connection)
      }
      for (_, sql) in try Self.objects("index", on: connection) + Self.objects("view", on: connection) {
        try? connection.execute(sql)
      }
      try connection.execute("COMMIT; DETACH source")
      worlds.append(connection)
    }
    self.worlds = worlds
  }

  private static func objects(_ type: String, on connection: CorpusConnection) throws -> [(name: String, sql: String)] {
    try connection.run(
      """
      SELECT name, sql FROM source.sqlite_master WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY sql NOT LIKE 'CREATE VIRTUAL%', rowid
      """, [.text(type)], keepsRows: true
    ).rows.compactMap { row in
      if case .text(let name) = row[0], case .text(let sql) = row[1] { (name, sql) } else { nil }
    }
  }

  /// Copies a part of the rows, and changes values outside the primary key. A fifth of them become the values of other
  /// rows. In all worlds but the first, another fifth become NULL, if their columns accept NULL.
  private static func fill(_ table: String, world: Int, on connection: CorpusConnection) throws {
    let columns = try connection.run(
      "SELECT name, \"notnull\", pk, hidden FROM pragma_table_xinfo(?)", [.text(table)], keepsRows: true
    ).rows.compactMap { row -> (name: String, isKey: Bool, isRequired: Bool)? in
      guard case .text(let name) = row[0], case .integer(0) = row[3] else { return nil }
      return ("\"\(name)\"", row[2] != .integer(0), row[1] != .integer(0))
    }
    guard
      case .integer(let count) = try connection.run("SELECT count(*) FROM source.\"\(table)\"", keepsRows: true).rows[
        0][0]
    else { return }
    let step = max(1, count / 400)
    let names = columns.map(\.name).joined(separator: ", ")
    try connection.execute(
      """
      CREATE TEMP TABLE part AS SELECT *, row_number() OVER () AS "part number" FROM (
        SELECT \(names) FROM source."\(table)") WHERE true;
      DELETE FROM part WHERE "part number" % \(step) <> \(Int64(world) % step);
      UPDATE part SET "part number" = rowid;
      """)
    for (place, column) in columns.enumerated() where !column.isKey {
      let choice = "abs((\"part number\" * 2654435761 + \(place * 40_503 + world * 977)) >> 7) % 10"
      let other = "(SELECT o.\(column.name) FROM part o WHERE o.rowid >= part.rowid / 2 LIMIT 1)"
      if world > 1, !column.isRequired {
        try connection.execute("UPDATE part SET \(column.name) = NULL WHERE \(choice) IN (0, 1)")
      }
      try connection.execute("UPDATE part SET \(column.name) = \(other) WHERE \(choice) IN (2, 3)")
    }
    try connection.execute(
      "INSERT OR IGNORE INTO main.\"\(table)\" (\(names)) SELECT \(names) FROM part; DROP TABLE part")
  }

  func parameterCount(of sql: String) throws -> Int {
    // A statement that reads a table of a fix can't be compared.
    (try? worlds[0].parameterCount(sql)) ?? -1
  }

  /// The difference between the results of a statement and of its replacement, with its own values and with NULL; nil
  /// if there is none. Ties may fall either way in a limited result or one that `isOpen`, so only its number of rows is
  /// compared.
  func difference(_ statement: CorpusStatement, _ replacement: String, isOpen: Bool = false) throws -> String? {
    for (world, connection) in worlds.enumerated() {
      for own in statement.executions {
        for values in [own, own.map { _ in CorpusValue.null }] {
          let before = try connection.run(statement.sql, values)
          let after: CorpusConnection.Execution
          do {
            after = try connection.run(replacement, values)
          } catch let failure as CorpusConnection.Failure where failure.description.contains("fts5: syntax error") {
            // NULL is no full-text query. Whether a statement runs the query depends on its plan.
            continue
          }
          let isOpen = isOpen || statement.sql.uppercased().contains("LIMIT")
          if before.rowCount != after.rowCount || !isOpen && before.digest != after.digest {
            return "\(before.rowCount) rows became \(after.rowCount) in world \(world + 1) with \(values)"
          }
        }
      }
    }
    return nil
  }
}
