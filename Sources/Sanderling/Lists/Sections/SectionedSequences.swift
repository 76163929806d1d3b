/// The snapshots of a sectioned list. A slow subscriber receives only the newest. Otherwise as ``LiveSnapshots``.
public struct SectionedSnapshots<Key: Sendable, Values: Sendable, Element: Sendable>: AsyncSequence, Sendable {
  let source: SectionsSource<Key, Values, Element>

  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  public struct Iterator: AsyncIteratorProtocol {
    private let source: SectionsSource<Key, Values, Element>
    private var subscription: SectionsSubscription<Key, Values, Element>?
    private var last: UInt64 = 0

    init(source: SectionsSource<Key, Values, Element>) {
      self.source = source
    }

    public mutating func next() async -> SectionedSnapshot<Key, Values, Element>? {
      await next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> SectionedSnapshot<Key, Values, Element>? {
      let subscription = subscription ?? SectionsSubscription(source, feed: LiveFeed())
      self.subscription = subscription
      guard let (snapshot, number) = await subscription.feed.next(after: last, isolation: actor) else { return nil }
      last = number
      return snapshot
    }
  }
}

/// The changes of a sectioned list: each leads from the last snapshot that this subscriber received to the newest.
///
/// The first change inserts all sections and rows. Otherwise as ``LiveSnapshots``.
public struct SectionedChanges<Key: Sendable, Values: Sendable, Element: Sendable>: AsyncSequence, Sendable {
  let snapshots: SectionedSnapshots<Key, Values, Element>

  public func makeAsyncIterator() -> Iterator {
    Iterator(snapshots: snapshots.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    private var snapshots: SectionedSnapshots<Key, Values, Element>.Iterator
    private var sections = LiveSections<Key, Values, Element>()

    init(snapshots: SectionedSnapshots<Key, Values, Element>.Iterator) {
      self.snapshots = snapshots
    }

    public mutating func next() async -> SectionedChange<Key, Values, Element>? {
      await next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> SectionedChange<Key, Values, Element>? {
      guard let snapshot = await snapshots.next(isolation: actor) else { return nil }
      defer { sections = snapshot.sections }
      return SectionedChange(
        difference: SectionedDifference(from: sections, to: snapshot.sections), snapshot: snapshot)
    }
  }
}

/// The step from one snapshot of a sectioned list to the next.
public struct SectionedChange<Key: Sendable, Values: Sendable, Element: Sendable>: Sendable {
  /// The changes of the previous snapshot's sections. For the first change, there are no previous sections.
  public let difference: SectionedDifference
  /// The sections after the change.
  public let snapshot: SectionedSnapshot<Key, Values, Element>
}
