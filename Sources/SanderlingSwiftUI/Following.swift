import Sanderling

/// The result of one view on screen. SwiftUI creates a view's value again whenever its parent changes; all these values
/// share this object.
///
/// The result is made at the first access, switched when the view has another query, and replaced when the view has
/// another store.
@MainActor
final class Following<Result: FollowedResult> {
  private var shown: (result: Result, store: Store, query: AnyHashable)?

  nonisolated init() {}

  /// Returns the result of a query in a store.
  ///
  /// O(1) for an unchanged store and query, besides the comparison of the queries.
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
