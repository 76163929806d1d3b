import Sanderling

/// A store on the connections of the round's store, with its own results.
@MainActor
final class OtherStore {
  private(set) var store: Store?
  /// The queries with their results.
  private(set) var results: [(query: Int, result: any OpenResult)]

  init(_ store: Store, _ fuzzCase: FuzzCase, queries: [Int]) {
    self.store = store
    let style = OpenStyle(isImmediate: false, consumers: [], isSlow: false)
    results = queries.map { ($0, fuzzCase.queries[$0].open(in: store, style)) }
  }

  /// Releases the results.
  func closeResults() {
    for (_, result) in results { result.close() }
    results = []
  }

  /// Releases the store and returns it, so that it can be closed.
  func takeStore() -> Store? {
    defer { store = nil }
    return store
  }

  func close() {
    closeResults()
    store = nil
  }
}
