import GRDB

/// A live count whose conditions Swift evaluates: each change adds or takes away what it says about the row before and after.
final class CountQuery: ValueResult<Int> {
  private let statement: SelectStatement
  /// How many rows satisfy the condition; the query's limit and offset are applied when it is published.
  private var count = 0
  /// What changes since the snapshot of a load that is under way add.
  private var change = 0

  init(key: AnyHashable, number: Int, statement: SelectStatement, route: RoutePlan) {
    self.statement = statement
    super.init(key: key, number: number, route: route, requeryReason: nil)
  }

  private var limitedCount: Int { statement.limited(count) }

  override var result: (value: Int?, version: UInt64) { (limitedCount, UInt64(limitedCount)) }

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
    let before = limitedCount
    count += change
    change = 0
    if limitedCount != before { agenda?.tell(self) }
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
