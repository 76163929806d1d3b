#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  /// One value of the database, for a view or a model: a record, the first row of a query, or an aggregate of all rows.
  /// Nil until the first read, and while there is no value.
  ///
  /// ```swift
  /// @FollowedValue private var project: Project?
  ///
  /// init(projectID: UUID) {
  ///   _project = FollowedValue(Project.self, key: projectID)
  /// }
  /// ```
  ///
  /// Otherwise the same as ``FollowedRows``.
  @MainActor
  @propertyWrapper
  public struct FollowedValue<Value: Sendable>: DynamicProperty {
    private let source: FollowedSource<LiveValue<Value>>

    /// The first row of a query in the environment's store.
    ///
    /// - Parameter store: The environment value that has the store.
    public init<Root>(
      _ query: Selection<Root, Value>, in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) {
      source = FollowedSource(.value(of: query), in: store)
    }

    /// The record with a key in the environment's store.
    ///
    /// - Parameter store: The environment value that has the store.
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

    /// The value; nil until the first read, and while there is no value.
    public var wrappedValue: Value? { projectedValue.value }

    /// The live value.
    public var projectedValue: LiveValue<Value> { source.result }
  }
#endif
