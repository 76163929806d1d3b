import SanderlingSQL

/// A statement in which each name of a column has its meaning.
struct ResolvedStatement: Sendable {
  var statement: SQLStatement
  /// The sources by their numbers.
  var sources: [Int: ResolvedSource] = [:]
  /// The cores. Inner cores follow the outer ones.
  private(set) var cores: [ResolvedCore] = []
  private var positions: [Int: Int] = [:]
  /// The meaning of each column reference, by the offset at which it begins.
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

  /// Returns the meaning of an expression that is a column; nil for other expressions.
  func meaning(of expression: SQLExpression) -> ColumnMeaning? {
    guard case .column = expression.kind else { return nil }
    return references[expression.range.lowerBound]
  }
}

/// The meaning of a column's name.
enum ColumnMeaning: Hashable, Sendable {
  /// A column of a source: of the core in which the name occurs, or of an outer one. `rowid` is the name of a rowid
  /// without an alias.
  case column(source: Int, name: String)
  /// A result column of a core, numbered from 0.
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
  /// Its alias, or the table's name if there is none.
  var name: String
  /// The table's or view's description.
  var table: SchemaDescription.Table?
  /// The cores of the subquery or common table.
  var cores: [Int] = []
  var columns: [String] {
    didSet { spellings = Self.spellings(of: columns) }
  }
  var syntax: SQLSource
  /// The spelling of the columns' names, by the names in lower case.
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

  /// Whether the source may have unknown columns.
  var isOpen: Bool { kind == .function || kind == .unknown }

  /// Whether the source has its own column with a name in lower case.
  func hasColumn(_ key: String) -> Bool { spellings[key] != nil }

  /// Returns the spelling of a column, by its name in any case; `rowid` for a table's rowid.
  func column(named name: String) -> String? {
    let key = name.asciiLowercased
    if let column = spellings[key] { return column }
    guard let table, table.hasRowid, kind == .table, ActualColumn.rowIDNames.contains(key) else { return nil }
    return table.rowidAlias?.name ?? "rowid"
  }
}

/// A SELECT core, UPDATE or DELETE, and its role in the statement.
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
  /// The sources in the order of the text.
  var sources: [Int] = []
  /// The sources of outer cores that the core, or a subquery in it, refers to.
  var outerSources: Set<Int> = []
  /// Nil for UPDATE and DELETE.
  var syntax: SQLSelectCore?
  /// Whether compound operators combine it with other cores.
  var isCompound = false
  var condition: SQLExpression?
  var assignments: [SQLAssignment] = []
  var returning: [SQLResultColumn] = []
  var orderBy: [SQLOrderingTerm] = []
  var limit: SQLExpression?
  var offset: SQLExpression?
  /// The names of its results, in order.
  var results: [ResultColumn] = []

  /// A result column, after `*` was expanded.
  struct ResultColumn: Sendable {
    var name: String
    /// The expression of the result column; nil if the column comes from `*`.
    var expression: SQLExpression?
    /// The column of a source that `*` stands for; nil if the result column has an expression.
    var meaning: ColumnMeaning?
    var hasAlias = false
  }
}
