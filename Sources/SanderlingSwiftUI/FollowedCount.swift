#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  /// The number of rows of a query, for a view or a model; nil until the first count.
  ///
  /// ```swift
  /// @FollowedCount(TodoTask.where { !$0.isCompleted }) private var open
  /// ```
  ///
  /// Otherwise the same as ``FollowedRows``.
  @MainActor
  @propertyWrapper
  public struct FollowedCount: DynamicProperty {
    private let source: FollowedSource<LiveCount>

    /// The count of a query's rows in the environment's store.
    ///
    /// - Parameter store: The environment value that has the store.
    public init<Root, Output>(
      _ query: Selection<Root, Output>, in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) {
      source = FollowedSource(.count(of: query), in: store)
    }

    /// The count of a query's rows in a model's store.
    public init<Root, Output>(_ query: Selection<Root, Output>, inModelOf store: Store) {
      source = FollowedSource(.count(of: query), inModelOf: store)
    }

    /// The number of rows; nil until the first count.
    public var wrappedValue: Int? { projectedValue.value }

    /// The live count.
    public var projectedValue: LiveCount { source.result }
  }
#endif
