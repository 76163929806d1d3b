import Observation

/// A search as the user types: the rows of a query whose texts match an input. They follow both the input and the
/// database.
///
/// ```swift
/// @State private var search = store.searchSession(
///   Note.where { !$0.isPinned }.order { $0.changedAt.descending }, in: .words
/// ) { SearchedTexts($0.title, $0.body) }
/// …
/// List(search.rows) { note in NoteRow(note) }
///   .searchable(text: $search.input)
/// ```
///
/// The query gets ``SearchedTexts/matches(_:in:)`` of the input as a further condition. Its rows are in the order of
/// the query and then of the primary key. The first input is searched in the database. A further input is searched in
/// memory if the result is certain to be the same. For that, the session must hold all rows of the earlier input, and
/// the new input can find no others. In all other cases, and after each commit that wrote a table of the query, the
/// session reads the database, by an index. A read is interrupted when its input has been replaced.
///
/// It reads nothing until its rows are first read or its input is set, and stops when it is released. Its memory is
/// bounded: the rows of its window, and up to 8 MB of their folded texts. With longer texts, each input is read from
/// the database.
@MainActor
public final class SearchSession<Element: Sendable>: Observable {
  let window: Int
  private let store: Store
  private let kind: SearchKind
  private let empty: EmptySearch
  private let debounce: Duration
  private let clock: any Clock<Duration>
  private let observers = ResultObservers()
  /// The feed from which sequences take the snapshots.
  nonisolated let feed = LiveFeed<SearchSnapshot<Element>>()

  /// The searched query, and the number of its replacements.
  private var query: SearchedQuery<Element>
  private var queryNumber = 0
  private var typed = ""
  private var search: TextSearch
  private var shown: SearchSnapshot<Element>
  /// The search and query that found the shown rows; nil before the first result.
  private var shownTarget: SearchTarget?
  /// The rows of the last read, while they equal the database.
  private var held: HeldSearch<Element>?
  /// The present work. Ends when it is replaced, and with the session.
  private var running: SearchWork?
  private var workCount = 0
  /// Reports changes. Made by ``begin()``. Ends with the session.
  private var follower: SearchFollower?
  /// The number of reported changes.
  private var changeCount = 0
  /// The reason why changes can't be followed at the moment; nil if they can.
  private var obstacle: LiveState?
  /// The number of reads of the database. For tests.
  private(set) var readCount = 0

  init(
    _ store: Store, _ query: SearchedQuery<Element>, in kind: SearchKind, window: Int, empty: EmptySearch,
    debounce: Duration, clock: any Clock<Duration>
  ) {
    self.store = store
    self.query = query
    self.kind = kind
    self.window = window
    self.empty = empty
    self.debounce = debounce
    self.clock = clock
    search = TextSearch("", in: kind)
    shown = SearchSnapshot(rows: LiveRows(), unreadableRows: [], input: "", hasMore: false, state: .loading)
  }
}

/// The result of a search for nothing: an empty input, or an input of white space and separators only.
public enum EmptySearch: Hashable, Sendable {
  /// All rows of the query, for lists that are filtered.
  case allRows
  /// No rows, and nothing is read, for screens that are there to search.
  case noRows
}

// MARK: - Input and rows

extension SearchSession {
  /// The text to search for. Setting it searches: see ``SearchSession``.
  ///
  /// Any text is valid. Setting it costs O(bytes); the search runs elsewhere.
  public var input: String {
    get {
      observers.requestIsRead()
      return typed
    }
    set {
      guard !newValue.utf8.elementsEqual(typed.utf8) else { return }
      observers.changeRequest { typed = newValue }
      search = TextSearch(newValue, in: kind)
      if obstacle != nil { follower?.retry() }
      if follower == nil { begin() } else { update(afterTyping: true) }
    }
  }

  /// The rows with the input that they were found for, and their state.
  public var current: SearchSnapshot<Element> {
    begin()
    observers.contentIsRead()
    return shown
  }

  /// The found rows. The rows of an earlier input stay until the rows of the new input are read.
  public var rows: LiveRows<Element> { current.rows }

  /// The rows as an array. O(rows).
  public var elements: [Element] { current.elements }

  /// The found rows that can't be read. Mostly empty. See ``UnreadableRow``. While there are any, each input is
  /// searched in the database.
  public var unreadableRows: [UnreadableRow] { current.unreadableRows }

  /// Whether there are more rows than the window holds.
  public var hasMore: Bool { current.hasMore }

  /// The relation of the rows to the input and the database.
  ///
  /// - `loading` while the database is read for another input or query. The rows are still those of
  ///   ``SearchSnapshot/input``.
  /// - `current` when the rows equal the result of the query with the condition. Outside changes are noticed as for
  ///   live results: ``Store/noticeOutsideChanges()``.
  /// - `suspended` or `failed` when the rows could not be read, or changes of the tables can't be followed. The rows
  ///   stay. The next input, the next change and ``retry()`` try again.
  public var state: LiveState { current.state }

  /// Each snapshot of the rows, the current one first, for any actor.
  public nonisolated var snapshots: SearchSnapshots<Element> { SearchSnapshots(session: self) }
}

// MARK: - The query

extension SearchSession {
  /// Searches the rows of another query of the same record in place, by the same texts. The old rows stay until the new
  /// ones are read.
  public func replace<Root>(_ query: Selection<Root, Element>) {
    self.query = self.query.replacing(query)
    queryNumber += 1
    held = nil
    guard follower != nil else { return }
    follow()
    update(afterTyping: false)
  }

