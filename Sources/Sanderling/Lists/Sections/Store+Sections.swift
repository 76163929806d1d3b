extension Store {
  /// Returns a live list of a query's rows in sections.
  ///
  /// ```swift
  /// let list = store.liveSections(TodoTask.order { $0.title }.sectioned { $0.project.name }, window: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - window: The number of rows that each open section shows at first, at least 1; see
  ///     ``LiveSectionedList/loadMore(in:_:)``. A smaller limit of the query takes precedence. With a window less than
  ///     1, the list fails with ``StoreError/invalidQuery(_:)``.
  ///   - startsOpen: Whether sections are open that the app has neither opened nor closed.
  @MainActor
  public func liveSections<Root, Key, Values, Output>(
    _ query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> LiveSectionedList<Key, Values, Output> {
    LiveSectionedList(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Returns the snapshots of a query's rows in sections, beginning with the current one. Parameters as of
  /// ``liveSections(_:window:startsOpen:)-(SectionedSelection<Root,Key,Values,Output>,_,_)``.
  public func snapshots<Root, Key, Values, Output>(
    of query: SectionedSelection<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedSnapshots<Key, Values, Output> {
    SectionedSnapshots(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Returns the changes of a query's rows in sections. The first inserts everything. Parameters as of
  /// ``liveSections(_:window:startsOpen:)-(SectionedSelection<Root,Key,Values,Output>,_,_)``.
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
  /// Returns a live list of a query's records in sections, with their associated records. Parameters as of
  /// ``liveSections(_:window:startsOpen:)-(SectionedSelection<Root,Key,Values,Output>,_,_)``.
  @MainActor
  public func liveSections<Root, Key, Values, Output>(
    _ query: PrefetchingSections<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> LiveSectionedList<Key, Values, Output> {
    LiveSectionedList(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Returns the snapshots of a query's records in sections, with their associated records, beginning with the current
  /// one.
  public func snapshots<Root, Key, Values, Output>(
    of query: PrefetchingSections<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedSnapshots<Key, Values, Output> {
    SectionedSnapshots(source: sectionsSource(SectionedDefinition(query), window: window, startsOpen: startsOpen))
  }

  /// Returns the changes of a query's records in sections, with their associated records. The first inserts everything.
  public func changes<Root, Key, Values, Output>(
    of query: PrefetchingSections<Root, Key, Values, Output>, window: Int = 100, startsOpen: Bool = true
  ) -> SectionedChanges<Key, Values, Output> {
    SectionedChanges(snapshots: snapshots(of: query, window: window, startsOpen: startsOpen))
  }
}
