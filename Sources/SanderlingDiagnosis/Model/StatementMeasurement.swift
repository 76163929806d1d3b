/// The cost of one execution of a statement, with all its rows read.
public struct StatementMeasurement: Sendable {
  /// Instructions of SQLite's virtual machine. The number is the same in each run on one version.
  public var steps: Int64
  /// Pages that were accessed, whether they were in the cache or not.
  public var pages: Int64
  /// Pages read from the file when the connection's cache was empty.
  public var coldPages: Int64
  /// The least time of several executions with all pages in the cache.
  public var warmTime: Duration
  /// The time of the first execution on a connection with an empty cache. The operating system's cache is not emptied.
  public var coldTime: Duration
  /// The rows that the execution returned.
  public var rowsReturned: Int64
  /// Rows stepped over by scans without an index.
  public var scannedRows: Int64
  /// The number of sorts.
  public var sorts: Int64
  /// Rows put into indexes that SQLite made for the execution.
  public var automaticIndexRows: Int64
  /// False if the budget ended the execution. The figures are then lower bounds.
  public var isComplete: Bool

  public init(
    steps: Int64, pages: Int64, coldPages: Int64, warmTime: Duration, coldTime: Duration, rowsReturned: Int64,
    scannedRows: Int64 = 0, sorts: Int64 = 0, automaticIndexRows: Int64 = 0, isComplete: Bool = true
  ) {
    self.steps = steps
    self.pages = pages
    self.coldPages = coldPages
    self.warmTime = warmTime
    self.coldTime = coldTime
    self.rowsReturned = rowsReturned
    self.scannedRows = scannedRows
    self.sorts = sorts
    self.automaticIndexRows = automaticIndexRows
    self.isComplete = isComplete
  }
}

extension StatementMeasurement {
  /// The rows that scans read. SQLite counts the steps from one row to the next, so one row is added. With several
  /// scans, this is a lower bound.
  var rowsOfScans: Int64 { scannedRows > 0 ? scannedRows &+ 1 : 0 }
}

/// The same execution before and after a fix, on a copy of the database.
public struct Comparison: Sendable {
  /// The name of the set of bound values: `"as logged"`, `"typical"`, `"worst"`, or `"none"` for a statement without
  /// parameters.
  public var bindings: String
  /// The cost without the fix.
  public var before: StatementMeasurement
  /// The cost with the fix.
  public var after: StatementMeasurement

  public init(bindings: String, before: StatementMeasurement, after: StatementMeasurement) {
    self.bindings = bindings
    self.before = before
    self.after = after
  }
}
