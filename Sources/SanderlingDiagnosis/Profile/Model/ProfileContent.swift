/// What a profile's file holds: shapes of rows, and SQL in which other values stand.
struct ProfileContent: Codable, Equatable, Sendable {
  static let formatName = "sanderling-profile"
  static let currentVersion = 1

  var format = Self.formatName
  var version = Self.currentVersion
  /// What a reader has to know of it, in sentences.
  var notes: [String] = []
  var database: ProfiledDatabase
  /// In the order in which they have to be made.
  var schema: [ProfiledObject] = []
  var tables: [ProfiledTable] = []
  /// Sets of values that columns share.
  var domains: [ProfiledDomain] = []
  /// Rows of sqlite_stat1: table, index, figures. Nil where ANALYZE never ran.
  var statistics: [[String?]]?
  var statements: [ProfiledStatement] = []
}

/// Settings that the file of a database keeps.
struct ProfiledDatabase: Codable, Equatable, Sendable {
  var pageSize: Int
  var usesWriteAheadLog: Bool
  /// 0 none, 1 full, 2 incremental.
  var autoVacuum: Int
  /// How large the file is, rounded up to a power of two.
  var bytes: Int64
}

/// A statement of the schema, without comments, and with other literals.
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

/// A statement of the workload, with values that find as many rows in a generated database.
struct ProfiledStatement: Codable, Equatable, Sendable {
  var sql: String
  var count: Int
  /// Known times added up.
  var milliseconds: Double?
  var rows: Int?
  /// Sets of bound values, as SQL literals by the number of the parameter.
  var bindings: [[Int: String]]
  /// How often each operation ran it. Operations are numbered: their names may hold anything.
  var operations: [String: Int]
  var mostPerOperation: Int
}
