#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  /// The rows of a query, for a view or a model to show.
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
  /// The store is the environment's, which `sanderlingStore(_:)` sets. When the view is made with another query, the
  /// rows that are shown stay until the new ones are read. Nothing is read before the rows are first accessed, and nothing once the view is
  /// removed. The projected value, `$tasks`, is the list itself: its state, `hasMore`, `loadMore()` and `retry()`.
  @MainActor
  @propertyWrapper
  public struct FollowedRows<Element: Sendable>: DynamicProperty {
    private let source: FollowedSource<LiveList<Element>>

    /// The rows of a query in the environment's store.
    ///
    /// - Parameters:
    ///   - window: How many rows to hold at first; a smaller limit of the query counts.
    ///   - store: Which of the environment's stores.
    public init<Root>(
      _ query: Selection<Root, Element>, window: Int = 100,
      in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) {
      source = FollowedSource(.rows(query, window: window), in: store)
    }

    /// The rows of a query in a model's store: for models, which have no environment and stay.
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

    /// The list that the rows are of.
    public var projectedValue: LiveList<Element> { source.result }
  }
#endif
