import SanderlingSQL

/// Finds triggers that run for each updated row although the update sets no column that they read. Most of them
/// maintain a full-text table, and index all texts anew when a flag changes.
struct TriggerColumnsDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let shape = analyzed.shape, let idle = IdleTriggers(shape, context.schema), !analyzed.samples.isEmpty,
      GainRule(before: analyzed.measurements).isWorthATrial, !analyzed.isIncomplete
    else { return [] }
    let trial = Trial(connection: context.connection)
    func digests() throws -> [[Int]] {
      try analyzed.samples.map { try self.digests(of: idle.written, after: analyzed.sql, $0, in: context) }
    }
    let before = try digests()
    let (comparisons, after) = try trial.run(idle.fix, authority: .own) {
      let comparisons = try analyzed.baseline.map { sample, before in
        Comparison(
          bindings: sample.name, before: before,
          after: try context.runner.measure(analyzed.sql, bindings: sample.values))
      }
      return (comparisons, try digests())
    }.value
    guard before == after, comparisons.areBetter, let table = context.schema.table(idle.table) else { return [] }
    let verdict = try TriggerProof(
      context: context, analyzed: analyzed, table: table, columns: idle.columns,
      written: idle.written.compactMap(context.schema.table), fix: idle.fix
    ).verdict()
    if verdict == .different { return [] }
    var outcome = Finding.Outcome.proven(comparisons)
    if case .untried(let reason, _) = verdict {
      outcome = .notMeasured(reason: "Not proven to write the same. \(reason)")
    }
    let names = idle.triggers.map(\.name).joined(separator: " and ")
    let isOne = idle.triggers.count == 1
    let columns = idle.columns.joined(separator: ", ")
    return [
      Finding(
        kind: .triggerWithoutColumns, severity: outcome.severity, statement: analyzed.statement.id,
        caller: analyzed.caller,
        title:
          "\(names) \(isOne ? "runs" : "run") for each updated row, and \(isOne ? "reads" : "read") no column that is set",
        explanation:
          "A trigger for all updates of \(idle.table) runs for updates of any column. \(isOne ? "This one reads" : "These read") "
          + "only \(columns) of the row, and then \(isOne ? "writes" : "write") the values that are there already. With the columns after OF it "
          + "runs where one of them is set.",
        evidence: [
          Evidence(
            name: "rows written", value: Double(analyzed.measurements.map(\.rowsReturned).max() ?? 0), unit: "rows")
        ],
        fix: verdict.isSame
          ? Fix(summary: "Let \(names) run for updates of \(columns) only", sql: idle.fix) : nil,
        outcome: outcome,
        limits: analyzed.limits + [
          "Values that other statements write to \(idle.written.joined(separator: ", ")) are no longer corrected by an update of other columns."
        ],
        formProof: verdict.proof)
    ]
  }

  /// Digests of the contents of tables after a statement, which is then undone. O(their rows).
  private func digests(
    of tables: [String], after sql: String, _ sample: BindingSample, in context: DetectorContext
  ) throws -> [Int] {
    try context.limited {
      try context.connection.undoingWrite {
        let write = try context.connection.prepareReadingOrWriting(sql)
        try write.bind(sample.values)
        while try write.step() {}
        return try tables.map { table in
          let rows = try context.connection.prepare("SELECT * FROM \(table.quotedIdentifier)", authority: .reading)
          var digest = 0
          while try rows.step() {
            // The order of rows doesn't count.
            digest &+= rows.row.map(String.init(describing:)).hashValue
          }
          return digest
        }
      }
    }
  }
}

/// The triggers of an update that change nothing if the update sets none of the columns that they read.
private struct IdleTriggers {
  let table: String
  private(set) var triggers: [TriggerSchema] = []
  /// The columns of the updated row that the triggers read, as the table spells them.
  let columns: [String]
  /// The tables that the triggers write.
  let written: [String]
  let fix: [String]

