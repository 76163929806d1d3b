import Sanderling

/// A database before the first live query: its schema, its rows, and the way in which it is opened.
struct World: Sendable {
  struct Configuration: Sendable {
    var opening: Opening
    var enforcesForeignKeys: Bool
    var hasRecursiveTriggers: Bool
    /// Whether SQLite treats a double-quoted word that is no name as a text.
    var acceptsQuotedTexts = false
    /// Whether the least time between two deliveries is the library's own; otherwise it is zero.
    var isSpaced: Bool
    /// Whether the connections stop while the app is suspended.
    var observesSuspension = false
    /// Whether each connection has another database attached from the beginning.
    var attachesEverywhere = false
    /// Whether the store compares its live results with the database at each commit.
    var isAudited = false
    /// Whether the store notices outside changes by itself. Otherwise the round asks it to.
    var detectsOutsideChanges = false

    /// Whether the database is a file; otherwise it is in memory. Setting it chooses a pool or a queue in memory.
    var isFile: Bool {
      get { opening.isFile }
      set { opening = newValue ? .pool : .memory }
    }
  }

  var configuration: Configuration
  var tables: [PhysicalTable]
  /// Indexes and triggers.
  var features: [String]
  /// Statements that insert the first rows. Failing ones are skipped.
  var rows: [String]
  let pool: ValuePool

  /// The name of a collation that SQLite doesn't have.
  static let ownCollation = "FUZZ"

  /// The table that the audit triggers write to; no record knows it.
  static let auditTable = "CREATE TABLE audit (number INTEGER PRIMARY KEY, what TEXT, value)"

  func table(of record: any FuzzRecord.Type) -> PhysicalTable? {
    tables.first { $0.record == record }
  }
}
