/// A query whose rows are counted.
struct CountDefinition: Sendable {
  private let statement: SelectStatement

  init<Root, Output>(_ query: Selection<Root, Output>) {
    statement = query.statement
  }

  var request: LiveRequest<LiveReading<Int>> {
    LiveRequest(query: { query(in: $0) }) { feed, _ in ValueConsumer(feed, makeQuery: { query(in: $0) }) }
  }

  func query(in core: LiveCore) -> LiveQuery {
    // What is read of each row, and in which order, doesn't matter to how many there are.
    var counted = statement
    if !statement.isGrouped && !statement.isDistinct {
      counted.columns = [.literal(.integer(1))]
      counted.orderings = []
    }
    let key = AnyHashable(LiveQueryKey(kind: .count, source: .statement(counted), output: nil))
    return core.query(key) { number in
      do {
        if statement.isGrouped { throw RequeryReason("it counts groups") }
        if let reason = counted.requeryReason { throw reason }
        _ = try counted.countStatement
        let route = try RoutePlan(root: counted.source.type, condition: counted.condition, orderings: [], outputs: [])
        if route.isWholeCondition {
          return CountQuery(key: key, number: number, statement: counted, route: route)
        }
        return KeySetCountQuery(
          key: key, number: number, statement: counted, statements: try RowStatements(counted.withoutLimit),
          route: route)
      } catch {
        return RequeriedValue(countOf: statement, key: key, number: number, RequeryReason(error))
      }
    }
  }
}
