import SanderlingSQL

/// A statement in which each name of a column has its meaning.
struct ResolvedStatement: Sendable {
  var statement: SQLStatement
  /// By their numbers.
  var sources: [Int: ResolvedSource] = [:]
  /// Inner cores after those around them.
  private(set) var cores: [ResolvedCore] = []
  private var positions: [Int: Int] = [:]
  /// What each column reference means, by the offset at which it begins.
  var references: [Int: ColumnMeaning] = [:]

  init(statement: SQLStatement) {
    self.statement = statement
  }

  func core(_ id: Int) -> ResolvedCore? {
    positions[id].map { cores[$0] }
  }

  mutating func add(_ core: ResolvedCore) {
    positions[core.id] = cores.count
    cores.append(core)
  }

  /// Changes a core that was added. O(1).
  mutating func change(_ id: Int, _ change: (inout ResolvedCore) -> Void) {
    guard let position = positions[id] else { return }
    change(&cores[position])
  }

  /// What an expression means when it is a column; nil when it is none.
  func meaning(of expression: SQLExpression) -> ColumnMeaning? {
    guard case .column = expression.kind else { return nil }
    return references[expression.range.lowerBound]
  }
}

/// What the name of a column stands for.
enum ColumnMeaning: Hashable, Sendable {
  /// A column of a source: of the core where the name stands, or of one around it. `rowid` is the name of a rowid
  /// without alias.
  case column(source: Int, name: String)
  /// A result column of a core, by number from 0.
  case result(core: Int, index: Int)
  /// A string in double quotes.
  case string
  case unknown
}

/// A table, view, subquery, common table or function that a core reads.
struct ResolvedSource: Sendable {
  enum Kind: Hashable, Sendable {
    case table
    case view
    case subquery
    case commonTable
    case function
    /// A table that the schema doesn't describe.
    case unknown
  }

  var id: Int
  /// The core that reads it.
  var core: Int
  var kind: Kind
  /// Its alias, or else its table's name.
  var name: String
  /// The table's or view's description.
  var table: SchemaDescription.Table?
  /// The cores of the subquery or common table.
  var cores: [Int] = []
  var columns: [String] {
    didSet { spellings = Self.spellings(of: columns) }
  }
  var syntax: SQLSource
  /// The names of the columns as they are written, by their names in small letters.
  private var spellings: [String: String] = [:]

  init(id: Int, core: Int, syntax: SQLSource) {
    self.id = id
    self.core = core
    self.syntax = syntax
    kind = .unknown
    name = ""
    columns = []
  }

  private static func spellings(of columns: [String]) -> [String: String] {
    Dictionary(columns.map { ($0.asciiLowercased, $0) }) { first, _ in first }
  }

  /// Whether it may have columns that nobody described.
  var isOpen: Bool { kind == .function || kind == .unknown }

  /// Whether it has a column of its own with a name in small letters.
  func hasColumn(_ key: String) -> Bool { spellings[key] != nil }

  /// The spelling of a column, by its name in any case; `rowid` for the rowid of a table.
  func column(named name: String) -> String? {
    let key = name.asciiLowercased
    if let column = spellings[key] { return column }
    guard let table, table.hasRowid, kind == .table, ActualColumn.rowIDNames.contains(key) else { return nil }
    return table.rowidAlias?.name ?? "rowid"
  }
}

/// A SELECT core, UPDATE or DELETE, and how it is part of the statement.
struct ResolvedCore: Sendable {
  enum Role: Hashable, Sendable {
    /// The statement itself, or the cores of a compound one.
    case statement
    /// A subquery in FROM.
    case source
    case commonTable(String)
    case scalar
    case membership
    case exists
    /// The SELECT of an INSERT.
    case insert
    case update
    case delete
  }

  var id: Int
  /// The core around it.
  var parent: Int?
  var role: Role
  var range: Range<Int>
  /// In the order of the text.
  var sources: [Int] = []
  /// Sources of cores around it that it, or a subquery within it, refers to.
  var outerSources: Set<Int> = []
  /// Nil for UPDATE and DELETE.
  var syntax: SQLSelectCore?
  /// Whether compound operators combine it with others.
  var isCompound = false
  var condition: SQLExpression?
  var assignments: [SQLAssignment] = []
  var returning: [SQLResultColumn] = []
  var orderBy: [SQLOrderingTerm] = []
  var limit: SQLExpression?
  var offset: SQLExpression?
  /// The names of its results, in order.
  var results: [ResultColumn] = []

  /// A result column, after `*` was replaced by what it stands for.
  struct ResultColumn: Sendable {
    var name: String
    /// Nil where it came with `*`.
    var expression: SQLExpression?
    /// The column that came with `*`.
    var meaning: ColumnMeaning?
    var hasAlias = false
  }
}
