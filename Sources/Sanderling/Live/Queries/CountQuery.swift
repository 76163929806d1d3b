import GRDB

/// A live count whose conditions Swift evaluates. Each change adds the difference between the row before and after.
final class CountQuery: LiveQuery {
  var following: QueryFollowing { .maintained(plan) }
  /// The query, with stand-ins for its compared values.
  private let form: SelectStatement
  private let values: [StorageValue]
  private let plan: RoutePlan
  /// Evaluates the condition for the rows of a batch. Made for the first of them.
  private var condition: PreparedTerm??
  /// The number of rows that satisfy the condition, without the query's limit and offset.
  private var count: Int?
  /// The sum of the changes since the last ``apply(_:window:)`` or the snapshot of the load under way.
  private var change = 0
  private var loaded = LoadSlot<Int>()

  init(form: SelectStatement, values: [StorageValue], plan: RoutePlan) {
    self.form = form
    self.values = values
    self.plan = plan
  }

  func content(window: Int) -> ValueContent<Int>? {
    count.map(form.content)
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let loaded = loaded.begin()
    let statement = form.filled(values).withoutLimit
    return { db in loaded.put(try db.count(statement)) }
  }

  func endLoad(window: Int) -> QueryOutcome {
    count = loaded.take()
    return .news
  }

  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws {
    if event.hasEqualImages { return }
    let condition = try condition ?? plan.condition()
    self.condition = condition
    let was = try event.old.map { try condition?.isTrue(in: $0) ?? true } ?? false
    let `is` = try event.new.map { try condition?.isTrue(in: $0) ?? true } ?? false
    if was != `is` { change += `is` ? 1 : -1 }
  }

  func forgetChanges() {
    change = 0
    condition = nil
  }

  func apply(_ rows: BatchRows, window: Int) throws -> QueryOutcome {
    condition = nil
    guard change != 0, let before = count else { return .unchanged }
    let after = before + change
    count = after
    change = 0
    return form.limited(before) == form.limited(after) ? .unchanged : .news
  }

  func check(window: Int) -> LiveCheck? {
    count.map { .count($0, of: form.filled(values).withoutLimit, plan) }
  }
}

extension SelectStatement {
  /// The number of rows that the limit and the offset leave of a count.
  func limited(_ count: Int) -> Int {
    min(max(count - offset, 0), limit ?? .max)
  }

  /// The content of a live count, for a number of rows.
  func content(_ count: Int) -> ValueContent<Int> {
    let limited = limited(count)
    return ValueContent(value: limited, version: UInt64(limited))
  }

  var withoutLimit: SelectStatement {
    var result = self
    result.limit = nil
    result.offset = 0
    return result
  }
}
