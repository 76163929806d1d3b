/// Applies a fix to a copy, allows measuring it, and undoes it.
struct Trial {
  let connection: SQLiteConnection

  struct Outcome<Value> {
    var value: Value
    /// The pages that the fix adds, less those that it frees.
    var pages: Int64
    /// The time to apply the fix.
    var time: Duration
  }

  /// Applies statements of DDL or ANALYZE in a savepoint, runs `body`, and rolls back.
  ///
  /// The module's own statements run with its own authority, which allows more than index creation.
  ///
  /// Throws `DiagnosisError` if SQLite refuses the fix or the connection's budget ends, and `.trialNotUndone` if the
  /// copy is not restored. Rethrows errors of `body`.
  func run<Value>(
    _ fix: [String], authority: StatementAuthority = .trial, _ body: () throws -> Value
  ) throws -> Outcome<Value> {
    let before = try state()
    let outcome = try connection.undoing {
      let start = WorkClock.current.now
      for sql in fix { try connection.run(sql, authority: authority) }
      let time = start.duration(to: WorkClock.current.now)
      let pages = try usedPages() - before.usedPages
      let result = Result { try body() }
      // With a change of the schema, the rollback also discards the statistics that ANALYZE loaded.
      if connection.isInTransaction { try? connection.run("CREATE TABLE \"sanderling trial\" (mark)") }
      return Outcome(value: try result.get(), pages: pages, time: time)
    }
    guard try state() == before else { throw DiagnosisError.trialNotUndone }
    return outcome
  }

  private struct State: Equatable {
    var usedPages: Int64
    var schemaVersion: BoundValue?
    var objects: BoundValue?
  }

  private func state() throws -> State {
    try State(
      usedPages: usedPages(), schemaVersion: connection.value("PRAGMA schema_version"),
      objects: connection.value("SELECT count(*) FROM sqlite_master"))
  }

  private func usedPages() throws -> Int64 {
    let pages = try connection.value("PRAGMA page_count")?.integer ?? 0
    return pages - (try connection.value("PRAGMA freelist_count")?.integer ?? 0)
  }
}
