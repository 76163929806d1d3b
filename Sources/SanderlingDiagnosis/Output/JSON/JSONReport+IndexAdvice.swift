extension JSONReport {
  /// The set of indexes that serves all statements together.
  public struct IndexAdvice: Codable, Sendable {
    /// The advice in a sentence.
    public var verdict: String
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
    /// The change as SQL statements, in order.
    public var migrationSQL: [String]
    /// The change as a migration of GRDB.
    public var migrationGRDB: String
    /// The change as code for Sanderling.
    public var migrationSanderling: String

    init(_ advice: SanderlingDiagnosis.IndexAdvice) {
      verdict = advice.verdict
      create = advice.create.map(IndexChange.init)
      drop = advice.drop.map(IndexChange.init)
      gains = advice.gains.map { StatementGain(statement: $0.statement, comparison: Comparison($0.comparison)) }
      writeCost = advice.writeCost.flatMap { $0.isFinite ? $0 : nil }
      pages = advice.pages
      migrationSQL = advice.migrationSQL
      migrationGRDB = advice.migrationGRDB
      migrationSanderling = advice.migrationSanderling
    }
  }

  /// An index to create or to drop.
  public struct IndexChange: Codable, Sendable {
    /// The name of the index.
    public var name: String
    /// The table of the index.
    public var table: String
    /// The CREATE INDEX or DROP INDEX statement.
    public var sql: String
    /// The pages that the index takes.
    public var pages: Int64
    /// The `id`s of the statements that the index serves.
    public var statements: [Int]

    init(_ change: SanderlingDiagnosis.IndexChange) {
      name = change.name
      table = change.table
      sql = change.sql
      pages = change.pages
      statements = change.statements
    }
  }

  /// The effect of the set of indexes on one statement.
  public struct StatementGain: Codable, Sendable {
    /// The `id` of the statement.
    public var statement: Int
    /// The measurements before and after.
    public var comparison: Comparison
  }
}
