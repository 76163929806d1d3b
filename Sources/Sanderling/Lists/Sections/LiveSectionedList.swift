import Observation

/// A live list in sections: their keys, counts and aggregates, and the rows of open sections.
///
/// ```swift
/// @State private var tasks = store.liveSections(TodoTask.order { $0.title }.sectioned { $0.project.name })
/// …
/// List {
///   ForEach(tasks.sections) { section in
///     Section("\(section.key) (\(section.count))") { ForEach(section.rows) { Text($0.title) } }
///   }
/// }
/// ```
///
/// Headers and rows change together: each snapshot shows one commit. A closed section costs only its header. The list
/// reads nothing until it is first accessed, and stops when it is released.
@MainActor
public final class LiveSectionedList<Key: Sendable, Values: Sendable, Element: Sendable>: Observable {
  private typealias Subscription = SectionsSubscription<Key, Values, Element>

  private let shown: ShownPublication<SectionedSnapshot<Key, Values, Element>>
  private var shownCommit = KnownCommit()
  private var subscription: Subscription?
  private let source: SectionsSource<Key, Values, Element>
  /// Nil unless the query depends on the day.
  var dayFollower: DayFollower?

  init(source: SectionsSource<Key, Values, Element>) {
    self.source = source
    shown = ShownPublication(.unread)
  }

  @discardableResult
  private func begin() -> Subscription {
    if let subscription { return subscription }
    let subscription = Subscription(source, feed: LiveFeed(target: shown))
    self.subscription = subscription
    // The feed may already have snapshots that sequences of the list received. They are no news.
    takeNewest()
    return subscription
  }

  /// Shows the newest sections that are read.
  private func takeNewest() {
    if let newest = subscription?.feed.newest { shown.take(newest.value, number: newest.number) }
  }
}

// MARK: - Content

extension LiveSectionedList {
  /// The sections, the commit and the state together.
  public var current: SectionedSnapshot<Key, Values, Element> {
    begin()
    shown.contentIsRead()
    return shown.published
  }

  /// The sections in order. Open sections have their rows.
  public var sections: LiveSections<Key, Values, Element> { current.sections }

  /// The unreadable sections, then the unreadable rows among the shown rows of each section. Usually there are none.
  /// O(sections).
  public var unreadableRows: [UnreadableRow] { current.unreadableRows }

  public var state: LiveState { current.state }

  /// The latest commit at which all sections are known to be current; nil before the first read.
  ///
  /// The property advances without an observable change when a commit leaves the sections as they are.
  public var commit: Commit? {
    let snapshot = current
    guard snapshot.state.isCurrent, let commit = snapshot.commit, let subscription else { return snapshot.commit }
    return shownCommit.latest(commit, number: shown.number, of: subscription.feed, engine: source.engine)
  }

  /// The snapshots of the sections for any actor, beginning with the current one.
  public nonisolated var snapshots: SectionedSnapshots<Key, Values, Element> { SectionedSnapshots(source: source) }

  /// The changes of the sections and their rows for any actor. The first one inserts everything.
  public nonisolated var changes: SectionedChanges<Key, Values, Element> { SectionedChanges(snapshots: snapshots) }
}

// MARK: - Opening and closing

extension LiveSectionedList {
  /// Opens a section: its rows are shown as soon as they are read. The choice also applies to a section that doesn't
  /// exist yet.
  public func open(_ key: Key) {
    source.setOpen(key, true)
  }

  /// Closes a section and hides its rows at once.
  public func close(_ key: Key) {
    source.setOpen(key, false)
    takeNewest()
  }

  /// Opens all sections, including future ones. Each open section has its own query.
  public func openAll() {
    source.setAllOpen(true)
  }

  /// Closes all sections, including future ones.
  public func closeAll() {
    source.setAllOpen(false)
    takeNewest()
  }

  /// Whether the section with a key should be open, if it exists. Its rows may not be read yet: see
  /// ``LiveSection/isOpen``.
  public func isOpening(_ key: Key) -> Bool { source.isToBeOpen(key) }

  /// Makes the window of one section larger.
  ///
  /// - Parameter count: The number of additional rows; by default, the window that sections have at first. A negative
  ///   number changes nothing.
  public func loadMore(in key: Key, _ count: Int? = nil) {
    source.loadMore(in: key, count)
  }
}

// MARK: - Following

extension LiveSectionedList {
  /// Stops following the database until ``resume()``. The sections stay. Sequences made of this list stop too.
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

  /// Follows another query in place. The shown sections stay until the new query's sections are read, with the rows of
  /// open ones. The choice of open sections is kept.
  public func replace<Root>(_ query: SectionedSelection<Root, Key, Values, Element>) {
    source.replace(SectionedDefinition(query))
  }

  /// Follows another query, with associated records, in place. The shown sections stay until the new ones are read.
  public func replace<Root>(_ query: PrefetchingSections<Root, Key, Values, Element>) {
    source.replace(SectionedDefinition(query))
  }

  /// Waits until the sections show everything that the store committed before the call, and the rows of all open
  /// sections are read.
  ///
  /// - Throws: The errors of ``reached(_:)``.
  public func caughtUp() async throws {
    try await reached(source.engine.lastCommit)
  }

  /// Waits until the sections show a commit, and the rows of all open sections are read.
  ///
  /// - Throws: ``LiveError/suspended``, the error of a failed read, or `CancellationError`.
  public func reached(_ commit: Commit) async throws {
    begin()
    // A commit may add sections, which are followed only once it is processed. So the loop looks for further parts.
    var reached: Set<LiveConsumerID> = []
    while let next = source.followed.first(where: { !reached.contains($0) }) {
      do {
        try await source.engine.reached(commit, by: next)
      } catch LiveError.suspended where !source.follows(next) {
        // The section was removed or closed.
      }
      reached.insert(next)
    }
    source.engine.deliverNow()
    takeNewest()
    shownCommit.note(commit, number: shown.number)
    if let error = shown.published.state.error { throw error }
  }
}
