/// What makes two live queries the same.
struct LiveQueryKey: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case statement(SelectStatement)
    case raw([RawFragment])
  }

  enum Kind: Hashable, Sendable {
    case rows, count, summary
  }

  let kind: Kind
  let source: Source
  /// The type of what is read, which is nothing for counts.
  let output: ObjectIdentifier?
}

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
