extension Store {
  /// The rows of a query in sections, followed.
  ///
  /// ```swift
  /// let list = store.liveSections(TodoTask.order { $0.title }.sectioned { $0.project.name }, window: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - window: How many rows of each open section to hold at first; see ``LiveSectionedList/loadMore(in:_:)``. A smaller limit of the
  ///     query counts.
  ///   - startsOpen: Whether sections are open of which nothing else is said.
  /// - Precondition: The window is positive.
  @MainActor
  public func liveSections<Root, Key, Values, Output>(
    _ query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> LiveSectionedList<Key, Values, Output> {
    LiveSectionedList(source: sectionsSource(query, window: window, startsOpen: startsOpen))
  }

  /// Each snapshot of a query's rows in sections, the current one first. Parameters as of ``liveSections(_:window:startsOpen:)``.
  public func snapshots<Root, Key, Values, Output>(
    of query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedSnapshots<Key, Values, Output> {
    SectionedSnapshots(source: sectionsSource(query, window: window, startsOpen: startsOpen))
  }

  /// Each change of a query's rows in sections. The first inserts all. Parameters as of ``liveSections(_:window:startsOpen:)``.
  public func changes<Root, Key, Values, Output>(
    of query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedChanges<Key, Values, Output> {
    SectionedChanges(snapshots: snapshots(of: query, window: window, startsOpen: startsOpen))
  }

  private func sectionsSource<Root, Key, Values, Output>(
    _ query: SectionedSelection<Root, Key, Values, Output>, window: Int, startsOpen: Bool
  ) -> SectionsSource<Key, Values, Output> {
    precondition(window > 0, "a window holds at least one row")
    return SectionsSource(
      engine: live, definition: SectionedDefinition(query), window: window, startsOpen: startsOpen)
  }
}
