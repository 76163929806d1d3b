#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  /// One value of the database, for a view or a model to show: a record, the first row of a query, or an aggregate of all rows. Nil
  /// before it is first read, and while there is none.
  ///
  /// ```swift
  /// @FollowedValue private var project: Project?
  ///
  /// init(projectID: UUID) {
  ///   _project = FollowedValue(Project.self, key: projectID)
  /// }
  /// ```
  ///
  /// As ``FollowedRows`` in everything else.
  @MainActor
  @propertyWrapper
  public struct FollowedValue<Value: Sendable>: DynamicProperty {
    private let source: FollowedSource<LiveValue<Value>>

    /// The first row of a query in the environment's store.
    ///
    /// - Parameter store: Which of the environment's stores.
    public init<Root>(
      _ query: Selection<Root, Value>, in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) {
      source = FollowedSource(.value(of: query), in: store)
    }

    /// The record with a key in the environment's store.
    ///
    /// - Parameter store: Which of the environment's stores.
    public init(
      _ record: Value.Type, key: Value.Key, in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) where Value: StoredRecord {
      source = FollowedSource(.record(record, key: key), in: store)
    }

    /// The first row of a query in a model's store.
    public init<Root>(_ query: Selection<Root, Value>, inModelOf store: Store) {
      source = FollowedSource(.value(of: query), inModelOf: store)
    }

    /// The record with a key in a model's store.
    public init(_ record: Value.Type, key: Value.Key, inModelOf store: Store) where Value: StoredRecord {
      source = FollowedSource(.record(record, key: key), inModelOf: store)
    }

    /// The value; nil before it is first read, and while there is none.
    public var wrappedValue: Value? { projectedValue.value }

    /// The live value itself.
    public var projectedValue: LiveValue<Value> { source.result }
  }
#endif
