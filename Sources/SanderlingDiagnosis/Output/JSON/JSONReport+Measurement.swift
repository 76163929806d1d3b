import SanderlingTerminal

extension JSONReport {
  /// The same execution before and after a fix.
  public struct Comparison: Codable, Sendable {
    /// The name of the set of bound values.
    public var bindings: String
    /// The cost without the fix.
    public var before: Measurement
    /// The cost with the fix.
    public var after: Measurement

    init(_ comparison: SanderlingDiagnosis.Comparison) {
      bindings = comparison.bindings
      before = Measurement(comparison.before)
      after = Measurement(comparison.after)
    }
  }

  /// The cost of one execution, with all its rows read.
  public struct Measurement: Codable, Sendable {
    /// Instructions of SQLite's virtual machine.
    public var steps: Int64
    /// Pages that were accessed.
    public var pages: Int64
    /// Pages that were read from the file with an empty cache.
    public var coldPages: Int64
    /// The least time of several executions with all pages in the cache.
    public var warmMilliseconds: Double
    /// The time of the first execution with an empty cache.
    public var coldMilliseconds: Double
    /// Rows that the execution returned.
    public var rowsReturned: Int64
    /// Rows stepped over by scans without an index.
    public var scannedRows: Int64
    /// The number of sorts.
    public var sorts: Int64
    /// Rows put into indexes that SQLite made for the execution.
    public var automaticIndexRows: Int64
    /// False if a budget ended the execution. The figures are then lower bounds.
    public var isComplete: Bool

    init(_ measurement: StatementMeasurement) {
      steps = measurement.steps
      pages = measurement.pages
      coldPages = measurement.coldPages
      warmMilliseconds = Figure.milliseconds(measurement.warmTime)
      coldMilliseconds = Figure.milliseconds(measurement.coldTime)
      rowsReturned = measurement.rowsReturned
      scannedRows = measurement.scannedRows
      sorts = measurement.sorts
      automaticIndexRows = measurement.automaticIndexRows
      isComplete = measurement.isComplete
    }
  }
}
