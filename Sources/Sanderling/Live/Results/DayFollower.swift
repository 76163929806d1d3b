/// Gives a live result another query when the day changes. The result makes it, holds it, and ends it.
@MainActor
final class DayFollower {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - today: For which day the result's query was made.
  ///   - replace: Makes the result follow the query of another day. It must not hold the result.
  init(_ clock: DayClock, today: Today, replace: @escaping @MainActor (Today) -> Void) {
    task = Task { @MainActor in
      var today = today
      while let next = try? await clock.change(of: today) {
        today = next
        replace(today)
      }
    }
  }

  deinit {
    task.cancel()
  }
}

extension Store {
  /// The rows of a query that depends on the current day, followed: for lists of the tasks that are due today, or overdue.
  ///
  /// ```swift
  /// @State private var due = store.liveList { today in
  ///   TodoTask.where { $0.dueAt.in(.today, from: today) }.order { $0.dueAt }
  /// }
  /// ```
  ///
  /// At midnight, and when the clock, the time zone or the calendar is set, the list follows the new day's query in place, as
  /// ``LiveList/replace(_:)-(Selection<Root,Element>)`` has it, with as many rows as before.
  ///
  /// - Parameters:
  ///   - days: The clock that knows the day.
  ///   - window: As of ``liveList(_:window:start:)-(Selection<Root,Output>,_,_)``.
  ///   - query: Makes the query of a day.
  @MainActor
  public func liveList<Root, Output>(
    on days: DayClock = DayClock(), window: Int = 100, _ query: @escaping @MainActor (Today) -> Selection<Root, Output>
  ) -> LiveList<Output> {
    let today = days.today
    let list = liveList(query(today), window: window)
    list.dayFollower = DayFollower(days, today: today) { [weak list] in list?.follow(query($0)) }
    return list
  }

  /// The live number of rows of a query that depends on the current day. As ``liveList(on:window:_:)``.
  @MainActor
  public func liveCount<Root, Output>(
    on days: DayClock = DayClock(), _ query: @escaping @MainActor (Today) -> Selection<Root, Output>
  ) -> LiveCount {
    let today = days.today
    let count = liveCount(query(today))
    count.dayFollower = DayFollower(days, today: today) { [weak count] in count?.replace(counting: query($0)) }
    return count
  }

  /// The live first row of a query that depends on the current day. As ``liveList(on:window:_:)``.
  @MainActor
  public func liveValue<Root, Output>(
    on days: DayClock = DayClock(), _ query: @escaping @MainActor (Today) -> Selection<Root, Output>
  ) -> LiveValue<Output> {
    let today = days.today
    let value = liveValue(query(today))
    value.dayFollower = DayFollower(days, today: today) { [weak value] in value?.replace(query($0)) }
    return value
  }
}
