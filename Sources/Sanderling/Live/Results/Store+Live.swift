extension Store {
  /// The engine of the store's live results, made for the first of them.
  var live: LiveEngine {
    followers.follower { LiveEngine(connection, liveOptions) }
  }
}

extension Store {
  /// Returns a live list of a query's rows.
  ///
  /// - Parameters:
  ///   - window: The number of rows to hold at first, from 1 on; a smaller limit of the query counts. With a window
  ///     below 1 the list fails with ``StoreError/invalidQuery(_:)``.
  ///   - start: When reading begins.
  @MainActor
  public func liveList<Root, Output>(
    _ query: Selection<Root, Output>, window: Int = 100, start: LiveStart = .whenObserved
  ) -> LiveList<Output> {
    makeList(RowsDefinition(query), window: window, start: start)
  }

  /// Returns a live list of a query's records with their associated records. A row changes with its record, or with a
  /// prefetched row.
  ///
  /// ```swift
  /// let list = store.liveList(TodoTask.order { $0.title }.with(TodoTask.comments.prefetch { $0.order { $0.text } }))
  /// ```
  ///
  /// A change of an associated record reads the rows that depend on it again, each with all its prefetched records.
  @MainActor
  public func liveList<Root, Output>(
    _ query: PrefetchingSelection<Root, Output>, window: Int = 100, start: LiveStart = .whenObserved
  ) -> LiveList<Output> {
    makeList(RowsDefinition(query), window: window, start: start)
  }

  /// Returns a live list of the rows of a SELECT written by hand. It is rerun after writes of the tables that it reads.
  @MainActor
  public func liveList<Output>(
    _ query: RawQuery<Output>, window: Int = 100, start: LiveStart = .whenObserved
  ) -> LiveList<Output> {
    makeList(RowsDefinition(query), window: window, start: start)
  }

  @MainActor
  private func makeList<Output>(_ definition: RowsDefinition<Output>, window: Int, start: LiveStart) -> LiveList<Output>
  {
    makeList(definition.fitting(window: window).request(among: live.forms), window: window, start: start)
  }

  @MainActor
  func makeList<Output>(
    _ request: LiveRequest<LiveSnapshot<Output>>, window: Int, start: LiveStart
  ) -> LiveList<Output> {
    let shown = start == .immediate ? live.immediate(request, window: window.asWindow) : nil
    return LiveList(engine: live, request: request, window: window, shown: shown)
  }

  /// Returns a live count of a query's rows. A limit of the query counts.
  @MainActor
  public func liveCount<Root, Output>(
    _ query: Selection<Root, Output>, start: LiveStart = .whenObserved
  ) -> LiveCount {
    makeValue(CountDefinition(query).request(among: live.forms), start)
  }

  /// Returns the live first row of a query. A query that aggregates all of its rows has only one.
  ///
  /// ```swift
  /// let next = store.liveValue(TodoTask.where { !$0.isCompleted }.order { $0.dueAt })
  /// let total = store.liveValue(Invoice.select { $0.amount.sum() })
  /// ```
  @MainActor
  public func liveValue<Root, Output>(
    _ query: Selection<Root, Output>, start: LiveStart = .whenObserved
  ) -> LiveValue<Output> {
    makeValue(ValueDefinition(query).request(among: live.forms), start)
  }

  /// Returns the live first record of a query with its associated records.
  @MainActor
  public func liveValue<Root, Output>(
    _ query: PrefetchingSelection<Root, Output>, start: LiveStart = .whenObserved
  ) -> LiveValue<Output> {
    makeValue(RowsDefinition(query).firstRowRequest(among: live.forms), start)
  }

  /// Returns the live record with a key.
  @MainActor
  public func liveValue<R: StoredRecord>(_ record: R.Type, key: R.Key, start: LiveStart = .whenObserved) -> LiveValue<R>
  {
    liveValue(R.find(key), start: start)
  }

  @MainActor
  func makeValue<Value>(_ request: LiveRequest<LiveReading<Value>>, _ start: LiveStart) -> LiveValue<Value> {
    LiveValue(engine: live, request: request, shown: start == .immediate ? live.immediate(request, window: 1) : nil)
  }
}

// MARK: - Without the main actor

extension Store {
  /// Each snapshot of a query's rows, the current one first.
  ///
  /// ```swift
  /// for await snapshot in store.snapshots(of: Job.where { $0.state == .waiting }, window: 10) { … }
  /// ```
  ///
  /// - Parameter window: As for ``liveList(_:window:start:)-(Selection<Root,Output>,_,_)``.
  public func snapshots<Root, Output>(of query: Selection<Root, Output>, window: Int = 100) -> LiveSnapshots<Output> {
    snapshots(of: RowsDefinition(query), window: window)
  }

