/// Applies a fix to a copy, lets it be measured, and undoes it.
struct Trial {
  let connection: SQLiteConnection

  struct Outcome<Value> {
    var value: Value
    /// Pages that the fix takes, less those that it frees.
    var pages: Int64
    /// The time to apply the fix.
    var time: Duration
  }

  /// Applies statements of DDL or ANALYZE in a savepoint, runs `body`, and rolls back.
  ///
  /// Those of this module's own writing may do more than make indexes, with its own authority.
  ///
  /// Throws `DiagnosisError`: when SQLite refuses the fix, when the connection's budget ends, and `.trialNotUndone` when
  /// the copy is not as it was. Rethrows what `body` throws.
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
      // A change of schema makes the rollback forget the statistics that ANALYZE loaded.
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
