import GRDB

/// Getting queries ready to be followed, and reading them.
extension LiveCore {
  /// What has to be installed on the writer before waiting queries can be read.
  struct Installation: Sendable {
    let needs: [CaptureNeed]
    /// Tables that have to be followed for queries which are run again.
    let tables: Set<String>
    /// These, and those that are followed already.
    let allTables: Set<String>
  }

  /// Lets waiting queries be read whose changes are captured.
  ///
  /// - Returns: What is missing for the others; nil when nothing is, or when the writer is being asked for it already.
  func prepareWaiting() -> Installation? {
    if isMigrating || agenda.waiting.isEmpty { return nil }
    var needs: [CaptureNeed] = []
    var tables: Set<String> = []
    for number in agenda.waiting {
      guard let query = query(number) else { continue }
      if query.route != nil {
        // Until capture is removed it seems to be there.
        if query.needs.contains(where: { uninstalling.contains($0.table) }) { continue }
        if capture.covers(query.needs) {
          if let obstacle = capture.obstacle(to: query.needs) {
            replace(query, byRunningAgain: RequeryReason(obstacle.description))
          } else {
            query.phase = .needsLoad
          }
        } else {
          needs += query.needs.map(\.withUsualColumns)
        }
      } else if let read = query.tables {
        if read.isSubset(of: followedTables) { query.phase = .needsLoad } else { tables.formUnion(read) }
      }
    }
    guard !isInstalling, !isMigrating, !(needs.isEmpty && tables.isEmpty) else { return nil }
    isInstalling = true
    return Installation(needs: needs, tables: tables, allTables: followedTables.union(tables))
  }

  /// The writer has installed what was asked for.
  func installed(_ installation: Installation, _ outcome: Result<[RecordType: CaptureObstacle], any Error>) {
    isInstalling = false
    switch outcome {
    case .success(let obstacles):
      followedTables.formUnion(installation.tables)
      for need in installation.needs where obstacles[need.table] == nil {
        captured.updateValue(nil, forKey: need.table)
      }
      for (type, obstacle) in obstacles {
        for number in routes.queries(dependingOn: type) {
          guard let query = query(number) else { continue }
          replace(query, byRunningAgain: RequeryReason(obstacle.description))
        }
      }
    case .failure(let error):
      for number in agenda.waiting { query(number).map { fail($0, error) } }
    }
  }

  /// Whether there is something to do that takes a snapshot.
  ///
  /// - Parameter isUrgent: Whether someone waits for queries that are run again.
  func needsSnapshot(isUrgent: Bool) -> Bool {
    if !agenda.noted.isEmpty || agenda.waiting.contains(where: needsTables) { return true }
    if agenda.due.isEmpty { return false }
    let now = clock.now()
    return agenda.due.contains { isDue($0, isUrgent, at: now) }
  }

  private func needsTables(_ number: Int) -> Bool {
    query(number).map { $0.route == nil && $0.tables == nil } ?? false
  }

  /// How often a query is run again at most.
  static let requeryInterval = Duration.milliseconds(200)

  private func isDue(_ number: Int, _ isUrgent: Bool, at now: Duration) -> Bool {
    guard let query = query(number) else { return false }
    guard query.requeryReason != nil, !isUrgent, let last = query.lastLoad else { return true }
    return now >= last + Self.requeryInterval
  }

  /// How long it is until the next query that waits for its turn to be run again.
  var timeToNextLoad: Duration? {
    if agenda.due.isEmpty { return nil }
    let now = clock.now()
    return agenda.due.compactMap { query($0)?.lastLoad }.map { max(.zero, $0 + Self.requeryInterval - now) }.min()
  }

