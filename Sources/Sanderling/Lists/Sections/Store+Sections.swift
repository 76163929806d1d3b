extension Store {
  /// The rows of a query in sections, followed.
  ///
  /// ```swift
  /// let list = store.liveSections(TodoTask.order { $0.title }.sectioned { $0.project.name }, window: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - window: How many rows of each open section to hold at first, from 1 on; see ``LiveSectionedList/loadMore(in:_:)``. A smaller limit
  ///     of the query counts. With a smaller window the list fails with ``StoreError/invalidQuery(_:)``.
  ///   - startsOpen: Whether sections are open where nothing else is said of them.
  @MainActor
  public func liveSections<Root, Key, Values, Output>(
    _ query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> LiveSectionedList<Key, Values, Output> {
    LiveSectionedList(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Each snapshot of a query's rows in sections, the current one first. Parameters as of ``liveSections(_:window:startsOpen:)-(SectionedSelection<Root,Key,Values,Output>,_,_)``.
  public func snapshots<Root, Key, Values, Output>(
    of query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedSnapshots<Key, Values, Output> {
    SectionedSnapshots(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Each change of a query's rows in sections. The first inserts all. Parameters as of ``liveSections(_:window:startsOpen:)-(SectionedSelection<Root,Key,Values,Output>,_,_)``.
  public func changes<Root, Key, Values, Output>(
    of query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedChanges<Key, Values, Output> {
    SectionedChanges(snapshots: snapshots(of: query, window: window, startsOpen: startsOpen))
  }

  private func sectionsSource<Key, Values, Output>(
    _ definition: SectionedDefinition<Key, Values, Output>, window: Int, startsOpen: Bool
  ) -> SectionsSource<Key, Values, Output> {
    SectionsSource(engine: live, definition: definition, window: window, startsOpen: startsOpen)
  }
}

extension Store {
  /// The records of a query in sections, with their associated ones, followed. Parameters as of
  /// ``liveSections(_:window:startsOpen:)-(SectionedSelection<Root,Key,Values,Output>,_,_)``.
  @MainActor
  public func liveSections<Root, Key, Values, Output>(
    _ query: PrefetchingSections<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> LiveSectionedList<Key, Values, Output> {
    LiveSectionedList(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Each snapshot of a query's records in sections, with their associated ones, the current one first.
  public func snapshots<Root, Key, Values, Output>(
    of query: PrefetchingSections<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedSnapshots<Key, Values, Output> {
    SectionedSnapshots(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Each change of a query's records in sections, with their associated ones. The first inserts all.
  public func changes<Root, Key, Values, Output>(
    of query: PrefetchingSections<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedChanges<Key, Values, Output> {
    SectionedChanges(snapshots: snapshots(of: query, window: window, startsOpen: startsOpen))
  }
}
