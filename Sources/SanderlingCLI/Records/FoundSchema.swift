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
    tables = found.read.compactMap { $0 }
    unusable = found.unusable.filter { Self.isOfApp($0.name) }
  }

  private static func isOfApp(_ name: String) -> Bool {
    !["grdb_migrations", "sanderling_"].contains { name.lowercased().hasPrefix($0) }
  }
}

extension UnusableObject {
  /// The object and the reason, as a sentence without its period.
  var sentence: String { "the \(kind) \(name.printableName) can't be read: \(reason.printable)" }
}
