import Sanderling

/// A database before the first live query: its tables, what else belongs to its schema, its rows, and how it is opened.
struct World: Sendable {
  struct Configuration: Sendable {
    var opening: Opening
    var enforcesForeignKeys: Bool
    var hasRecursiveTriggers: Bool
    /// SQLite takes what is in double quotes and no name for a text.
    var acceptsQuotedTexts = false
    /// The least time between two deliveries is the library's own, and not nothing.
    var isSpaced: Bool
    /// The connections stop when the app is suspended.
    var observesSuspension = false
    /// Each connection has another database attached from its beginning.
    var attachesEverywhere = false
    /// The store compares its live results with the database itself, at each commit.
    var isAudited = false

    /// A file with a pool of connections; otherwise in memory, with one.
    var isFile: Bool {
      get { opening.isFile }
      set { opening = newValue ? .pool : .memory }
    }
  }

  var configuration: Configuration
  var tables: [PhysicalTable]
  /// Indexes and triggers.
  var features: [String]
  /// Statements that insert the first rows. Those that fail are left out.
  var rows: [String]
  let pool: ValuePool

  /// The name of a collation that SQLite doesn't have.
  static let ownCollation = "FUZZ"

  /// What the audit triggers write to; no record knows it.
  static let auditTable = "CREATE TABLE audit (number INTEGER PRIMARY KEY, what TEXT, value)"

  func table(of record: any FuzzRecord.Type) -> PhysicalTable? {
    tables.first { $0.record == record }
  }
}
