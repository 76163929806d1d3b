/// Makes a live result follow another query when the day changes. Owned by the result, and ends with it.
@MainActor
final class DayFollower {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - today: The day of the result's present query.
  ///   - replace: Makes the result follow the query of another day. It must not retain the result.
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
  /// Returns a live list of a query that depends on the current day: of tasks that are due today or overdue, for
  /// example.
  ///
  /// ```swift
  /// @State private var due = store.liveList { today in
  ///   TodoTask.where { $0.dueAt.in(.today, from: today) }.order { $0.dueAt }
  /// }
  /// ```
  ///
  /// At midnight, and when the clock, the time zone or the calendar is set, the list follows the new day's query in
  /// place. As after ``LiveList/replace(_:)-(Selection<Root,Element>)``, the old rows stay until the new ones are read.
  /// The window keeps its size.
  ///
  /// - Parameters:
  ///   - days: The clock that knows the day.
  ///   - window: As for ``liveList(_:window:start:)-(Selection<Root,Output>,_,_)``.
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

  /// Returns a live count of a query's rows that depends on the current day, like ``liveList(on:window:_:)``.
  @MainActor
  public func liveCount<Root, Output>(
    on days: DayClock = DayClock(), _ query: @escaping @MainActor (Today) -> Selection<Root, Output>
  ) -> LiveCount {
    let today = days.today
    let count = liveCount(query(today))
    count.dayFollower = DayFollower(days, today: today) { [weak count] in count?.replace(counting: query($0)) }
    return count
  }

  /// Returns the live first row of a query that depends on the current day, like ``liveList(on:window:_:)``.
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
