import Observation

/// Sections of a query's rows that follow the database: their keys, counts and aggregates, and the rows of those that are open.
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
/// Headers and rows change together: a snapshot shows the state of one commit. A closed section costs its header. The list reads nothing
/// until it is first accessed, and stops when it is released.
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
    // Snapshots that sequences of the list received before are there already, and are no news.
    takeNewest()
    return subscription
  }

  /// Shows the sections that are ready.
  private func takeNewest() {
    if let newest = subscription?.feed.newest { shown.take(newest.value, number: newest.number) }
  }
}

// MARK: - What it shows

extension LiveSectionedList {
  /// The sections, the commit and the state together.
  public var current: SectionedSnapshot<Key, Values, Element> {
    begin()
    shown.contentIsRead()
    return shown.published
  }

  /// The sections in their order, each with its rows if it is open.
  public var sections: LiveSections<Key, Values, Element> { current.sections }

  /// The sections that can't be read, then such rows among the shown rows of each section. Usually there are none. O(sections).
  public var unreadableRows: [UnreadableRow] { current.unreadableRows }

  public var state: LiveState { current.state }

  /// The last commit that all sections are known to equal; nil before the first are read.
  ///
  /// Advances without notice: commits that leave the sections as they are change nothing that could be observed.
  public var commit: Commit? {
    let snapshot = current
    guard snapshot.state.isCurrent, let commit = snapshot.commit, let subscription else { return snapshot.commit }
    return shownCommit.latest(commit, number: shown.number, of: subscription.feed, engine: source.engine)
  }

  /// Each snapshot of the sections, the current one first, for any actor.
  public nonisolated var snapshots: SectionedSnapshots<Key, Values, Element> { SectionedSnapshots(source: source) }

  /// Each change of the sections and their rows, for any actor. The first inserts all.
  public nonisolated var changes: SectionedChanges<Key, Values, Element> { SectionedChanges(snapshots: snapshots) }
}

// MARK: - Opening and closing

extension LiveSectionedList {
  /// Shows the rows of a section, as soon as they are read. If there is no section with this key, then once there is one.
  public func open(_ key: Key) {
    source.setOpen(key, true)
  }

  /// Hides the rows of a section, at once.
  public func close(_ key: Key) {
    source.setOpen(key, false)
    takeNewest()
  }

  /// Shows the rows of all sections, those to come included. Each section is read by a query of its own.
  public func openAll() {
    source.setAllOpen(true)
  }

  /// Hides the rows of all sections, those to come included.
  public func closeAll() {
    source.setAllOpen(false)
    takeNewest()
  }

  /// Whether the section with a key should be open, if it exists. Its rows may not be read yet: see
  /// ``LiveSection/isOpen``.
  public func isOpening(_ key: Key) -> Bool { source.isToBeOpen(key) }

  /// Makes the window of one section larger.
  ///
  /// - Parameter count: By how many rows; by the window that sections have at first if it isn't given. It never becomes smaller: by a
  ///   negative number it stays.
  public func loadMore(in key: Key, _ count: Int? = nil) {
    source.loadMore(in: key, count)
  }
}

// MARK: - What it follows

extension LiveSectionedList {
  /// Stops following the database until ``resume()``, for sequences made of this list too. The sections stay.
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

  /// Follows another query in place. The shown sections stay until the sections of the new query are read, with the
  /// rows of the open ones. The choice of open sections is kept.
  public func replace<Root>(_ query: SectionedSelection<Root, Key, Values, Element>) {
    source.replace(SectionedDefinition(query))
  }

  /// Follows another query with associated records in place, as one without.
  public func replace<Root>(_ query: PrefetchingSections<Root, Key, Values, Element>) {
    source.replace(SectionedDefinition(query))
  }

  /// Waits until the sections show everything that was written through the store before the call, and the rows of all
  /// open sections are read.
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
    // Sections that a commit brings are followed once it is looked at.
    var reached: Set<LiveConsumerID> = []
    while let next = source.followed.first(where: { !reached.contains($0) }) {
      do {
        try await source.engine.reached(commit, by: next)
      } catch LiveError.suspended where !source.follows(next) {
        // The section is gone, or was closed.
      }
      reached.insert(next)
    }
    source.engine.deliverNow()
    takeNewest()
    shownCommit.note(commit, number: shown.number)
    if let error = shown.published.state.error { throw error }
  }
}
