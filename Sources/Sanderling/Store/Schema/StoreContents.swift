import GRDB

/// Writes the first rows of a database.
typealias StoreSeed = @Sendable (WriteTransaction) throws -> Void

/// What a database has besides the tables of its records, and how it comes there.
struct StoreContents: Sendable {
  var migrator: DatabaseMigrator?
  var extras: DatabaseMigrator?
  var seed: StoreSeed?
}
