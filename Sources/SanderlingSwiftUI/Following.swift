import Sanderling

/// The result that a view shows, through all of the view's values: SwiftUI makes a view anew whenever what is above it changes.
///
/// It makes the result when it is first asked, leads it to another query when the view asks for one, and lets go of it when the view
/// shows another store.
@MainActor
final class Following<Result: FollowedResult> {
  private var shown: (result: Result, store: Store, query: AnyHashable)?

  nonisolated init() {}

  /// The result of a query in a store.
  ///
  /// O(1) while both stay what they are, but for the comparison of two queries.
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
