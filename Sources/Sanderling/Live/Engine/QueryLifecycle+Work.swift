import GRDB

/// What nobody waits for.
extension QueryLifecycle {
  /// How long it takes to read a query again, with what there is to do afterwards.
  func loadDuration(of query: Int) -> Duration {
    loads.loadDuration(query) + (queries[query]?.query.workDuration ?? .zero)
  }

  var hasWork: Bool { !working.isEmpty }

  /// Does a slice of the work that nobody waits for, of one query.
  func work(_ db: Database, _ slice: inout WorkSlice) {
    guard let entry = working.next().flatMap({ queries[$0] }), loads.isCurrent(entry.number), !hasNoted(entry.number)
    else {
      return
    }
    do {
      handle(try entry.query.work(db, &slice), of: entry)
    } catch {
      reload(entry)
    }
  }
}
