#if canImport(SwiftUI)
  import Sanderling
  import SwiftUI

  /// The place of a property wrapper's result: SwiftUI's state for a view, or a property of a model.
  @MainActor
  struct FollowedSource<Result: FollowedResult>: DynamicProperty {
    @Environment private var environmentStore: Store?
    @State private var ofView = Following<Result>()
    /// The result of a model. SwiftUI's state and environment are for views alone.
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
          "A view follows a query of a store that its environment doesn't have: set it with sanderlingStore(_:) above")
      }
      return ofView.result(of: query, in: environmentStore)
    }
  }
#endif
