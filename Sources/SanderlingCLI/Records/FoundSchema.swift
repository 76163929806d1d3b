import GRDB
import Sanderling
import SanderlingSQL

/// The tables and views of an existing database that belong to an app, without those of SQLite, of GRDB and of stores.
struct FoundSchema {
  /// The tables and views that can be read, in the order of their names.
  let tables: [FoundTable]
  /// The tables and views that can't be read here.
  let unusable: [UnusableObject]

  /// - Parameter rows: The number of rows of each table that are read for their values.
  /// - Throws: Errors that concern no table, such as those of a lock.
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
  /// The object and the reason, as one sentence without its end.
  var sentence: String { "the \(kind) \(name.printableName) can't be read: \(reason.printable)" }
}
