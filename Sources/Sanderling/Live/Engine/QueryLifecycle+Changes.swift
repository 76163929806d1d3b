import GRDB

/// Applies the changes of commits to queries, and carries out the outcomes.
extension QueryLifecycle: BatchReceiver {
  /// Passes all changed rows of a batch of commits to the queries that they concern.
  ///
  /// - Throws: Errors of the database, after which some queries lack changes.
  func note(_ changes: CapturedChanges, _ rows: BatchRows) throws {
    weights = EventWeights(changes)
    defer { weights = nil }
    var batch = Batch(rows, queries.routes, now: clock.now, receiver: self)
    try batch.run()
  }

  func receive(_ event: RowEvent, for query: FollowedQuery) -> Bool {
    switch query.phase {
    case .waiting, .due, .ended: return false
    case .failed:
      reload(query)
      return false
    case .loading: break
    case .current:
      if weights?.isTooMuch(for: query) ?? false {
        reload(query)
        return false
      }
    }
    do {
      try query.values.rowChanged(event, query.route.dependencies, isLoading: query.isLoading)
      query.noteChange()
      return true
    } catch {
      reload(query)
      return false
    }
  }

  func mustReload(_ query: FollowedQuery) { reload(query) }

  func mustRunAgain(_ query: FollowedQuery, _ reason: RequeryReason) { replace(query, runAgain: reason) }

  func loadDuration(of query: FollowedQuery) -> Duration { query.isCurrent ? query.loadDuration : .zero }

  /// Applies the noted changes of dirty queries, at the snapshot.
  func apply(_ rows: BatchRows) {
    for query in indexes[.noted] {
      query.takeChanges()
      do {
        handle(try query.values.apply(rows, window: query.window), of: query)
        updateBound(query)
      } catch {
        // A reload finds out whether the query fails, and why.
        reload(query)
      }
    }
  }

  /// Does a slice of the background work of one query.
  func work(_ db: Database, _ slice: inout WorkSlice) {
    guard let query = working.next(), query.isUpToDate else { return }
    do {
      handle(try query.values.work(db, &slice), of: query)
    } catch {
      reload(query)
    }
  }

  /// Carries out the outcome of a change to a query.
  ///
  /// - Parameter notes: Whether news come only when the query's changes are applied.
  func handle(_ outcome: QueryOutcome, of query: FollowedQuery, notes: Bool = false) {
    switch outcome {
    case .unchanged: break
    case .news: if notes { query.noteChange() } else { query.hasNews = true }
    case .reload: return reload(query)
    case .runAgain(let reason): return replace(query, runAgain: reason)
    case .readsOtherTables: return captureAgain(query)
    case .failed(let error):
      fail(query, error)
      return
    }
    query.updateWork()
  }

  func updateBound(_ query: FollowedQuery) {
    // During a load the rows are unknown, so no row is beyond the bound.
    let bound = query.isCurrent ? query.values.routeBound(window: query.window) : nil
    queries.routes.update(query, bound: bound, of: query.values.plan)
  }
}
