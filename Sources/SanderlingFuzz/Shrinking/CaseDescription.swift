import Sanderling

/// A case in readable form: SQL, and the order of the steps.
struct CaseDescription: CustomStringConvertible {
  private let fuzzCase: FuzzCase

  init(_ fuzzCase: FuzzCase) {
    self.fuzzCase = fuzzCase
  }

  var description: String {
    let configuration = fuzzCase.world.configuration
    var lines = [
      "Database opened as \(configuration.opening.rawValue), foreign keys \(configuration.enforcesForeignKeys ? "on" : "off")"
    ]
    if configuration.hasRecursiveTriggers { lines.append("recursive triggers on") }
    if configuration.isSpaced { lines.append("deliveries spaced") }
    if configuration.observesSuspension { lines.append("suspension observed") }
    if configuration.detectsOutsideChanges { lines.append("writes of others found by file events") }
    if configuration.isAudited { lines.append("each commit audited") }
    if configuration.acceptsQuotedTexts { lines.append("texts in double quotes accepted") }
    if configuration.attachesEverywhere { lines.append("database extra attached to each connection") }
    lines += (fuzzCase.world.tables.map { $0.sql() } + fuzzCase.world.features + fuzzCase.world.rows).map { "  \($0);" }
    lines.append("Queries")
    lines += fuzzCase.usedQueries.map { "  \($0): \(fuzzCase.queries[$0].description)" }
    if !fuzzCase.battery.isEmpty { lines.append("Battery, open from the start") }
    lines += fuzzCase.battery.enumerated().map { "  \($0): \($1.description)" }
    lines.append("Steps")
    for (number, step) in fuzzCase.steps.enumerated() { lines += Self.lines(of: step, number) }
    return lines.joined(separator: "\n")
  }

  private static func lines(of step: FuzzStep, _ number: Int) -> [String] {
    var lines = lines(of: step.action)
    lines[0] = "  \(number): " + lines[0] + (step.holdsFolding ? ", folding held off" : "")
    switch step.check {
    case .none: break
    case .settled: lines.append("     compare once all is settled")
    case .reached: lines.append("     compare once each has reached the commit")
    }
    return lines
  }

  private static func lines(of action: FuzzStep.Action) -> [String] {
    switch action {
    case .write(let transaction): return lines(of: transaction)
    case .burst(let burst): return ["without a pause"] + burst.flatMap(lines)
    case .stream(let stream): return ["in quick succession"] + stream.flatMap(lines)
    case .concurrent(let tasks, let opened):
      return ["several tasks, while queries \(opened) are opened and closed"]
        + tasks.flatMap { ["     task"] + $0.flatMap(lines) }
    case .outside(let transaction, let own):
      return ["another connection"] + lines(of: transaction)
        + (own.map { ["     then the store's own"] + lines(of: $0) } ?? [])
        + ["     noticeOutsideChanges()"]
    case .statements(_, let statements): return ["outside of transactions"] + statements.map { "       \($0);" }
    case .open(let slot, let query, let style):
      let start = style.isImmediate ? ", immediately" : ""
      let long = style.shape == .list ? "" : ", as \(style.shape)"
      let consumers = style.consumers.isEmpty ? "" : ", \(style.isSlow ? "slow " : "")consumers \(style.consumers)"
      return ["open query \(query) in slot \(slot)\(start)\(long)\(consumers)"]
    case .close(let slot): return ["close slot \(slot)"]
    case .suspend(let slot): return ["suspend slot \(slot)"]
    case .resume(let slot): return ["resume slot \(slot)"]
    case .replace(let slot, let query): return ["replace the query of slot \(slot) by \(query)"]
    case .growBattery(let place, let count): return ["load \(count) more rows in list \(place) of the battery"]
    case .grow(let slot, let count): return ["load \(count) more rows in slot \(slot)"]
    case .life(let life): return lines(of: life)
    }
  }

  static func lines(of transaction: FuzzTransaction) -> [String] {
    (transaction.undoesEarlier ? ["undo the last transaction that was kept"] : [])
      + [
        "transaction, \(transaction.route)\(transaction.isAbandoned ? ", rolled back" : "")"
          + (transaction.undoCount > 0 ? ", undone and redone in \(transaction.undoCount) steps" : "")
      ]
      + transaction.steps.flatMap { lines(of: $0, indent: "       ") }
  }

  private static func lines(of step: WriteStep, indent: String) -> [String] {
    switch step {
    case .sql(_, let sql, let isCached): return ["\(indent)\(sql);\(isCached ? " -- cached" : "")"]
    case .record(let operation, let record, let values):
      return ["\(indent)\(operation.rawValue) \(record) (\(values.map(\.literal).joined(separator: ", ")))"]
    case .savepoint(let steps, let isUndone):
      return ["\(indent)savepoint\(isUndone ? ", rolled back" : "")"]
        + steps.flatMap { lines(of: $0, indent: indent + "  ") }
    }
  }
}
