import SanderlingSQL

/// The schema of a database: its tables and indexes, with the known facts about their sizes and contents.
struct DatabaseSchema: Sendable {
  var tables: [TableSchema] = []
  var views: [ViewSchema] = []
  var triggers: [TriggerSchema] = []
  /// Whether sqlite_stat1 exists, the table that ANALYZE creates.
  var hasStatistics = false
  /// The parts of the schema that could not be read, with the reasons.
  var limits: [String] = []

  var indexes: [IndexSchema] { tables.flatMap(\.indexes) }

  /// Returns the table with a name. Names compare as in SQLite: ASCII letters without case. O(tables).
  func table(_ name: String) -> TableSchema? {
    let key = name.asciiLowercased
    return tables.first { $0.name.asciiLowercased == key }
  }

  func index(_ name: String) -> IndexSchema? {
    let key = name.asciiLowercased
    return indexes.first { $0.name.asciiLowercased == key }
  }

  /// Returns a statement, or a part of one, in the form that reports show: without values. O(length + tables ·
  /// columns).
  func fingerprint(of sql: String) -> String { Fingerprint.of(sql, names: names) }

  /// All names that a statement may use. O(tables · columns).
  var names: SQLNames {
    let columns = tables.flatMap(\.columns).map(\.name) + views.flatMap(\.columns)
    let collations = tables.flatMap(\.columns).map(\.collation) + indexes.flatMap(\.keys).map(\.collation)
    return SQLNames(
      tables.map(\.name) + views.map(\.name) + triggers.map(\.name) + indexes.map(\.name) + columns + collations)
  }
}

struct TableSchema: Sendable {
  enum Kind: Hashable, Sendable {
    case ordinary
    case virtual(module: String)
    /// A table that a virtual table creates for its own use.
    case shadow
  }

  var name: String
  var kind = Kind.ordinary
  var sql = ""
  var columns: [ColumnSchema] = []
  /// In the key's order; empty without a declared key.
  var primaryKey: [String] = []
  /// The column that is an alias of the rowid.
  var rowIDAlias: String?
  var isWithoutRowID = false
  var isStrict = false
  var indexes: [IndexSchema] = []
  var foreignKeys: [ForeignKeySchema] = []
  var rowCount: Int64?
  /// Whether `rowCount` was counted; otherwise it comes from ANALYZE.
  var isRowCountExact = false
  /// Pages of the table itself, including overflow pages but not its indexes.
  var pages: Int64?

  /// Whether the table is one of SQLite's full-text modules.
  var isFullText: Bool {
    if case .virtual(let module) = kind { ["fts3", "fts4", "fts5"].contains(module.asciiLowercased) } else { false }
  }

  func column(_ name: String) -> ColumnSchema? {
    let key = name.asciiLowercased
    return columns.first { $0.name.asciiLowercased == key }
  }
}

typealias ColumnSchema = ActualColumn

struct ViewSchema: Hashable, Sendable {
  var name: String
  var sql: String
  /// Empty if this SQLite can't read the view.
  var columns: [String]
}

struct TriggerSchema: Hashable, Sendable {
  var name: String
  var table: String
  var sql: String
}

struct IndexSchema: Sendable {
  typealias Origin = TableReader.Index.Origin

  var name: String
  var table: String
  var keys: [IndexKey]
  var isUnique: Bool
  var origin: Origin
  /// The condition of a partial index.
  var condition: String?
  /// Nil for indexes that constraints create.
  var sql: String?
  /// The number of rows in the index, then the mean number of rows for each prefix of the keys, from ANALYZE.
  var statistics: [Int64]
  /// Words that ANALYZE appends: `unordered`, `noskipscan`, `sz=…`.
  var statisticsOptions: [String] = []
  var pages: Int64?

  var isPartial: Bool { condition != nil }
  /// Whether the index only makes queries faster, so that dropping it changes no result.
  var canBeDropped: Bool { origin == .createIndex && !isUnique }
}

struct IndexKey: Hashable, Sendable {
  /// Nil for an expression.
  var column: String?
  /// The SQL of an expression.
  var expression: String?
  var isDescending: Bool
  var collation: String
}

struct ForeignKeySchema: Hashable, Sendable {
  var table: String
  var columns: [String]
  var parentTable: String
  /// Empty if the reference means the parent's primary key.
  var parentColumns: [String]
  var onDelete: String
  var onUpdate: String
}
