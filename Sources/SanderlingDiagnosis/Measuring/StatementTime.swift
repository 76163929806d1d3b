/// The time that all work on one statement may take together: to measure it, and to try what would make it faster.
struct StatementTime {
  private(set) var left: Duration

  init(_ budget: Duration) {
    left = budget
  }

  /// Runs `body`, which may take a share of what is left, and as much as the connection's budget allows.
  mutating func spend<Result>(
    _ share: Double, on connection: SQLiteConnection, _ body: () throws -> Result
  ) rethrows -> Result {
    let deadline = Deadline(afterWorking: left)
    defer { left = deadline.remaining() }
    return try connection.limited(to: left * share, body)
  }

  /// Allows as much as is left for it now, if that is more than it had left.
  mutating func extend(to time: Duration) { left = max(left, time) }

  /// What to do about work that was left undone.
  static let remark = "--statement-budget allows more."
}
