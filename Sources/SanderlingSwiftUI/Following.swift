import Sanderling

/// The result of a view, kept through all values of the view: SwiftUI makes a view again whenever its parent changes.
///
/// It makes the result at the first request, gives it another query when the view requests one, and releases it when
/// the view shows another store.
@MainActor
final class Following<Result: FollowedResult> {
  private var shown: (result: Result, store: Store, query: AnyHashable)?

  nonisolated init() {}

  /// The result of a query in a store.
  ///
  /// O(1) while both are unchanged, apart from the comparison of two queries.
  func result(of query: FollowedQuery<Result>, in store: Store) -> Result {
    if let shown, shown.store === store {
      if shown.query != query.identity {
        self.shown?.query = query.identity
        query.replace(shown.result)
      }
      return shown.result
    }
    let result = query.make(store)
    shown = (result, store, query.identity)
    return result
  }
}
