import GRDB

/// A live count whose conditions Swift evaluates: each change adds or takes away what it says about the row before and after.
final class CountQuery: LiveQuery, ValueSource {
  private let statement: SelectStatement
  /// How many rows satisfy the condition; the query's limit and offset are applied when it is published.
  private var count = 0
  /// What changes since the snapshot of a load that is under way add.
  private var change = 0

  init(key: AnyHashable, number: Int, statement: SelectStatement, route: RoutePlan) {
    self.statement = statement
    super.init(key: key, number: number, route: route, requeryReason: nil)
  }

  var value: Int? { statement.limited(count) }
  var version: UInt64 { UInt64(statement.limited(count)) }

  override func runningAgain(number: Int, _ reason: RequeryReason) -> LiveQuery {
    RequeriedValue(countOf: statement, key: key, number: number, reason)
  }

  override func makeLoad() -> LiveLoad {
    let (statement, number) = (statement.withoutLimit, number)
    return LiveLoad(query: number) { db in
      let count = try db.count(statement)
      return { core in
        guard let query = core.query(number) as? CountQuery else { return }
        query.count = count
      }
    }
  }

  override func rowChanged(_ event: RowEvent) throws {
    guard !event.hasEqualImages, let route else { return }
    let was = try event.old.map { try route.condition?.isTrue(in: $0) ?? true } ?? false
    let `is` = try event.new.map { try route.condition?.isTrue(in: $0) ?? true } ?? false
    if was != `is` { change += `is` ? 1 : -1 }
  }

  override func forgetChanges() {
    change = 0
  }

  override func apply(_ batch: BatchRows, _ core: LiveCore) throws {
    guard change != 0 else { return }
    let before = value
    count += change
    change = 0
    if value != before { agenda?.tell(self) }
  }
}

/// A live count whose conditions take aggregates, which only SQLite evaluates: the keys of its rows are kept.
final class KeySetCountQuery: LiveQuery, ValueSource {
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

  var value: Int? { statement.limited(keys.count) }
  var version: UInt64 { UInt64(statement.limited(keys.count)) }

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
    let before = value
    for key in touched {
      if try statements.contains(key, batch.database) { keys.insert(key) } else { keys.remove(key) }
    }
    touched = []
    if value != before { agenda?.tell(self) }
  }
}

extension SelectStatement {
  /// How many of so many rows are left by the limit and the offset.
  func limited(_ count: Int) -> Int {
    min(max(count - offset, 0), limit ?? .max)
  }

  var withoutLimit: SelectStatement {
    var result = self
    result.limit = nil
    result.offset = 0
    return result
  }
}

extension Database {
  func count(_ statement: SelectStatement) throws -> Int {
    let statement = try statement.countStatement
    var count: Int64 = 0
    try forEachRow(of: statement.sql) {
      try $0.bind(statement.arguments)
    } row: {
      count = try $0.integer(at: 0, for: Int.self)
    }
    return Int(count)
  }
}
