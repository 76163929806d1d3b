/// The complete result of a diagnosis, for output in any form.
public struct DiagnosisReport: Sendable {
  /// The diagnosed database.
  public var database: DatabaseSummary
  /// One report for each statement of the workload.
  public var statements: [StatementReport]
  /// The findings in order of gain, the greatest first. Remarks on the whole database come last.
  public var findings: [Finding]
  /// The indexes for the whole workload; nil if there was no reason to look for indexes.
  public var indexAdvice: IndexAdvice?
  /// The parts of the input that were left out, with the reasons.
  public var skipped: [SkippedInput]
  /// Notes that the reader needs to trust the figures: stand-ins, budgets that ran out, the meaning of cold and warm.
  public var notes: [String]
  /// The examined part of the workload; nil without a workload.
  public var coverage: WorkloadCoverage?
  /// The time that the diagnosis took.
  public var elapsed: Duration

  public init(
    database: DatabaseSummary, statements: [StatementReport] = [], findings: [Finding] = [],
    indexAdvice: IndexAdvice? = nil, skipped: [SkippedInput] = [], notes: [String] = [],
    coverage: WorkloadCoverage? = nil, elapsed: Duration = .zero
  ) {
    self.database = database
    self.statements = statements
    self.findings = findings
    self.indexAdvice = indexAdvice
    self.skipped = skipped
    self.notes = notes
    self.coverage = coverage
    self.elapsed = elapsed
  }
}

/// The diagnosed database.
public struct DatabaseSummary: Sendable {
  /// The file's name without its folder.
  public var name: String
  /// The version of SQLite that planned and measured.
  public var sqliteVersion: String
  /// The size of the file in bytes.
  public var bytes: Int64
  /// The size of a page in bytes.
  public var pageSize: Int
  /// The journal mode in SQLite's words, such as `wal`.
  public var journalMode: String
  /// The number of tables.
  public var tables: Int
  /// The number of indexes.
  public var indexes: Int
  /// The number of indexes with statistics from ANALYZE.
  public var analyzedIndexes: Int

  public init(
    name: String, sqliteVersion: String, bytes: Int64, pageSize: Int, journalMode: String, tables: Int, indexes: Int,
    analyzedIndexes: Int
  ) {
    self.name = name
    self.sqliteVersion = sqliteVersion
    self.bytes = bytes
    self.pageSize = pageSize
    self.journalMode = journalMode
    self.tables = tables
    self.indexes = indexes
    self.analyzedIndexes = analyzedIndexes
  }
}
