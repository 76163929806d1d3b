/// A query whose first row is followed.
struct ValueDefinition<Value: Sendable>: Sendable {
  let rows: RowsDefinition<Value>
  private let statement: SelectStatement
  private let decode: @Sendable (ResultRow) throws -> Value

  init<Root>(_ query: Selection<Root, Value>) {
    statement = query.statement
    decode = query.decode
    rows = RowsDefinition(query)
  }

  /// Whether the query aggregates all of its rows, so that its result is no row of a list.
  var isSummary: Bool { statement.isGrouped && statement.groups.isEmpty }

  /// The form of a query that aggregates all of its rows.
  func summaryForm(among forms: LiveForms) -> SummaryForm<Value> {
    let key = LiveForms.Key(kind: .summary, source: .statement(statement), output: ObjectIdentifier(Value.self))
    return forms.form(key) { SummaryForm(statement: statement, decode: decode) }
  }
}

/// A live query that aggregates all of its rows. It is the only query of its form.
final class SummaryForm<Value: Sendable>: LiveForm {
  private let statement: SelectStatement
  private let decode: @Sendable (ResultRow) throws -> Value

  init(statement: SelectStatement, decode: @escaping @Sendable (ResultRow) throws -> Value) {
    self.statement = statement
    self.decode = decode
  }

  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery {
    do {
      if let reason { throw reason }
      return try SummaryQuery(statement: statement, decode: decode)
    } catch {
      let source = RerunValue(statement: { [statement] in try SQLCompiler.compile(statement) }, decode: decode)
      return RequeriedValue(source, reason: RequeryReason(error))
    }
  }
}

extension RequeryReason {
  /// The reason in an error. Any error is a reason: an invalid query is rerun, so that its failure is reported like
  /// others.
  init(_ error: any Error) {
    self = error as? RequeryReason ?? RequeryReason("it can't be analyzed: \(error)")
  }
}
