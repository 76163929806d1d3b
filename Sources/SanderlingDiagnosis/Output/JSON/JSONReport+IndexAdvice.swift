extension JSONReport {
  public struct IndexAdvice: Codable, Sendable {
    public var verdict: String
    public var create: [IndexChange]
    public var drop: [IndexChange]
    public var gains: [StatementGain]
    /// The cost of the workload's writes after, as a multiple of before; nil when it has none.
    public var writeCost: Double?
    /// Pages that the new indexes take, less those of the dropped ones.
    public var pages: Int64
    public var migrationSQL: [String]
    public var migrationGRDB: String
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

  public struct IndexChange: Codable, Sendable {
    public var name: String
    public var table: String
    public var sql: String
    public var pages: Int64
    public var statements: [Int]

    init(_ change: SanderlingDiagnosis.IndexChange) {
      name = change.name
      table = change.table
      sql = change.sql
      pages = change.pages
      statements = change.statements
    }
  }

  public struct StatementGain: Codable, Sendable {
    public var statement: Int
    public var comparison: Comparison
  }
}
