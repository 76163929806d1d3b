/// Compares pages that are found by the last row of the page before with the pages of the statement, from the first to
/// the last.
struct PageProof {
  let page: PageByKey
  let context: DetectorContext
  let samples: [BindingSample]

  /// The verdict of small tables with NULLs and ties, in which each row is the last row of a page once.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled or the schema can't be copied.
  func verdict() throws -> RewriteProof.Verdict {
    let connection = try context.adversary.connection()
    let proof = RewriteProof(context: context, statement: page.statement, samples: samples)
    return try proof.verdict { values, deadline in
      try connection.limited(to: StatementBudget(deadline: deadline, steps: 2_000_000)) {
        for length in [1, 3] {
          guard let result = try look(at: length, values, connection) else { return nil }
          if result.isDifferent || !result.hasRows { return result }
        }
        return StatementComparison.Result(isDifferent: false, hasRows: true)
      }
    }
  }

  private func look(
    at length: Int, _ values: [Int: BoundValue], _ connection: SQLiteConnection
  ) throws -> StatementComparison.Result? {
    var page = page
    page.limit = String(length)
    guard let keysSQL = page.allKeys else { return nil }
    let rows: [[BoundValue]]
    let keys: [[BoundValue]]
    do {
      rows = try self.rows(page.all, page.statement.values(values, for: page.all), connection)
      keys = try self.rows(keysSQL, page.statement.values(values, for: keysSQL), connection)
    } catch DiagnosisError.statement {
      return nil
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      return nil
    }
    guard keys.count == rows.count else { return .init(isDifferent: true, hasRows: true) }
    for (place, key) in keys.enumerated() {
      guard let next = page.next(after: key, values) else { return .init(isDifferent: true, hasRows: true) }
      do {
        let found = try self.rows(next.sql, next.values, connection)
        if found != Array(rows.dropFirst(place + 1).prefix(length)) { return .init(isDifferent: true, hasRows: true) }
      } catch DiagnosisError.statement {
        return .init(isDifferent: true, hasRows: true)
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        return nil
      }
    }
    return .init(isDifferent: false, hasRows: rows.count > 1)
  }

  private func rows(
    _ sql: String, _ values: [Int: BoundValue], _ connection: SQLiteConnection
  ) throws -> [[BoundValue]] {
    let statement = try connection.prepare(sql, authority: .reading)
    try statement.bind(values)
    var rows: [[BoundValue]] = []
    while try statement.step() { rows.append(statement.row) }
    return rows
  }
}
