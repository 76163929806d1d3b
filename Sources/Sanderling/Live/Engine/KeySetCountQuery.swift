import GRDB

/// A live count whose conditions take aggregates, which only SQLite evaluates: the keys of its rows are kept.
final class KeySetCountQuery: ValueResult<Int> {
  private let statement: SelectStatement
  private let statements: RowStatements
  private var keys: Set<RowKey> = []
  private var touched: Set<RowKey> = []

  init(
    key: AnyHashable, number: Int, statement: SelectStatement, statements: RowStatements, route: RoutePlan
  ) {
    self.statement = statement
    self.statements = statements
    super.init(key: key, number: number, route: route, requeryReason: nil)
  }

  private var limitedCount: Int { statement.limited(keys.count) }

  override var result: (value: Int?, version: UInt64) { (limitedCount, UInt64(limitedCount)) }

  override func runningAgain(number: Int, _ reason: RequeryReason) -> LiveQuery {
    RequeriedValue(countOf: statement, key: key, number: number, reason)
  }

  override func makeLoad() -> LiveLoad {
    let (statements, number) = (statements, number)
    return LiveLoad(query: number) { db in
      var keys: Set<RowKey> = []
      let statement = try statements.all()
      try db.forEachRow(of: statement.sql) {
        try $0.bind(statement.arguments)
      } row: {
        let key = RowKey(statements.key($0))
        if key.hasNull, let type = statements.keyedType { throw RequeryReason.keyIsNull(type) }
        keys.insert(key)
      }
      return { [keys] core in
        guard let query = core.query(number) as? KeySetCountQuery else { return }
        query.keys = keys
      }
    }
  }

  override func rowChanged(_ event: RowEvent) throws {
    touched.insert(event.key)
  }

  override func forgetChanges() {
    touched = []
  }

  override func apply(_ batch: BatchRows, _ core: LiveCore) throws {
    guard !touched.isEmpty else { return }
    let before = limitedCount
    for key in touched {
      if try statements.contains(key, batch.database) { keys.insert(key) } else { keys.remove(key) }
    }
    touched = []
    if limitedCount != before { agenda?.tell(self) }
  }
}
