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
/// The sequence ends at the newest change at its beginning. It reads pages of 500 changes, each in a snapshot of its
/// own, so that it holds one page and up to 500 keys. A page reads the later notes once, to find the values after
/// its changes: O(notes after the page).
public struct HistoryChanges: AsyncSequence, Sendable {
  public typealias Element = RecordedChange

  let store: Store
  let token: ChangeToken?
  let records: [RecordType]
  let author: String?

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads one page after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let changes: HistoryChanges
    private var page: ArraySlice<RecordedChange> = []
    private var position: Int64?
    private var last: Int64?
    private var isAtEnd = false

    fileprivate init(_ changes: HistoryChanges) {
      self.changes = changes
    }

    /// Returns the next change; nil at the end.
    ///
    /// - Throws: ``HistoryError``, ``StoreError``, or `CancellationError`.
    public mutating func next() async throws -> RecordedChange? {
      while page.isEmpty {
        if isAtEnd { return nil }
        let (position, last) = (position, last)
        let read = try await changes.read(after: position, through: last)
        page = read.page.changes[...]
        self.position = read.page.end
        self.last = read.last
        isAtEnd = !read.page.hasMore
      }
      return page.removeFirst()
    }
  }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - position: The end of the page before; nil for the first page.
  ///   - last: The last note of the sequence; nil for the first page.
  private func read(after position: Int64?, through last: Int64?) async throws -> (page: HistoryPage, last: Int64) {
    guard let tables = store.connection.history?.tables else { throw HistoryError.notKept }
    return try await store.read { tx in
      let db = tx.database
      let state = try HistoryState(db)
      let start = try position ?? state.position(of: token)
      if let position, position < state.pruned {
        throw HistoryError.pruned(ChangeToken(history: state.name, position: position))
      }
      let last = last ?? state.last
      let recorded = tables.records.filter { records.isEmpty || records.contains($0.record) }
      let readers = try recorded.compactMap { try HistoryRecordReader($0, tables, db) }
      let page = try HistoryPage(
        db, history: state.name, after: start, through: last, readers, author: author)
      return (page, last)
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
