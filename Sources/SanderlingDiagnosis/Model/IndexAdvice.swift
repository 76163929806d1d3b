/// The set of indexes that serves the whole workload best, as measured.
public struct IndexAdvice: Sendable {
  /// The indexes to create.
  public var create: [IndexChange]
  /// The indexes to drop.
  public var drop: [IndexChange]
  /// The effect on each statement that gains or loses.
  public var gains: [StatementGain]
  /// The cost of the workload's writes with the change, as a multiple of the cost before; nil without writes.
  public var writeCost: Double?
  /// The pages of the new indexes, less those of the dropped ones.
  public var pages: Int64
  /// The change as one migration.
  public var migrationSQL: [String]
  /// The change as a migration of GRDB.
  public var migrationGRDB: String
  /// The change as code for Sanderling.
  public var migrationSanderling: String
  /// The advice in a sentence, or the reason why no index helps.
  public var verdict: String
  /// The indexes of `create`.
  var candidates: [IndexCandidate] = []
  /// Whether the change was measured as a whole.
  var isMeasured = false
  /// The statements that take much longer with the indexes until they are rewritten. The report has the rewrites.
  var slowedForms: Set<Int> = []
  /// Remarks on statements whose plans the indexes change, by statement number. The verdict and the statements'
  /// findings show the remarks.
  private(set) var limits: [Int: String] = [:]

  public init(
    create: [IndexChange] = [], drop: [IndexChange] = [], gains: [StatementGain] = [], writeCost: Double? = nil,
    pages: Int64 = 0, migrationSQL: [String] = [], migrationGRDB: String = "", migrationSanderling: String = "",
    verdict: String
  ) {
    self.create = create
    self.drop = drop
    self.gains = gains
    self.writeCost = writeCost
    self.pages = pages
    self.migrationSQL = migrationSQL
    self.migrationGRDB = migrationGRDB
    self.migrationSanderling = migrationSanderling
    self.verdict = verdict
  }

  /// Adds remarks by statement number, from trials with values of each kind. O(statements · log statements).
  mutating func note(_ found: [Int: String]) {
    let new = found.filter { limits[$0.key] != $0.value }
    limits.merge(new) { $1 }
    let groups = Dictionary(grouping: new.keys.sorted()) { new[$0, default: ""] }
    for (limit, statements) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
      verdict += " \(AdviceFacts.names(of: statements)): \(limit)"
    }
  }
}

/// An index to create or to drop.
public struct IndexChange: Sendable {
  /// The name of the index.
  public var name: String
  /// The table of the index.
  public var table: String
  /// The CREATE INDEX or DROP INDEX statement.
  public var sql: String
  /// The pages that the index takes.
  public var pages: Int64
  /// The statements that the index serves.
  public var statements: [Int]

  public init(name: String, table: String, sql: String, pages: Int64, statements: [Int]) {
    self.name = name
    self.table = table
    self.sql = sql
    self.pages = pages
    self.statements = statements
  }
}

/// The effect of the set of indexes on one statement.
public struct StatementGain: Sendable {
  /// The statement's number in the workload.
  public var statement: Int
  /// The statement without and with the indexes, for the set of values for which the indexes matter most.
  public var comparison: Comparison
  /// The same comparison for each other measured set of values.
  var others: [Comparison] = []

  /// The comparisons for all measured sets of values.
  var comparisons: [Comparison] { [comparison] + others }

  public init(statement: Int, comparison: Comparison) {
    self.statement = statement
    self.comparison = comparison
  }

  /// Whether the statement takes less time, or reads fewer pages in about the same time.
  var isGain: Bool {
    guard let share = comparisons.shareOfTimeLeft else { return comparisons.workAfter < comparisons.workBefore }
    return share < 0.95 || share <= 1.05 && comparisons.pages.areFewer
  }
}
