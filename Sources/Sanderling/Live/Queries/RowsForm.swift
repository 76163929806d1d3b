/// Live lists that differ only in compared values.
final class RowsForm<Element: Sendable>: LiveForm {
  private let definition: RowsDefinition<Element>
  private let plan = FormPlan<RowsPlan<Element>>()

  init(_ definition: RowsDefinition<Element>) {
    self.definition = definition
  }

  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery {
    do {
      if let reason { throw reason }
      return try RowsQuery(plan.get { try RowsPlan(definition) }, values)
    } catch {
      return RequeriedRows(definition.filled(values), reason: RequeryReason(error))
    }
  }
}

/// The plan that live lists of one form share: their statements, and which changes concern them.
final class RowsPlan<Element: Sendable>: Sendable {
  let definition: RowsDefinition<Element>
  let decode: RowsDefinition<Element>.DecodeOne
  /// The query, with stand-ins for its compared values.
  let statement: SelectStatement
  let offset: Int
  let limit: Int?
  let statements: RowStatements
  let routes: RoutePlan
  let ordering: WindowOrdering
  /// The terms that group the rows; empty for rows of the table itself.
  let groups: [PreparedTerm]
  /// Maintains the counts and sums of the groups; nil when they are read again.
  let tally: Tally?

  /// - Throws: The reason why queries of the form are rerun.
  init(_ definition: RowsDefinition<Element>) throws {
    guard case .statement(let statement) = definition.source, let decode = definition.decode else {
      throw RequeryReason("it is written by hand")
    }
    if let reason = statement.requeryReason { throw reason }
    if let reason = definition.prefetched.firstResult(of: \.requeryReason) { throw reason }
    _ = try SQLCompiler.compile(statement)
    self.definition = definition
    self.decode = decode
    self.statement = statement
    (offset, limit) = (statement.offset, statement.limit)
    routes = try RoutePlan(
      root: statement.source.type, condition: statement.condition, orderings: statement.followedOrderings,
      outputs: statement.isGrouped ? [] : statement.columns, prefetched: definition.prefetched)
    tally = statement.isGrouped ? Tally(statement) : nil
    statements = try RowStatements(
      statement, counted: tally?.terms ?? routes.counted.map(\.term), magnitudes: tally?.magnitudes ?? routes.magnitudes
    )
    groups = try statement.groups.map { try PreparedTerm($0) }
    ordering = WindowOrdering(statements.orderings, keyCount: statements.keyCount)
  }
}
