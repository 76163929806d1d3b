import GRDB

/// A live count whose conditions contain aggregates, which only SQLite evaluates. The keys of its rows are kept.
final class KeySetCountQuery: LiveQuery {
  let following: QueryFollowing
  private let statement: SelectStatement
  private let statements: RowStatements
  private let plan: RoutePlan
  private let values: [StorageValue]
  private var keys: Set<RowKey>?
  private var touched: Set<RowKey> = []
  private var loaded = LoadSlot<Set<RowKey>>()

  /// - Parameters:
  ///   - statement: The query, with stand-ins for its compared values.
  ///   - statements: The statements of its form.
  init(statement: SelectStatement, statements: RowStatements, values: [StorageValue], plan: RoutePlan) {
    self.statement = statement
    self.statements = statements
    self.plan = plan
    self.values = values
    following = .maintained(plan)
  }

  func content(window: Int) -> ValueContent<Int>? {
    keys.map { statement.content($0.count) }
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let (statements, values, loaded) = (statements, values, loaded.begin())
    return { db in loaded.put(try Self.readKeys(statements, values, db)) }
  }

  private static func readKeys(
    _ statements: RowStatements, _ values: [StorageValue], _ db: Database
  ) throws -> Set<RowKey> {
    var keys: Set<RowKey> = []
    let statement = try statements.all().filled(values)
    try db.forEachRow(of: statement.sql) {
      try $0.bind(statement.arguments)
    } row: {
      let key = RowKey(statements.key($0))
      if key.hasNull, let type = statements.keyedType { throw RequeryReason.keyIsNull(type) }
      keys.insert(key)
    }
    return keys
  }

  func endLoad(window: Int) -> QueryOutcome {
    keys = loaded.take()
    return .news
  }

  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws {
    touched.insert(event.key)
  }

  func forgetChanges() {
    touched = []
  }

  func apply(_ rows: BatchRows, window: Int) throws -> QueryOutcome {
    guard !touched.isEmpty, var keys else { return .unchanged }
    self.keys = nil
    let before = statement.limited(keys.count)
    for key in touched {
      if try statements.contains(key, values, rows.database) { keys.insert(key) } else { keys.remove(key) }
    }
    touched = []
    self.keys = keys
    return statement.limited(keys.count) == before ? .unchanged : .news
  }

  func check(window: Int) -> LiveCheck? {
    // Rows are not compared if a value chooses them that depends on the order of visits.
    keys.flatMap {
      statement.condition?.dependsOnVisits ?? false
        ? nil : .count($0.count, of: statement.filled(values).withoutLimit, plan)
    }
  }
}
