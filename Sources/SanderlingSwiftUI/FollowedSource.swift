#if canImport(SwiftUI)
  import Sanderling
  import SwiftUI

  /// The owner of a property wrapper's result: SwiftUI's state for a view, or the wrapper itself for a model.
  @MainActor
  struct FollowedSource<Result: FollowedResult>: DynamicProperty {
    @Environment private var environmentStore: Store?
    @State private var ofView = Following<Result>()
    /// The result and store of a model. SwiftUI's state and environment work only in views.
    private let ofModel: (following: Following<Result>, store: Store)?
    private let query: FollowedQuery<Result>

    init(_ query: FollowedQuery<Result>, in store: KeyPath<EnvironmentValues, Store?>) {
      _environmentStore = Environment(store)
      ofModel = nil
      self.query = query
    }

    init(_ query: FollowedQuery<Result>, inModelOf store: Store) {
      _environmentStore = Environment(\.sanderlingStore)
      ofModel = (Following(), store)
      self.query = query
    }

    var result: Result {
      if let ofModel { return ofModel.following.result(of: query, in: ofModel.store) }
      guard let environmentStore else {
        preconditionFailure(
          "A view follows a query, and its environment has no store: set the store of an enclosing view with sanderlingStore(_:)"
        )
      }
      return ofView.result(of: query, in: environmentStore)
    }
  }
#endif
