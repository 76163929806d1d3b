import Observation

/// The rows of a query that follow the database: those of its window, which begins at the query's first row.
///
/// ```swift
/// @State private var projects = store.liveList(ProjectSummary.order { $0.name }, window: 50)
/// …
/// List(projects.rows) { project in Text(project.name) }
/// ```
///
/// Rows are ordered by the query's ordering and then by the primary key. The list reads nothing until it is first
/// accessed, and stops when it is released. Identical queries share one state, however many lists show them.
@MainActor
public final class LiveList<Element: Sendable>: Observable, LiveResult {
  let shown: ShownPublication<LiveSnapshot<Element>>
  var shownCommit = KnownCommit()
  var subscription: LiveSubscription<LiveSnapshot<Element>>?
  let source: LiveSource<LiveSnapshot<Element>>
  /// Follows the day; nil unless the query depends on the day.
  var dayFollower: DayFollower?
  /// The window that the app asked for. If it is below 1, the list fails for each query.
  private let firstWindow: Int
  private var shownWindow: Int

  /// - Parameter shown: The snapshot to show until the rows are followed; nil for none.
  init(
    engine: LiveEngine, request: LiveRequest<LiveSnapshot<Element>>, window: Int, shown: LiveSnapshot<Element>?
  ) {
    source = LiveSource(engine: engine, request: request, window: window.asWindow)
    shownWindow = window.asWindow
    firstWindow = window
    self.shown = ShownPublication(shown ?? .unread)
  }
}

// MARK: - Shown rows

extension LiveList {
  /// The rows, the commit and the state together.
  public var current: LiveSnapshot<Element> { look() }

  /// The most rows that the list holds, however many are inserted. Grows by ``loadMore(_:)``.
  public private(set) var window: Int {
    get {
      shown.requestIsRead()
      return shownWindow
    }
    set { shown.changeRequest { shownWindow = newValue } }
  }

  /// The rows, as the elements that the query selects, without ``unreadableRows``.
  public var rows: LiveRows<Element> { current.rows }

  /// The rows as an array. O(rows).
  public var elements: [Element] { current.elements }

  /// The unreadable rows of the window, in the order of the query, each with its key and the error. Mostly empty. See
  /// ``UnreadableRow``.
  ///
  /// Rows of another version of the app, for example. They are no failure of the list: ``state`` is
  /// ``LiveState/current``.
  public var unreadableRows: [UnreadableRow] { current.unreadableRows }

  /// The relation of the list to the database: loading, current, suspended or failed.
  public var state: LiveState { current.state }

  /// Whether the query has rows beyond the window.
  public var hasMore: Bool { current.hasMore }

  /// The last commit that the rows are known to equal; nil before the first are read.
  ///
  /// Advances without notice: observers are not notified of commits that leave the rows unchanged.
  public var commit: Commit? { lookAtCommit() }
}

extension LiveList where Element: Identifiable {
  /// The row with an `id`; nil where the window has none. See ``LiveRows/position(of:)``.
  public subscript(id: Element.ID) -> Element? { rows[id: id] }

  /// The position of the row with an `id`; nil where the window has none. See ``LiveRows/position(of:)``.
  public func position(of id: Element.ID) -> Int? { rows.position(of: id) }
}

// MARK: - The query

extension LiveList {
  /// Makes the window larger.
  ///
  /// - Parameter count: The number of further rows; nil for the size of the first window. A negative number has no
  ///   effect.
  public func loadMore(_ count: Int? = nil) {
    window = window.grown(by: count ?? firstWindow)
    source.resize(window)
  }

  /// Stops following the database until ``resume()``, for sequences made of this list too. The rows stay.
  public func suspend() {
    source.setSuspended(true)
  }

  /// Follows the database again and catches up.
  public func resume() {
    source.setSuspended(false)
  }

  /// Reads again after a failure.
  public func retry() {
    source.retry()
  }

  /// Follows another query in place, with the first window. The old rows stay until all of the new ones are read, and
  /// also when the new ones can't be read. Consumers of ``changes`` receive the difference from the old rows to the new
  /// ones.
  ///
  /// Results that are replaced in one turn of the main actor change together, once all of them are read. Examples are a
  /// list and its count. Reading begins after that turn.
  public func replace<Root>(_ query: Selection<Root, Element>) {
    replace(RowsDefinition(query))
  }

  /// Follows another query with associated records in place, like a query without them.
  public func replace<Root>(_ query: PrefetchingSelection<Root, Element>) {
    replace(RowsDefinition(query))
  }

  /// Follows another query without a change of the window.
  func follow<Root>(_ query: Selection<Root, Element>) {
    source.replace(
      RowsDefinition(query).fitting(window: firstWindow).request(among: source.engine.forms), window: window)
  }

  private func replace(_ definition: RowsDefinition<Element>) {
    replace { definition.fitting(window: $0).request(among: source.engine.forms) }
  }

  /// Follows another request in place, with the first window.
  ///
  /// - Parameter request: Makes the request for the window that the app asked for.
  func replace(with request: (Int) -> LiveRequest<LiveSnapshot<Element>>) {
    window = firstWindow.asWindow
    source.replace(request(firstWindow), window: window)
  }

  /// Waits until the rows contain all commits through the store before the call.
  ///
  /// ```swift
  /// try await store.write("add task") { try $0.insert(task) }
  /// try await list.caughtUp()
  /// ```
  ///
  /// - Throws: As ``reached(_:)``.
  public func caughtUp() async throws {
    try await reached(source.engine.lastCommit)
  }

  /// Waits until the rows contain a commit.
  ///
  /// ```swift
  /// let written = try await store.writeWithCommit("add task") { try $0.insert(task) }
  /// try await list.reached(written.commit)
  /// ```
  ///
  /// - Throws: ``LiveError/suspended``, the error of reading the rows, or `CancellationError`.
  public func reached(_ commit: Commit) async throws { try await show(commit) }

  /// Each snapshot of the rows, the current one first, for any actor.
  public nonisolated var snapshots: LiveSnapshots<Element> { LiveSnapshots(source: source) }

  /// Each change of the rows as removals, insertions, moves and updates, for any actor.
  public nonisolated var changes: LiveChanges<Element> { LiveChanges(snapshots: snapshots) }
}
