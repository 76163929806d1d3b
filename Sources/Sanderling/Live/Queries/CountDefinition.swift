/// A query whose rows a live count counts.
struct CountDefinition: Sendable {
  private let statement: SelectStatement

  init<Root, Output>(_ query: Selection<Root, Output>) {
    statement = query.statement
  }

  /// The query's form in an engine, and its compared values.
  func form(among forms: LiveForms) -> (form: CountForm, values: [StorageValue]) {
    let (statement, values) = statement.counted.separated
    let key = LiveForms.Key(kind: .count, source: .statement(statement), output: nil)
    return (forms.form(key) { CountForm(statement) }, values)
  }
}

/// Live counts that differ only in compared values.
final class CountForm: LiveForm {
  /// The plan that maintains the counts.
  private struct Plan: Sendable {
    let routes: RoutePlan
    /// Reads the keys of changed rows; nil when Swift evaluates the conditions.
    let statements: RowStatements?
  }

  private let statement: SelectStatement
  private let plan = FormPlan<Plan>()

  init(_ statement: SelectStatement) {
    self.statement = statement
  }

  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery {
    do {
      if let reason { throw reason }
      let plan = try plan.get(makePlan)
      let routes = plan.routes.filled(values)
      if let statements = plan.statements {
        return KeySetCountQuery(statement: statement, statements: statements, values: values, plan: routes)
      }
      return CountQuery(form: statement, values: values, plan: routes)
    } catch {
      let source = RerunValue(
        statement: { [statement] in try statement.filled(values).countStatement },
        decode: { Int(clamping: try $0.integer(at: 0, for: Int.self)) })
      return RequeriedValue(source, reason: RequeryReason(error))
    }
  }

  /// - Throws: The reason why the counts are rerun.
  private func makePlan() throws -> Plan {
    if statement.isGrouped { throw RequeryReason("it counts groups") }
    if let reason = statement.requeryReason { throw reason }
    _ = try statement.countStatement
    let routes = try RoutePlan(
      root: statement.source.type, condition: statement.condition, orderings: [], outputs: [])
    return Plan(
      routes: routes, statements: routes.isWholeCondition ? nil : try RowStatements(statement.withoutLimit))
  }
}
