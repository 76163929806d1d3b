/// Measures the unchanged statements of a workload, starting with the greatest total cost.
struct WorkloadMeasuring {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  /// The size of the copy.
  let bytes: Int64
  let options: Diagnosis.Options
  let progress: (DiagnosisProgress) -> Void

  /// The number of statements up to which there is time to measure and fix each. With more, those with the greatest
  /// total cost come first.
  static let fewStatements = 24

  /// The share of a statement's time for measuring it. SQLite checks the clock only between instructions, so some time
  /// must remain for long ones.
  private static let shareOfMeasuring = 0.4
  /// The share of the statements' time for measuring many.
  private static let shareOfMeasuringMany = 0.4
  /// Within it, the share for reads and writes alike. The rest is reserved for writes, which indexes make slower.
  private static let shareOfAllKinds = 0.85
  /// The share of the remaining measuring time for each of many statements.
  private static let shareOfOne = 1.0 / 16

  /// Measures as many statements as the connection's budget allows; the others only have plans. Refused statements are
  /// noted in the report.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled or a trial left the copy changed.
  func measure(_ order: WorkloadOrder, _ report: inout DiagnosisReport) throws -> [StatementWork] {
    guard order.items.count > Self.fewStatements else {
      return try measure(order.items, leastShare: 0, &report)
    }
    return try connection.limited(toPassing: connection.budget.deadline.remaining() * Self.shareOfMeasuringMany) {
      var work = try connection.limited(toPassing: connection.budget.deadline.remaining() * Self.shareOfAllKinds) {
        try measure(order.items, leastShare: Self.shareOfOne, &report)
      }
      // A refused statement is skipped already and not tried again.
      let left = Set(work.filter { $0.statement.measurements.isEmpty && $0.statement.isWrite }.map(\.number))
      let writes = order.items.filter { left.contains($0.number) }
      let measured = try measure(writes, leastShare: Self.shareOfOne, &report)
      for one in measured where !one.statement.measurements.isEmpty {
        if let place = work.firstIndex(where: { $0.number == one.number }) { work[place] = one }
      }
      return work
    }
  }

  private func measure(
    _ items: [WorkloadOrder.Item], leastShare: Double, _ report: inout DiagnosisReport
  ) throws -> [StatementWork] {
    var work: [StatementWork] = []
    for (place, item) in items.enumerated() {
      try Task.checkCancellation()
      // Later statements may use time that earlier ones don't need.
      let remaining = connection.budget.deadline.remaining()
      let share = max(remaining / (items.count - place), remaining * leastShare)
      var time = StatementTime(options.statementBudget ?? max(share, StatementWork.usualBudget(bytes: bytes)))
      if leastShare > 0, connection.budget.deadline.hasPassed {
        let unmeasured = AnalyzedStatement(
          statement: item.statement, shape: item.shape, samples: [], plan: item.plan)
        work.append(StatementWork(number: item.number, statement: unmeasured, time: time))
        continue
      }
      progress(.measuring(statement: item.statement.id, number: place + 1, of: items.count))
      do {
        let analyzed = try connection.limited(to: share) {
          try time.spend(Self.shareOfMeasuring, on: connection) {
            try analyzer(isOneOfMany: leastShare > 0).analyze(item.statement, plan: item.plan, shape: item.shape)
          }
        }
        work.append(StatementWork(number: item.number, statement: analyzed, time: time))
      } catch let error as DiagnosisError {
        if error.endsDiagnosis { throw error }
        report.skipped.append(
          SkippedInput(place: item.statement.places.first, reason: "S\(item.statement.id): \(error)"))
      }
    }
    return work
  }

  private func analyzer(isOneOfMany: Bool) -> StatementAnalyzer {
    var runner = StatementRunner(connection: connection)
    runner.repetition = isOneOfMany ? .seldom : .often
    return StatementAnalyzer(connection: connection, schema: schema, runner: runner)
  }
}
