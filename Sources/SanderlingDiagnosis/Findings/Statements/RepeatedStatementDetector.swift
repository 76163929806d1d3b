import SanderlingTerminal

/// Finds statements that an operation runs many times, once for each of its rows.
struct RepeatedStatementDetector: FindingDetector {
  static let leastRepetitions = 10
  static let maximumKeys = 100
  /// The cost of the begin and the end of an execution, in steps: 5 to 10 µs were measured.
  static let stepsPerExecution = 500.0

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    let times = analyzed.statement.mostPerOperation
    guard times >= Self.leastRepetitions, let statement = MovableStatement(analyzed, schema: context.schema),
      let sample = analyzed.samples.first
    else { return [] }
    guard let batch = BatchedStatement(statement, schema: context.schema) else { return [] }
    let keys = try batch.keys(min(times, Self.maximumKeys), analyzed, in: context)
    guard keys.count > 1 else { return [] }
    var before = StatementMeasurement(
      steps: 0, pages: 0, coldPages: 0, warmTime: .zero, coldTime: .zero, rowsReturned: 0)
    var singles: [[BoundValue]] = []
    var keysWithRows = 0
    let single = batch.single
    for key in keys {
      let values = sample.values.merging([batch.parameter: key]) { _, key in key }
      var runner = context.runner
      runner.timeBudget = .milliseconds(100)
      before.add(try runner.measure(single, bindings: values))
      let rows = try context.rows(single, values)
      keysWithRows += rows.isEmpty ? 0 : 1
      singles += rows
    }
    let sql = batch.sql(keys: keys.count)
    let values = batch.values(keys, sample.values)
    // The rows of the batch have another order, so the comparison ignores the order.
    let batched = try context.rows(sql, values).map { Array($0.prefix(batch.columnCount)) }
    guard
      Dictionary(grouping: singles, by: \.self).mapValues(\.count)
        == Dictionary(grouping: batched, by: \.self).mapValues(\.count)
    else { return [] }
    let comparison = Comparison(
      bindings: "\(keys.count) keys", before: before, after: try context.runner.measure(sql, bindings: values))
    var finding = finding(analyzed, batch, comparison, times, in: context)
    // The rows of one key equal the rows of a list with only this key.
    finding.formProof = FormProof(
      comparisons: keys.count, comparisonsWithRows: keysWithRows, followsFromRules: true)
    return [finding]
  }

  private func finding(
    _ analyzed: AnalyzedStatement, _ batch: BatchedStatement, _ comparison: Comparison, _ times: Int,
    in context: DetectorContext
  ) -> Finding {
    // Each call goes to the connection's queue and back. No measurement on the copy shows this cost.
    let calls = Double(max(1, Int(comparison.bindings.prefix { $0.isNumber }) ?? 1) - 1) * Self.stepsPerExecution
    let isBetter = comparison.after.isComplete && comparison.after.work < comparison.before.work + calls
    let operation = analyzed.statement.operations.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    let type = FanOutNames.type(batch.table)
    return Finding(
      kind: .repeatedStatement, severity: isBetter ? max(.warning, [comparison].severity) : .note,
      statement: analyzed.statement.id, caller: analyzed.caller,
      title: "The same statement runs \(Figure.count(times)) times in one operation"
        + (operation.map { " (\($0))" } ?? "") + ", once for each \(batch.column)",
      explanation:
        "The rows of \(batch.table) are read one key after another, most likely in a loop over the rows of another "
        + "statement. One statement with all keys reads the same rows, and goes through the app, the queue of "
        + "the connection "
        + "and SQLite once.",
      evidence: [
        Evidence(name: "executions in one operation", value: Double(times), unit: ""),
        Evidence(name: "executions in all", value: Double(analyzed.statement.count), unit: ""),
      ],
      fix: Fix(
        summary: "Read the rows of all keys at once", sql: [context.shown(batch.sqlForReaders)],
        grdb: batch.isKey
          ? "try \(type).fetchAll(db, keys: ids)   // or request.including(required:) with the rows that name the keys"
          : "try \(type).filter(ids.contains(Column(\"\(batch.column)\"))).fetchAll(db)   // or "
            + "request.including(all:)",
        sanderling: "try tx.fetch(\(type).where { $0.\(FanOutNames.member(batch.column)).isIn(ids) })",
        coreData: "request.relationshipKeyPathsForPrefetching = [\"…\"], or a fetch with `%K IN %@`."),
      outcome: isBetter ? .proven([comparison]) : .triedNotBetter([comparison]), limits: analyzed.limits)
  }
}

extension StatementMeasurement {
  /// Adds the cost of another execution.
  fileprivate mutating func add(_ other: StatementMeasurement) {
    steps += other.steps
    pages += other.pages
    coldPages += other.coldPages
    warmTime += other.warmTime
    coldTime += other.coldTime
    rowsReturned += other.rowsReturned
    scannedRows += other.scannedRows
    sorts += other.sorts
    automaticIndexRows += other.automaticIndexRows
    isComplete = isComplete && other.isComplete
  }
}
