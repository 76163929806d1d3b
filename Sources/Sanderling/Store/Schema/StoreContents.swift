import GRDB

/// Writes the first rows of a database.
typealias StoreSeed = @Sendable (WriteTransaction) throws -> Void

/// The contents of a database beyond the tables of its records, and the steps that create them.
struct StoreContents: Sendable {
  var migrator: DatabaseMigrator?
  var extras: DatabaseMigrator?
  var seed: StoreSeed?
}