  /// Brings all queries to the snapshot of a commit.
  ///
  /// - Parameters:
  ///   - isUrgent: Whether someone waits for queries that are run again.
  ///   - now: The moment of the snapshot.
  /// - Returns: The jobs that read what has to be read at the same snapshot.
  func process(
    _ changes: CapturedChanges, through commit: UInt64, _ db: Database, isUrgent: Bool, mayLoad: Bool, at now: Duration
  ) -> [LiveLoad] {
    do {
      try apply(changes, through: commit, db)
    } catch {
      // What the changes are is lost; what they led to is in the database.
      for query in allQueries { reload(query) }
    }
    self.commit = commit
    findTables(db)
    return mayLoad ? takeLoads(isUrgent, at: now) : []
  }

  /// Finds out what tables are read by queries that are run again.
  private func findTables(_ db: Database) {
    for number in agenda.waiting where needsTables(number) {
      guard let query = query(number) else { continue }
      do {
        query.setTables(try query.readTables(db), in: &routes)
      } catch {
        fail(query, error)
      }
    }
  }

  private func takeLoads(_ isUrgent: Bool, at now: Duration) -> [LiveLoad] {
    agenda.due.filter { isDue($0, isUrgent, at: now) }.compactMap { number in
      guard let query = query(number) else { return nil }
      query.phase = .loading
      query.needsAnotherLoad = false
      query.changedWhileLoading = false
      query.forgetChanges()
      query.lastLoad = query.requeryReason == nil ? nil : now
      // What it will keep is not known yet: nothing is beyond its bound.
      routes.update(query)
      return query.makeLoad()
    }
  }

  /// Takes what a job read.
  ///
  /// - Parameter commit: The commit of the snapshot at which it was read.
  func finish(
    _ load: Int, _ outcome: Result<@Sendable (LiveCore) throws -> Void, any Error>, commit: UInt64, duration: Duration
  ) {
    guard let query = query(load), query.phase == .loading else { return }
    held.remove(load)
    do {
      try outcome.get()(self)
    } catch let reason as RequeryReason {
      return replace(query, byRunningAgain: reason)
    } catch {
      let isOutdated = query.needsAnotherLoad || query.changedWhileLoading
      fail(query, error)
      if isOutdated { reload(query) }
      return
    }
    query.loadDuration = duration
    query.failure = nil
    query.commit = commit
    query.phase = !query.needsAnotherLoad ? .current : isPrepared(query) ? .needsLoad : .waitsForCapture
    routes.update(query)
    if query.phase == .current {
      // What changed since the job's snapshot was noted meanwhile.
      agenda.note(query)
      agenda.tell(query)
    }
  }

  /// Whether all is captured or followed that the query depends on. A schema change makes it untrue.
  func isPrepared(_ query: LiveQuery) -> Bool {
    query.route != nil ? capture.covers(query.needs) : query.tables?.isSubset(of: followedTables) ?? false
  }

  func fail(_ query: LiveQuery, _ error: any Error) {
    query.forgetChanges()
    query.failure = writer.wrapping(error)
    query.phase = .failed
    agenda.tell(query)
  }

  /// Nothing can be read.
  func fail(_ error: any Error) {
    for query in allQueries { fail(query, error) }
  }

  /// Tries again what could not be read.
  func retryFailed() {
    for query in allQueries where query.failure != nil { reload(query) }
  }
}

// MARK: - Waiting

extension LiveCore {
  /// Whether what someone waits for has come.
  ///
  /// - Parameter last: The last commit, if nothing of it and those before is left to be looked at, and nothing is asked.
  func isDone(_ waiter: LiveEngine.Waiter, last: UInt64?) -> Bool {
    guard max(commit, last ?? 0) >= waiter.commit else { return false }
    guard let id = waiter.consumer else { return last != nil && agenda.unsettled.isEmpty && agenda.noted.isEmpty }
    guard let query = query(of: id) else { return last != nil }
    return query.isSettled && !agenda.noted.contains(query.number)
  }

  /// Whether someone waits for a consumer that follows nothing.
  func isSuspended(_ waiter: LiveEngine.Waiter) -> Bool {
    waiter.consumer.map { query(of: $0) == nil } ?? false
  }
}
