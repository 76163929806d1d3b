import GRDB

/// The changes of a history after a token, one by one, oldest first.
///
/// ```swift
/// for try await change in store.history(after: token, of: [Note.self]) {
///   try await index.apply(change)
///   token = change.token
/// }
/// ```
///
/// The sequence ends at the newest change at its beginning, or waits for further changes of all writers until its task
/// is cancelled. It reads pages of 500 changes, then of more, up to 8,000. Each page
/// is read in a snapshot of its own, and the sequence holds one page. A page scans the keys of all later notes, to find
/// the values after its changes: O(notes²/8,000) for a reader that is far behind.
public struct HistoryChanges: AsyncSequence, Sendable {
  public typealias Element = RecordedChange

  let store: Store
  let token: ChangeToken?
  let records: [RecordType]
  let author: String?
  let waits: Bool

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads one page after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let changes: HistoryChanges
    private var page: ArraySlice<RecordedChange> = []
    /// The end of the last page; nil before the first.
    private var end: ChangeToken?
    private var last: Int64?
    private var size = HistoryPage.sizes.lowerBound
    private var isAtEnd = false
    /// Delivers the number of the history's last note, at once and after each change of it. Nil until the iterator
    /// first waits for further changes.
    private var ends: LiveSnapshots<Int64>.Iterator?

    fileprivate init(_ changes: HistoryChanges) {
      self.changes = changes
    }

    /// Returns the next change; nil at the end, and when a task that waits for further changes is cancelled.
    ///
    /// - Throws: ``HistoryError``, ``StoreError``, or `CancellationError`.
    public mutating func next() async throws -> RecordedChange? {
      while page.isEmpty {
        if isAtEnd, try await !isContinued() { return nil }
        let read = try await changes.read(after: end ?? changes.token, through: last, size: size)
        page = read.page.changes[...]
        (end, last) = (read.end, read.last)
        size = Swift.min(2 * size, HistoryPage.sizes.upperBound)
        isAtEnd = !read.page.hasMore
      }
      return page.removeFirst()
    }

    /// Waits until the history may have changed after its last page.
    ///
    /// - Returns: False if the sequence ends here.
    private mutating func isContinued() async throws -> Bool {
      guard changes.waits else { return false }
      var ends = ends ?? changes.ends.makeAsyncIterator()
      defer { self.ends = ends }
      while let end = await ends.next() {
        // While the store is suspended or loading, the history can't be read.
        if let error = end.state.error, case StoreError.closed = error { throw error }
        guard end.state.isCurrent else { continue }
        (last, isAtEnd) = (nil, false)
        return true
      }
      return false
    }
  }

  /// The end of the history, after each commit that changed it.
  private var ends: LiveSnapshots<Int64> {
    store.snapshots(of: RawQuery("SELECT ifnull(max(id), 0) FROM main.sanderling_history", as: Int64.self), window: 1)
  }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - token: The token before the page; nil for the beginning of the history.
  ///   - last: The last note to read; nil for the newest.
  ///   - size: The greatest number of notes in the page.
  private func read(
    after token: ChangeToken?, through last: Int64?, size: Int
  ) async throws -> (page: HistoryPage, end: ChangeToken, last: Int64) {
    guard let tables = store.connection.history?.tables else { throw HistoryError.notKept }
    return try await store.read { tx in
      let db = tx.database
      let state = try HistoryState(db)
      let start = try state.position(of: token)
      let last = last ?? state.last
      let recorded = tables.records.filter { records.isEmpty || records.contains($0.record) }
      let readers = try recorded.compactMap { try HistoryRecordReader($0, tables, db) }
      let page = try HistoryPage(
        db, history: state.name, after: start, through: last, readers, author: author, size: size)
      return (page, ChangeToken(history: state.name, position: page.end), last)
    }
  }
}

/// The name and the ends of a history.
struct HistoryState {
  let name: String
  /// The last note that was removed.
  let pruned: Int64
  /// The last note.
  let last: Int64

  /// - Throws: ``HistoryError/notKept`` if the database has no history.
  init(_ db: Database) throws {
    guard try db.tableExists(HistoryTables.name),
      let row = try Row.fetchOne(
        db, sql: "SELECT name, pruned, (SELECT max(id) FROM main.sanderling_history) FROM main.sanderling_history_state"
      )
    else { throw HistoryError.notKept }
    (name, pruned, last) = (row[0], row[1], row[2] ?? 0)
  }

  /// The position of a token; for nil, the oldest that can be read.
  func position(of token: ChangeToken?) throws -> Int64 {
    guard let token else { return pruned }
    // A position beyond the end is one of a history that a backup has replaced by an older state.
    if token.history != name || token.position > max(last, pruned) { throw HistoryError.otherHistory(token) }
    if token.position < pruned { throw HistoryError.pruned(token) }
    return token.position
  }
}
