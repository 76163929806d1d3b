/// A query whose first row is followed.
struct ValueDefinition<Value: Sendable>: Sendable {
  private let rows: RowsDefinition<Value>
  private let statement: SelectStatement

  init<Root>(_ query: Selection<Root, Value>) {
    statement = query.statement
    rows = RowsDefinition(query)
  }

  var request: LiveRequest<LiveReading<Value>> {
    guard statement.isGrouped, statement.groups.isEmpty else { return rows.firstRowRequest }
    return LiveRequest(query: { query(in: $0) }) { feed, _ in ValueConsumer(feed, makeQuery: { query(in: $0) }) }
  }

  /// The query of a statement that aggregates all of its rows.
  func query(in core: LiveCore) -> LiveQuery {
    let key = AnyHashable(
      LiveQueryKey(kind: .summary, source: .statement(statement), output: ObjectIdentifier(Value.self)))
    let decode = rows.decode
    return core.query(key) { number in
      do {
        return try SummaryQuery(key: key, number: number, statement: statement, decode: decode)
      } catch {
        return RequeriedValue(statement, key: key, number: number, RequeryReason(error), decode: decode)
      }
    }
  }
}

extension RequeryReason {
  /// The reason that an error gives. An invalid query is run, so that its error is told as that of any other.
  init(_ error: any Error) {
    self = error as? RequeryReason ?? RequeryReason("it can't be analyzed: \(error)")
  }
}
