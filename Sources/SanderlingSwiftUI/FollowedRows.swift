#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  /// The rows of a query, for a view or a model.
  ///
  /// ```swift
  /// struct OpenTasks: View {
  ///   @FollowedRows(TodoTask.where { !$0.isCompleted }.order { $0.dueAt }) private var tasks
  ///
  ///   var body: some View {
  ///     List(tasks) { Text($0.title) }
  ///   }
  /// }
  /// ```
  ///
  /// The store is the environment's, as `sanderlingStore(_:)` sets it. If the view gets another query, the former rows
  /// stay until the new rows are read. Nothing is read before the first access to the rows, or after the view is
  /// removed. The projected value, `$tasks`, is the list with its state, `hasMore`, `loadMore()` and `retry()`.
  @MainActor
  @propertyWrapper
  public struct FollowedRows<Element: Sendable>: DynamicProperty {
    private let source: FollowedSource<LiveList<Element>>

    /// The rows of a query in the environment's store.
    ///
    /// - Parameters:
    ///   - window: The number of rows to hold at first. A smaller limit of the query takes precedence.
    ///   - store: The environment value that has the store.
    public init<Root>(
      _ query: Selection<Root, Element>, window: Int = 100,
      in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) {
      source = FollowedSource(.rows(query, window: window), in: store)
    }

    /// The rows of a query in a model's store. A model has no environment, and keeps its query.
    ///
    /// ```swift
    /// @ObservationIgnored @FollowedRows private var tasks: LiveRows<TodoTask>
    ///
    /// init(store: Store) {
    ///   _tasks = FollowedRows(TodoTask.order { $0.title }, inModelOf: store)
    /// }
    /// ```
    public init<Root>(_ query: Selection<Root, Element>, window: Int = 100, inModelOf store: Store) {
      source = FollowedSource(.rows(query, window: window), inModelOf: store)
    }

    /// The rows of the window, in the query's order.
    public var wrappedValue: LiveRows<Element> { projectedValue.rows }

    /// The live list that has the rows.
    public var projectedValue: LiveList<Element> { source.result }
  }
#endif
