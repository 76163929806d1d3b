/// The total time for one statement: to measure it, and to try fixes.
struct StatementTime {
  private(set) var left: Duration

  init(_ budget: Duration) {
    left = budget
  }

  /// Runs `body`, which may use a share of the remaining time within the connection's budget.
  mutating func spend<Result>(
    _ share: Double, on connection: SQLiteConnection, _ body: () throws -> Result
  ) rethrows -> Result {
    let deadline = Deadline(afterWorking: left)
    defer { left = deadline.remaining() }
    return try connection.limited(to: left * share, body)
  }

  /// Raises the remaining time to the given time, if that is more.
  mutating func extend(to time: Duration) { left = max(left, time) }

  /// The advice about omitted work.
  static let remark = "--statement-budget allows more."
}
