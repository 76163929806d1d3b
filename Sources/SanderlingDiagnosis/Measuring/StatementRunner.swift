/// Runs statements on a copy and measures their costs.
struct StatementRunner {
  /// The number of runs of a statement.
  enum Repetition {
    /// As many runs as a good comparison of times needs.
    case often
    /// As few runs as possible, because there are many statements. A slow statement is slow with a warm cache, too.
    case seldom
    /// One run, if only steps and pages count.
    case once
  }

  let connection: SQLiteConnection
  /// The time for all runs of one statement with one set of values.
  var timeBudget = Duration.seconds(2)
  var stepBudget = Int64.max
  /// Whether the end of the connection's budget also gives lower bounds, provided that the statement ran at all.
  var keepsBounds = false
  /// Counts the measurements with a fix; nil if no counts are needed.
  var tried: TriedFixes?
  var repetition = Repetition.often
  /// The time since a fixed moment. The thread's own time is the same on a busy machine: advice must not depend on
  /// other load.
  var now: @Sendable () -> Duration = { Deadline.timeOfThread }

  /// Measures a statement with values by parameter number; the other parameters are NULL.
  ///
  /// The first run has an empty page cache, and the others find all pages in it; the operating system's cache is not
  /// changed. Writes are undone after each run, and `rowsReturned` counts their changed rows. A run that the runner's
  /// own budget ended gives lower bounds. Throws `DiagnosisError` for a statement that SQLite refuses, that fails, or
  /// that isn't allowed. Throws `.stopped` when the connection's budget ends, which is no result of a trial.
  func measure(_ sql: String, bindings: [Int: BoundValue] = [:]) throws -> StatementMeasurement {
    if connection.budget.deadline.hasPassed { throw DiagnosisError.stopped(.time) }
    let budget = StatementBudget(deadline: Deadline(afterWorking: timeBudget), steps: stepBudget)
    let measurement = try connection.limited(to: budget) {
      try measureWithinBudget(sql, bindings)
    }
    if !keepsBounds, !measurement.isComplete, connection.budget.deadline.hasPassed {
      throw DiagnosisError.stopped(.time)
    }
    return measurement
  }

  private func measureWithinBudget(_ sql: String, _ bindings: [Int: BoundValue]) throws -> StatementMeasurement {
    let statement = try connection.prepareReadingOrWriting(sql)
    try statement.bind(bindings)
    connection.emptyCache()
    let cold = try run(statement)
    var measurement = StatementMeasurement(
      steps: cold.counters[.steps, default: 0], pages: cold.pages, coldPages: cold.missedPages, warmTime: cold.time,
      coldTime: cold.time, rowsReturned: cold.rows, scannedRows: cold.counters[.fullScanSteps, default: 0],
      sorts: cold.counters[.sorts, default: 0], automaticIndexRows: cold.counters[.automaticIndexRows, default: 0],
      isComplete: cold.isComplete)
    guard cold.isComplete else { return measurement }
    var least: Duration?
    for _ in 0..<warmRuns(after: cold.time) {
      let warm = try run(statement)
      guard warm.isComplete else { break }
      least = min(warm.time, least ?? warm.time)
    }
    // If the budget allows only one run, the cold time serves as a bound of the warm time.
    measurement.warmTime = least ?? cold.time
    return measurement
  }

  private func warmRuns(after time: Duration) -> Int {
    switch repetition {
    case .often: time < .milliseconds(1) ? 7 : time < .milliseconds(10) ? 5 : time < .milliseconds(100) ? 3 : 1
    case .seldom: time < .milliseconds(1) ? 2 : time < .milliseconds(20) ? 1 : 0
    case .once: 0
    }
  }

  private struct Run {
    var counters: [SQLiteStatement.Counter: Int64] = [:]
    var pages: Int64 = 0
    var missedPages: Int64 = 0
    var time: Duration
    var rows: Int64 = 0
    var isComplete = true
  }

  private func run(_ statement: SQLiteStatement) throws -> Run {
    if statement.isReadOnly { return try runOnce(statement) }
    return try connection.undoingWrite {
      var run = try runOnce(statement)
      run.rows = max(run.rows, connection.changedRows)
      return run
    }
  }

  private func runOnce(_ statement: SQLiteStatement) throws -> Run {
    for counter in SQLiteStatement.Counter.allCases { _ = statement.counter(counter, resetting: true) }
    _ = connection.takePageCounts()
    let start = now()
    var run = Run(time: .zero)
    do {
      while try statement.step() { run.rows += 1 }
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      run.isComplete = false
    }
    run.time = now() - start
    for counter in SQLiteStatement.Counter.allCases { run.counters[counter] = statement.counter(counter) }
    (run.pages, run.missedPages) = connection.takePageCounts()
    statement.reset()
    return run
  }
}