  /// Each snapshot of a query's records with their associated records, the current one first.
  public func snapshots<Root, Output>(
    of query: PrefetchingSelection<Root, Output>, window: Int = 100
  ) -> LiveSnapshots<Output> {
    snapshots(of: RowsDefinition(query), window: window)
  }

  /// Each snapshot of the rows of a SELECT written by hand, the current one first. It is rerun after writes of the
  /// tables that it reads.
  public func snapshots<Output>(of query: RawQuery<Output>, window: Int = 100) -> LiveSnapshots<Output> {
    snapshots(of: RowsDefinition(query), window: window)
  }

  private func snapshots<Output>(of definition: RowsDefinition<Output>, window: Int) -> LiveSnapshots<Output> {
    snapshots(definition.fitting(window: window).request(among: live.forms), window: window)
  }

  func snapshots<Output>(_ request: LiveRequest<LiveSnapshot<Output>>, window: Int) -> LiveSnapshots<Output> {
    LiveSnapshots(source: LiveSource(engine: live, request: request, window: window.asWindow))
  }

  func readings<Value>(_ request: LiveRequest<LiveReading<Value>>) -> LiveReadings<Value> {
    LiveReadings(source: LiveSource(engine: live, request: request, window: 1))
  }

  /// Each change of a query's rows as removals, insertions, moves and updates. The first inserts all rows.
  public func changes<Root, Output>(of query: Selection<Root, Output>, window: Int = 100) -> LiveChanges<Output> {
    LiveChanges(snapshots: snapshots(of: query, window: window))
  }

  /// Each count of a query's rows, the current one first.
  public func counts<Root, Output>(of query: Selection<Root, Output>) -> LiveReadings<Int> {
    readings(CountDefinition(query).request(among: live.forms))
  }

  /// Each value of a query's first row, the current one first.
  public func values<Root, Output>(of query: Selection<Root, Output>) -> LiveReadings<Output> {
    readings(ValueDefinition(query).request(among: live.forms))
  }
}

// MARK: - All live results

extension Store {
  /// Waits until all commits so far are delivered to all live results of the store that are not suspended. Commits of
  /// other connections and processes are among them.
  ///
  /// Results of the main actor show them then. For sequences they are ready. Long lists have counted their rows:
  /// ``LongList/reached(_:)`` waits for the shown rows only.
  public func settled() async {
    await live.settled(work: true)
    await MainActor.run { live.deliverNow() }
  }

  /// The number of live results that were compared with the database so far. See ``LiveAudit``.
  public var liveAuditCounts: LiveAuditCounts {
    (followers.current as? LiveEngine)?.auditCounts ?? LiveAuditCounts()
  }

  /// Whether live results follow the commits of other connections and processes without being asked. True by default.
  ///
  /// ```swift
  /// store.detectsOutsideChanges = false  // no other process opens this file
  /// ```
  ///
  /// If false, such a commit is noticed by the next write through this store, by ``settled()`` and by
  /// ``noticeOutsideChanges()``. Setting it to true looks for commits at once. The property may be set at any time, from
  /// any thread.
  public var detectsOutsideChanges: Bool {
    get { live.outside.isEnabled }
    set { live.outside.isEnabled = newValue }
  }

  /// How the store finds out at present that another connection or process wrote.
  ///
  /// While live results are open, and for a minute afterwards, the store watches the write-ahead log or the journal, and their directory. A commit
  /// of any program is shown some milliseconds later. The store's own commits cause events too: at most 200 comparisons of a number a second.
  /// Without events of the system it asks once a second. Nothing is watched while the app is suspended
  /// (`Configuration.observesSuspensionNotifications` of GRDB). A store that resumes looks for commits first.
  public var outsideChangeDetection: OutsideChangeDetection { live.outside.detection }

  /// The numbers of live results that were read again after commits of other connections and processes, by the reason.
  ///
  /// ```swift
  /// print(store.outsideReloadCounts.withoutHistory)   // a history would save these reads
  /// ```
  public var outsideReloadCounts: OutsideReloadCounts {
    (followers.current as? LiveEngine)?.outsideReloadCounts ?? OutsideReloadCounts()
  }

  /// Whether all commits of other connections and processes so far are noticed. For tests.
  package func hasSeenOutsideChanges() async -> Bool { await live.hasSeenOutsideChanges() }

  /// Looks whether another connection or process wrote, and reads all live results again if so.
  ///
  /// Live results need no call of it unless ``detectsOutsideChanges`` is false.
  ///
  /// - Returns: Whether anything was written since the last call, or since the store was opened.
  /// - Throws: ``StoreError/closed``, ``StoreError/suspended``, and errors of SQLite.
  @discardableResult
  public func noticeOutsideChanges() async throws -> Bool {
    try await live.noticeOutsideChanges()
  }
}
