import Sanderling

/// The result of one view on screen. SwiftUI creates a view's value again whenever its parent changes; all these values
/// share this object.
///
/// The result is made at the first access, switched when the view has another query, and replaced when the view has
/// another store.
@MainActor
final class Following<Result: FollowedResult> {
  private var shown: (result: Result, store: Store, query: AnyHashable)?
  /// The result that takes the place of the shown result once it is read.
  private var next: (result: Result, query: AnyHashable)?

  nonisolated init() {}

  /// Returns the result of a query in a store.
  ///
  /// O(1) for an unchanged store and query, besides the comparison of the queries.
  func result(of query: FollowedQuery<Result>, in store: Store) -> Result {
    guard let shown, shown.store === store else {
      let result = query.make(store)
      (self.shown, next) = ((result, store, query.identity), nil)
      return result
    }
    if shown.query == query.identity {
      next = nil
      return shown.result
    }
    switch query.change {
    case .replacing(let replace):
      self.shown?.query = query.identity
      replace(shown.result)
      return shown.result
    case .anew(let isRead):
      let coming = next.flatMap { $0.query == query.identity ? $0.result : nil } ?? query.make(store)
      guard isRead(coming) else {
        next = (coming, query.identity)
        return shown.result
      }
      (self.shown, next) = ((coming, store, query.identity), nil)
      return coming
    }
  }
}
