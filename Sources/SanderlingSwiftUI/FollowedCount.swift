#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  /// How many rows a query has, for a view or a model to show; nil before they are first counted.
  ///
  /// ```swift
  /// @FollowedCount(TodoTask.where { !$0.isCompleted }) private var open
  /// ```
  ///
  /// As ``FollowedRows`` in everything else.
  @MainActor
  @propertyWrapper
  public struct FollowedCount: DynamicProperty {
    private let source: FollowedSource<LiveCount>

    /// The count of a query's rows in the environment's store.
    ///
    /// - Parameter store: Which of the environment's stores.
    public init<Root, Output>(
      _ query: Selection<Root, Output>, in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) {
      source = FollowedSource(.count(of: query), in: store)
    }

    /// The count of a query's rows in a model's store.
    public init<Root, Output>(_ query: Selection<Root, Output>, inModelOf store: Store) {
      source = FollowedSource(.count(of: query), inModelOf: store)
    }

    /// The number of rows; nil before they are first counted.
    public var wrappedValue: Int? { projectedValue.value }

    /// The live count itself.
    public var projectedValue: LiveCount { source.result }
  }
#endif
