import GRDB

/// What queries need to be captured before they can be read: the rows of those that are maintained, and the names of the tables that
/// were written for those that are run again. Confined to the engine's turns.
final class QueryNeeds {
  private let queries: QueryRegistry
  private let loads: LoadQueue
  private let capture: CaptureRegistry

  init(_ queries: QueryRegistry, _ loads: LoadQueue, _ capture: CaptureRegistry) {
    self.queries = queries
    self.loads = loads
    self.capture = capture
  }

  private var routes: LiveRoutes { queries.routes }

  func add(_ entry: QueryRegistry.Entry) {
    capture.add(entry.query.plan?.needs ?? [])
    capture.retry()
  }

  func remove(_ entry: QueryRegistry.Entry, now: Duration) {
    capture.remove(entry.query.plan?.needs ?? [], now: now)
    forgetTables(of: entry)
  }

  /// Lets the writer be asked again for what is not captured.
  func retry() { capture.retry() }

  func schemaChanged() {
    capture.schemaChanged()
  }

  /// Whether what a query needs is captured.
  func readiness(of entry: QueryRegistry.Entry) -> CaptureRegistry.Readiness {
    if let plan = entry.query.plan { return capture.readiness(of: plan.needs) }
    return routes.tables(of: entry.number).map(capture.follows) == true ? .ready : .unknown
  }

  // MARK: The tables of queries that are run again

  /// Whether a query is run again of which it is not known what it reads.
  func lacksTables(_ entry: QueryRegistry.Entry) -> Bool {
    entry.query.plan == nil && routes.tables(of: entry.number) == nil
  }

  /// Whether it has to be found out what tables some queries read.
  var hasUnknownTables: Bool { loads.waiting.contains { queries[$0].map(lacksTables) ?? false } }

  /// Finds out what tables are read by queries that are run again.
  ///
  /// - Parameter fail: Called with queries of which SQLite doesn't tell it.
  func findTables(_ db: Database, fail: (QueryRegistry.Entry, any Error) -> Void) {
    for entry in loads.waiting.compactMap({ queries[$0] }) where lacksTables(entry) {
      do {
        setTables(try entry.query.readTables(db), of: entry)
      } catch {
        fail(entry, error)
      }
    }
  }

  func forgetTables(of entry: QueryRegistry.Entry) {
    setTables(nil, of: entry)
  }

  private func setTables(_ tables: Set<String>?, of entry: QueryRegistry.Entry) {
    if let old = routes.tables(of: entry.number) { capture.unfollow(old) }
    routes.setTables(tables, of: entry.number)
    if let tables { capture.follow(tables) }
  }
}