  /// Reads again after a failure.
  public func retry() {
    guard let follower else { return begin() }
    follower.retry()
    update(afterTyping: false, afterChange: true)
  }

  /// Waits until the rows are those of the last input, query and commit, or could not be read. Takes at least the
  /// debounce, by the session's clock.
  public func settled() async {
    begin()
    await store.settled()
    while let task = running?.task { await task.value }
  }
}

// MARK: - Following

extension SearchSession {
  /// Begins to search, and to follow the database. Further calls do nothing.
  func begin() {
    guard follower == nil else { return }
    follow()
    update(afterTyping: false)
  }

  private func follow() {
    follower = SearchFollower(store.live, query.changes) { [weak self] in self?.followed($0) }
  }

  private func followed(_ state: LiveState) {
    switch state {
    case .loading: return
    case .suspended, .failed:
      obstacle = state
      held = nil
      show(shown.with(state))
    case .current:
      obstacle = nil
      changeCount += 1
      held = nil
      // A running read compares the count of changes at its end, so that commits in quick succession don't delay it.
      if running?.isRead != true { stop() }
      update(afterTyping: false, afterChange: true)
    }
  }

  private var target: SearchTarget { SearchTarget(search: search, query: queryNumber) }

  private func stop() {
    // The release of a `SearchWork` also cancels its task. This call doesn't depend on the release.
    running?.task?.cancel()
    running = nil
  }

  private func begin(reading isRead: Bool) -> SearchWork {
    workCount += 1
    let work = SearchWork(target, number: workCount, isRead: isRead)
    running = work
    return work
  }

  /// Ends the work with a number. False when other work has replaced it, or it was cancelled.
  private func end(_ number: Int) -> Bool {
    guard running?.number == number, !Task.isCancelled else { return false }
    running = nil
    return true
  }

  /// Starts the work that leads from the shown rows to the rows of the input.
  private func update(afterTyping: Bool, afterChange: Bool = false) {
    if empty == .noRows, search.matchesAll {
      stop()
      held = nil
      return show(LiveRows(), hasMore: false, of: target)
    }
    if running?.target == target { return }
    stop()
    if !afterChange, shownTarget == target, shown.state.isCurrent { return show(shown.with(.current, input: typed)) }
    if let held, held.has(target) { return refine(held) }
    held = nil
    // After a mere change the state stays `current`, since the change may leave the rows as they are.
    if shownTarget != target, obstacle == nil, shown.state.error == nil { show(shown.with(.loading)) }
    read(after: afterTyping ? debounce : nil)
  }

  private func show(_ snapshot: SearchSnapshot<Element>) {
    observers.changeContent { shown = snapshot }
    feed.publish(snapshot)
  }
}

// MARK: - Searching

extension SearchSession {
  private func refine(_ held: HeldSearch<Element>) {
    let work = begin(reading: false)
    let (target, number) = (work.target, work.number)
    let search = search.matchesAll ? nil : search
    work.task = Task { [weak self] in
      guard let rows = await Self.found(held.rows, search), let self, end(number) else { return }
      show(rows, hasMore: held.rows.hasMore, of: target)
    }
  }

  @concurrent
  private nonisolated static func found(_ rows: HeldRows<Element>, _ search: TextSearch?) async -> LiveRows<Element>? {
    rows.found(by: search)
  }

  private func read(after delay: Duration?) {
    let work = begin(reading: true)
    let (target, number) = (work.target, work.number)
    let input = search.matchesAll ? nil : typed
    let (store, query, window, clock) = (store, query, window, clock)
    work.task = Task { [weak self] in
      if let delay, delay > .zero { try? await clock.sleep(for: delay) }
      guard !Task.isCancelled, let count = self?.readBegins() else { return }
      let result: Result<HeldRows<Element>, any Error>
      do {
        result = .success(try await store.read { try query.read(input, window: window, $0.database) })
      } catch {
        result = .failure(error)
      }
      guard let self, end(number) else { return }
      ended(target, result, changeCount: count)
    }
  }

  /// - Returns: The number of changes reported before the read.
  private func readBegins() -> Int {
    readCount += 1
    return changeCount
  }

  /// - Parameter count: The number of changes reported before the read.
  private func ended(
    _ target: SearchTarget, _ result: Result<HeldRows<Element>, any Error>, changeCount count: Int
  ) {
    switch result {
    case .success(let rows):
      if rows.texts != nil, count == changeCount, obstacle == nil {
        held = HeldSearch(search: target.search, query: target.query, rows: rows)
      }
      show(LiveRows(rows.rows), rows.unreadableRows, hasMore: rows.hasMore, of: target)
    case .failure(let error):
      show(shown.with(error as? StoreError == .suspended ? .suspended : .failed(error)))
    }
    if count != changeCount { read(after: nil) }
  }

  private func show(
    _ rows: LiveRows<Element>, _ unreadableRows: [UnreadableRow] = [], hasMore: Bool, of target: SearchTarget
  ) {
    shownTarget = target
    let state = obstacle ?? .current
    // A commit that changed only other rows is not published.
    if shown.state.isCurrent, state.isCurrent, shown.hasMore == hasMore, shown.input == typed,
      shown.rows.stamps == rows.stamps, shown.unreadableRows.areSame(as: unreadableRows)
    {
      return
    }
    show(
      SearchSnapshot(rows: rows, unreadableRows: unreadableRows, input: typed, hasMore: hasMore, state: state))
  }
}
