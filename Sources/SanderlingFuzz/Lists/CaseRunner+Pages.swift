import Sanderling

/// Pages that are read between the steps of a round.
extension CaseRunner {
  /// The number of concurrent walks.
  private static let walkCount = 3

  /// Continues the walks, and begins new walks in place of ended walks.
  func turnPages(_ random: inout SeededGenerator) async throws {
    guard database.isOpen else { return }
    walks.removeAll { $0.isOver }
    while walks.count < Self.walkCount, let query = pagedQueries.randomElement(using: &random) {
      walks.append(
        PageWalk(
          query: query, fuzzCase.queries[query], size: random.element(of: [1, 2, 3, 5, 8, 20]),
          isForward: random.chance(60)))
    }
    let (walks, seed, store) = (walks, random.next(), store)
    let other = pagedQueries.randomElement(using: &random).map { fuzzCase.queries[$0] }
    let outcome: (walks: [PageWalk], counts: [Int], failure: FuzzFailure?)
    do {
      outcome = try await store.read { tx in
        var (walks, own) = (walks, SeededGenerator(seed: seed))
        var counts: [Int] = []
        for index in walks.indices where own.chance(70) {
          do {
            if let count = try walks[index].advance(store, tx, &own) { counts.append(count) }
            if own.chance(20), let other { try walks[index].offer(to: other, store, tx) }
          } catch  where !(error is PageWalk.Problem) && "\(error)".contains("integer overflow") {
            // A page compares its rows with a place. SQLite may do so for rows that the query's conditions leave out.
            walks[index].stop()
          } catch {
            let text = (error as? PageWalk.Problem)?.text ?? "\(error)"
            return (walks, counts, FuzzFailure(kind: .page, message: "\(text); \(walks[index].spec.description)"))
          }
        }
        return (walks, counts, nil)
      }
    } catch {
      // The query can't be read, because the connection is suspended or a table is missing.
      return
    }
    self.walks = outcome.walks
    for count in outcome.counts { coverage.notePage(rows: count) }
    if let failure = outcome.failure { throw failure }
  }
}
