extension Store {
  /// Returns a live list in sections of a query that depends on the current day. As ``liveList(on:window:_:)``, with
  /// parameters as of ``liveSections(_:window:startsOpen:)-(SectionedSelection<Root,Key,Values,Output>,_,_)``.
  @MainActor
  public func liveSections<Root, Key, Values, Output>(
    on days: DayClock = DayClock(), window: Int = 100, startsOpen: Bool = true,
    _ query: @escaping @MainActor (Today) -> SectionedSelection<Root, Key, Values, Output>
  ) -> LiveSectionedList<Key, Values, Output> {
    let today = days.today
    let list = liveSections(query(today), window: window, startsOpen: startsOpen)
    list.dayFollower = DayFollower(days, today: today) { [weak list] in list?.replace(query($0)) }
    return list
  }
}
