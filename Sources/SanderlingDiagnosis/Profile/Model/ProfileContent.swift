/// The content of a profile's file: the shapes of rows, and SQL with replaced values.
struct ProfileContent: Codable, Equatable, Sendable {
  static let formatName = "sanderling-profile"
  static let currentVersion = 1

  var format = Self.formatName
  var version = Self.currentVersion
  /// Sentences about the limits of the profile, for its reader.
  var notes: [String] = []
  var database: ProfiledDatabase
  /// In the order of their creation.
  var schema: [ProfiledObject] = []
  var tables: [ProfiledTable] = []
  /// Sets of values that columns share.
  var domains: [ProfiledDomain] = []
  /// Rows of sqlite_stat1: table, index, statistics. Nil if ANALYZE never ran.
  var statistics: [[String?]]?
  var statements: [ProfiledStatement] = []
}

/// Settings that are stored in the database file.
struct ProfiledDatabase: Codable, Equatable, Sendable {
  var pageSize: Int
  var usesWriteAheadLog: Bool
  /// The number of the mode: 0 for none, 1 for full, 2 for incremental.
  var autoVacuum: Int
  /// The size of the file, rounded up to a power of two.
  var bytes: Int64
}

/// A statement of the schema, without comments and with replaced literals.
struct ProfiledObject: Codable, Equatable, Sendable {
  enum Kind: String, Codable, Sendable {
    case table, index, view, trigger
    /// A virtual table of FTS3, FTS4 or FTS5.
    case fullText = "full-text"
  }

  var kind: Kind
  var name: String
  var table: String
  var sql: String
}

/// A statement of the workload, with values that find equally many rows in a generated database.
struct ProfiledStatement: Codable, Equatable, Sendable {
  var sql: String
  var count: Int
  /// The total of the known times.
  var milliseconds: Double?
  var rows: Int?
  /// Sets of bound values, as SQL literals by parameter number.
  var bindings: [[Int: String]]
  /// The number of executions in each operation. Operations are numbered, because their names may contain anything.
  var operations: [String: Int]
  var mostPerOperation: Int
}
