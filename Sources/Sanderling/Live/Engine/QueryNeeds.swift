import GRDB

/// The capture that queries need before they can be read. A maintained query needs the changed rows, and a rerun query
/// needs the names of the written tables. Confined to the engine's turns.
final class QueryNeeds {
  private let queries: QueryRegistry
  private let capture: CaptureRegistry

  init(_ queries: QueryRegistry, _ capture: CaptureRegistry) {
    self.queries = queries
    self.capture = capture
  }

  func add(_ query: FollowedQuery) {
    capture.add(query.values.plan?.needs ?? [])
    capture.retry()
  }

  func remove(_ query: FollowedQuery, now: Duration) {
    capture.remove(query.values.plan?.needs ?? [], now: now)
    forgetTables(of: query)
  }

  /// The error with which the writer refused to capture, if no retry was requested since.
  var refusal: (any Error)? { capture.refusal }

  /// Allows another request for capture after a failure.
  func retry() { capture.retry() }

  func schemaChanged() {
    capture.schemaChanged()
  }

  /// Whether a query's needs are captured.
  func readiness(of query: FollowedQuery) -> CaptureRegistry.Readiness {
    if let plan = query.values.plan { return capture.readiness(of: plan.needs) }
    return query.route.tables.map(capture.follows) == true ? .ready : .unknown
  }

  // MARK: The tables of rerun queries

  /// Whether a query is rerun and its tables are not known yet.
  func lacksTables(_ query: FollowedQuery) -> Bool { query.isRunAgain && query.route.tables == nil }

  /// Whether the tables of any waiting rerun query are not known yet.
  var hasUnknownTables: Bool { queries.indexes[.waiting].contains(where: lacksTables) }

  /// Finds out which tables the rerun queries read.
  ///
  /// - Parameter fail: Called with each query whose tables SQLite can't name.
  func findTables(_ db: Database, fail: (FollowedQuery, any Error) -> Void) {
    for query in queries.indexes[.waiting] where lacksTables(query) {
      do {
        setTables(try query.values.readTables(db), of: query)
      } catch {
        fail(query, error)
      }
    }
  }

  func forgetTables(of query: FollowedQuery) {
    setTables(nil, of: query)
  }

  private func setTables(_ tables: Set<String>?, of query: FollowedQuery) {
    if let old = query.route.tables { capture.unfollow(old) }
    queries.routes.setTables(tables, of: query)
    if let tables { capture.follow(tables) }
  }
}
