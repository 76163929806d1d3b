/// The result of a search for an input. Immutable; copies share their storage.
public struct SearchSnapshot<Element: Sendable>: Sendable {
  /// The found rows, in the order of the query and then of the primary key.
  public let rows: LiveRows<Element>
  /// The found rows that can't be read, in the same order. Mostly empty. See ``UnreadableRow``.
  public let unreadableRows: [UnreadableRow]
  /// The input that the rows were found for. It is an earlier one while the last input is searched for.
  public let input: String
  /// Whether there are more rows than the window holds.
  public let hasMore: Bool
  /// The relation of the rows to the input and the database: see ``SearchSession/state``.
  public let state: LiveState

  /// The rows as an array. O(rows).
  public var elements: [Element] { rows.elements }

  func with(_ state: LiveState, input: String? = nil) -> SearchSnapshot {
    SearchSnapshot(
      rows: rows, unreadableRows: unreadableRows, input: input ?? self.input, hasMore: hasMore, state: state)
  }
}

/// The snapshots of a search, the newest at any time: see ``SearchSession/snapshots``.
///
/// Each iteration is a subscriber of its own. It receives the current snapshot at once, then the newest snapshot
/// whenever it asks and a new one exists. Older snapshots are skipped while it is busy. The session lives, and follows
/// the database, while an iterator exists. Iterating ends when the task is cancelled; errors are states of a snapshot.
public struct SearchSnapshots<Element: Sendable>: AsyncSequence, Sendable {
  let session: SearchSession<Element>

  public func makeAsyncIterator() -> Iterator {
    Iterator(session: session)
  }

  public struct Iterator: AsyncIteratorProtocol {
    let session: SearchSession<Element>
    private var last: UInt64 = 0

    init(session: SearchSession<Element>) {
      self.session = session
    }

    public mutating func next() async -> SearchSnapshot<Element>? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> SearchSnapshot<Element>? {
      await session.begin()
      guard let (snapshot, number) = await session.feed.next(after: last, isolation: actor) else { return nil }
      last = number
      return snapshot
    }
  }
}
