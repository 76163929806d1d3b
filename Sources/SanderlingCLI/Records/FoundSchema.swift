import GRDB
import Sanderling
import SanderlingSQL

/// The app's own tables and views in an existing database. Those of SQLite, GRDB and stores are left out.
struct FoundSchema {
  /// The readable tables and views, sorted by name.
  let tables: [FoundTable]
  /// The tables and views that can't be read here.
  let unusable: [UnusableObject]

  /// - Parameter rows: The number of rows of each table to read for their values.
  /// - Throws: Errors that don't concern a single table, such as a lock.
  init(_ db: Database, rows: Int) throws {
    let schema = try SchemaReader(db)
    let found = try schema.each { listed, reader in
      Self.isOfApp(listed.name) ? try FoundTable(listed, reader, schema, db, rows: rows) : nil
    }
    unusable = found.unusable.filter { Self.isOfApp($0.name) }
    tables = found.read.compactMap { $0 }
  }

  /// The tables in which virtual tables that can't be read keep their data. SQLite itself leaves out those of other
  /// virtual tables.
  var parts: [(table: String, owner: String)] {
    let owners = unusable.filter { $0.kind == "virtual table" }.map(\.name)
    return tables.filter { $0.kind == .table }.compactMap { table in
      owners.first { Self.isPart(table.name, of: $0) }.map { (table.name, $0) }
    }
  }

  private static func isOfApp(_ name: String) -> Bool {
    !["grdb_migrations", "sanderling_"].contains { name.lowercased().hasPrefix($0) }
  }

  /// Whether a table has the name of a table with a virtual table's data: those of SQLite's own modules.
  private static func isPart(_ table: String, of owner: String) -> Bool {
    let names = [
      "config", "content", "data", "docsize", "idx", "node", "parent", "rowid", "segdir", "segments", "stat",
    ]
    return names.contains { "\(owner)_\($0)".folded == table.folded }
  }
}

extension UnusableObject {
  /// The object and the reason, as a sentence without its period.
  var sentence: String { "the \(kind) \(name.printableName) can't be read: \(reason.printable)" }
}