  /// Finds the triggers; nil if there are none.
  init?(_ shape: QueryShape, _ schema: DatabaseSchema) {
    guard case .update(let name, let updated) = shape.kind, let table = schema.table(name), table.kind == .ordinary
    else {
      return nil
    }
    self.table = table.name
    let updatedKeys = Set(updated.map(\.asciiLowercased))
    if !updatedKeys.isDisjoint(with: ActualColumn.rowIDNames) { return nil }
    let event = TriggerEvent(kind: .update, table: name.asciiLowercased, columns: Array(updatedKeys))
    let fired = schema.triggers.compactMap { trigger in
      TriggerText(trigger).flatMap { $0.event.isFired(by: event) ? TriggerWork(trigger, $0, schema) : nil }
    }
    let names = Set(table.columns.map(\.name.asciiLowercased))
    func columns(of work: TriggerWork) -> Set<String> {
      Set(
        work.text.rowColumns.compactMap { column in
          let isRowID = !names.contains(column) && ActualColumn.rowIDNames.contains(column)
          return isRowID ? table.rowIDAlias?.asciiLowercased : column
        })
    }
    var idle = fired.filter { work in
      let columns = columns(of: work)
      return work.isOfRow && work.text.event.columns.isEmpty && !columns.isEmpty && columns.isSubset(of: names)
        && columns.isDisjoint(with: updatedKeys) && !work.written.isEmpty
    }
    // The removal from a full-text table and the insertion into it belong together.
    while let odd = idle.firstIndex(where: { work in
      work.written.contains { table in
        let all = fired.filter { $0.written.contains(table) }
        let own = idle.filter { $0.written.contains(table) }
        return all.count != own.count
          || Set(own.flatMap(\.added)).contains(table) != Set(own.flatMap(\.removed)).contains(table)
      }
    }) {
      idle.remove(at: odd)
    }
    guard !idle.isEmpty else { return nil }
    let keys = idle.reduce(into: Set<String>()) { $0.formUnion(columns(of: $1)) }
    let ofTable = table.columns.map(\.name).filter { keys.contains($0.asciiLowercased) }
    (triggers, self.columns) = (idle.map(\.trigger), ofTable)
    written = Set(idle.flatMap(\.written)).compactMap { schema.table($0)?.name }.sorted()
    fix = idle.flatMap { work in
      ["DROP TRIGGER \(work.trigger.name.quotedIdentifier)", work.text.creation(of: ofTable)]
    }
  }
}

/// The work of a trigger that only depends on the values that it reads of the row.
private struct TriggerWork {
  let trigger: TriggerSchema
  let text: TriggerText
  /// Whether the trigger only sets columns of other tables to values of the row, or removes the row from full-text
  /// tables and adds it to them.
  private(set) var isOfRow = true
  /// The tables that the trigger writes, in lower case, and the full-text tables from which it removes rows and to
  /// which it adds rows.
  private(set) var written: Set<String> = []
  private(set) var removed: Set<String> = []
  private(set) var added: Set<String> = []

  init(_ trigger: TriggerSchema, _ text: TriggerText, _ schema: DatabaseSchema) {
    (self.trigger, self.text) = (trigger, text)
    let description = schema.description
    for sql in text.statements {
      guard let shape = try? ShapeReader.shape(of: sql, in: description), let statement = try? SQLParser.parse(sql)
      else {
        isOfRow = false
        continue
      }
      let key = trigger.table.asciiLowercased
      if shape.selectsWithViews.flatMap(\.sources).contains(where: { $0.table?.asciiLowercased == key }) {
        isOfRow = false
      }
      note(statement, shape, schema)
    }
    if written.contains(trigger.table.asciiLowercased) { isOfRow = false }
  }

  private mutating func note(_ statement: SQLStatement, _ shape: QueryShape, _ schema: DatabaseSchema) {
    let reader = KeyReader(resolved: shape.resolved)
    switch (statement.kind, shape.kind) {
    case (.select(let select), _):
      // The condition of the trigger, as it reads nothing else.
      isOfRow =
        isOfRow && select.cores.count == 1 && select.cores[0].from == nil
        && select.cores[0].condition.map(reader.isOfParameters) ?? false
    case (.update(let update), .update(let table, _)):
      written.insert(table.asciiLowercased)
      isOfRow =
        isOfRow && update.from == nil && update.with == nil && update.limit == nil
        && update.assignments.allSatisfy { reader.isOfParameters($0.value) }
    case (.delete(let delete), .delete(let table)):
      note(removalFrom: table, schema)
      isOfRow = isOfRow && delete.with == nil && delete.limit == nil
    case (.insert(let insert), .insert(let table)):
      // The first column of a command has the table's name.
      let isCommand = insert.columns.first?.key == table.asciiLowercased
      if isCommand { note(removalFrom: table, schema) } else { note(additionTo: table, schema) }
      let rows = insert.select.map { $0.cores.flatMap(\.rows) } ?? []
      isOfRow =
        isOfRow && insert.upserts.isEmpty && rows.count == 1 && insert.select?.cores.count == 1
        && rows[0].allSatisfy(reader.isOfParameters)
    default: isOfRow = false
    }
  }

  private mutating func note(removalFrom table: String, _ schema: DatabaseSchema) {
    written.insert(table.asciiLowercased)
    removed.insert(table.asciiLowercased)
    isOfRow = isOfRow && schema.table(table)?.isFullText == true
  }

  private mutating func note(additionTo table: String, _ schema: DatabaseSchema) {
    written.insert(table.asciiLowercased)
    added.insert(table.asciiLowercased)
    isOfRow = isOfRow && schema.table(table)?.isFullText == true
  }
}

extension KeyReader {
  /// Whether an expression has the same value whenever its parameters have.
  fileprivate func isOfParameters(_ expression: SQLExpression) -> Bool {
    expression.readsNoRows
      && expression.withDescendants.allSatisfy { node in
        switch node.kind {
        case .literal(.currentTime): false
        case .pattern(let pattern): pattern.name == "LIKE" || pattern.name == "GLOB"
        case .call(let call): isDeterministic(call)
        default: true
        }
      }
  }
}
