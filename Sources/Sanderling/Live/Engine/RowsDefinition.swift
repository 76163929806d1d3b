/// A query whose rows are followed.
struct RowsDefinition<Element: Sendable>: Sendable {
  let source: LiveQueryKey.Source
  let columnCount: Int
  let decode: @Sendable (ResultRow) throws -> Element

  init<Root>(_ query: Selection<Root, Element>) {
    source = .statement(query.statement)
    columnCount = query.statement.columns.count
    decode = query.decode
  }

  init(_ query: RawQuery<Element>) {
    source = .raw(query.fragments)
    columnCount = query.columnCount
    decode = query.decode
  }

  var request: LiveRequest<LiveSnapshot<Element>> {
    LiveRequest(query: { query(in: $0) }) { feed, window in
      RowsConsumer(feed, window: window, makeQuery: { query(in: $0) })
    }
  }

  /// The first row, as a value.
  var firstRowRequest: LiveRequest<LiveReading<Element>> {
    LiveRequest(query: { query(in: $0) }) { feed, _ in
      FirstRowConsumer(feed, makeQuery: { query(in: $0) })
    }
  }

  func query(in core: LiveCore) -> LiveQuery {
    let key = AnyHashable(LiveQueryKey(kind: .rows, source: source, output: ObjectIdentifier(Element.self)))
    return core.query(key) { number in
      do {
        guard case .statement(let statement) = source else { throw RequeryReason("it is written by hand") }
        if let reason = statement.requeryReason { throw reason }
        _ = try SQLCompiler.compile(statement)
        let route = try RoutePlan(
          root: statement.source.type, condition: statement.condition, orderings: statement.followedOrderings,
          outputs: statement.isGrouped ? [] : statement.columns)
        let tally = statement.isGrouped ? Tally(statement) : nil
        let statements = try RowStatements(statement, counted: tally?.terms ?? route.counted.map(\.term))
        return try RowsQuery(
          key: key, number: number, definition: self, statement: statement, statements: statements, route: route,
          tally: tally)
      } catch {
        return RequeriedRows(key: key, number: number, definition: self, reason: RequeryReason(error))
      }
    }
  }
}
