import Observation

/// A count that follows the database.
public typealias LiveCount = LiveValue<Int>

/// A value that follows the database: an aggregate, the first row of a query, or one record.
///
/// ```swift
/// @State private var open = store.liveCount(TodoTask.where { !$0.isCompleted })
/// …
/// Text("\(open.value ?? 0) open")
/// ```
///
/// An unreadable first row is a failure, because there is no other value to show. ``state`` names it, and the last
/// value stays. The result follows on, and shows the row when a change has made it readable.
///
/// It reads nothing until it is first accessed, and stops when it is released.
@MainActor
public final class LiveValue<Value: Sendable>: Observable, LiveResult {
  let shown: ShownPublication<LiveReading<Value>>
  var shownCommit = KnownCommit()
  var subscription: LiveSubscription<LiveReading<Value>>?
  let source: LiveSource<LiveReading<Value>>
  /// Follows the day; nil unless the query depends on the day.
  var dayFollower: DayFollower?

  /// - Parameter shown: The reading to show until the value is followed; nil for none.
  init(engine: LiveEngine, request: LiveRequest<LiveReading<Value>>, shown: LiveReading<Value>?) {
    source = LiveSource(engine: engine, request: request, window: 1)
    self.shown = ShownPublication(shown ?? .unread)
  }
}

extension LiveValue {
  /// The value, the commit and the state together.
  public var current: LiveReading<Value> { look() }

  /// The value; nil before it is first read. Also nil when the query has no first row, or the record does not exist.
  public var value: Value? { current.value }

  /// The relation of the value to the database: loading, current, suspended or failed.
  public var state: LiveState { current.state }

  /// The last commit that the value is known to equal; nil before the first is read.
  public var commit: Commit? { lookAtCommit() }

  /// Stops following the database until ``resume()``, for sequences made of this value too. The value stays.
  public func suspend() {
    source.setSuspended(true)
  }

  /// Follows the database again and catches up.
  public func resume() {
    source.setSuspended(false)
  }

  /// Reads again after a failure.
  public func retry() {
    source.retry()
  }

  /// Follows the first row of another query in place. The old value stays until the new one is read, and also when the
  /// new one can't be read.
  ///
  /// Results that are replaced in one turn of the main actor change together, once all of them are read. Examples are a
  /// list and its count. Reading begins after that turn.
  public func replace<Root>(_ query: Selection<Root, Value>) {
    source.replace(ValueDefinition(query).request(among: source.engine.forms), window: 1)
  }

  /// Follows another record in place, like ``replace(_:)-(Selection<Root,Value>)``.
  public func replace(key: Value.Key) where Value: StoredRecord {
    replace(Value.find(key))
  }

  /// Counts the rows of another query in place, like ``replace(_:)-(Selection<Root,Value>)``.
  public func replace<Root, Output>(counting query: Selection<Root, Output>) where Value == Int {
    source.replace(CountDefinition(query).request(among: source.engine.forms), window: 1)
  }

  /// Waits until the value contains all commits through the store before the call.
  ///
  /// - Throws: As ``reached(_:)``.
  public func caughtUp() async throws {
    try await reached(source.engine.lastCommit)
  }

  /// Waits until the value contains a commit.
  ///
  /// - Throws: ``LiveError/suspended``, the error of reading the value, or `CancellationError`.
  public func reached(_ commit: Commit) async throws { try await show(commit) }

  /// Each reading of the value, the current one first, for any actor.
  public nonisolated var readings: LiveReadings<Value> { LiveReadings(source: source) }
}
