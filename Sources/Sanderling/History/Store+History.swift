public import Foundation
import GRDB

extension Store {
  /// The author of this store's commits in the history, for example "app" or "widget". Nil by default, and in a store
  /// whose records keep no history.
  ///
  /// Set it before the first write. It may be set at any time, from any thread.
  public var author: String? {
    get { connection.history?.author }
    set { connection.history?.author = newValue }
  }

  /// The changes after a token, oldest first.
  ///
  /// - Parameters:
  ///   - token: The token of the last change that was read; nil for the oldest change that is kept.
  ///   - records: The records to read. Empty for all records of the store with a history.
  ///   - author: The author of the commits to read; nil for the changes of all writers.
  ///   - waits: Whether the sequence waits for further changes after the newest, until its task is cancelled. It follows
  ///     the end of the history as a live result that is rerun: at most five times a second, for commits of any process.
  /// - Returns: A sequence that throws ``HistoryError/pruned(_:)`` if changes after the token are gone, and
  ///   ``HistoryError/otherHistory(_:)`` if the database was erased or replaced.
  public func history(
    after token: ChangeToken? = nil, of records: [any StoredRecord.Type] = [], by author: String? = nil,
    waits: Bool = false
  ) -> HistoryChanges {
    HistoryChanges(store: self, token: token, records: records.map { RecordType($0) }, author: author, waits: waits)
  }

  /// The token after the newest change.
  ///
  /// - Throws: ``HistoryError/notKept``, and ``StoreError``.
  public func historyToken() async throws -> ChangeToken {
    guard connection.history != nil else { throw HistoryError.notKept }
    return try await read { tx in
      let state = try HistoryState(tx.database)
      return ChangeToken(history: state.name, position: max(state.last, state.pruned))
    }
  }

  /// Notes that a reader has read all changes up to a token. ``pruneHistory(olderThan:keepingAtMost:includingUnread:)``
  /// then keeps the changes after it.
  ///
  /// - Parameter reader: A name for the reader, the same in each process that reads for it.
  public func noteHistoryRead(_ token: ChangeToken, by reader: String) async throws {
    try await changeHistory("note history read") { db in
      let state = try HistoryState(db)
      let position = try state.position(of: token)
      try db.execute(
        sql: """
          INSERT INTO main.sanderling_history_readers (name, position, at) VALUES (?, ?, julianday('now')) \
          ON CONFLICT (name) DO UPDATE SET position = max(position, excluded.position), at = excluded.at
          """, arguments: [reader, position])
    }
  }

  /// Forgets a reader, so that changes are no longer kept for it.
  public func forgetHistoryReader(_ reader: String) async throws {
    try await changeHistory("forget history reader") { db in
      try db.execute(sql: "DELETE FROM main.sanderling_history_readers WHERE name = ?", arguments: [reader])
    }
  }

  /// Removes old changes from the history, in slices of 1,000 between other writes.
  ///
  /// Changes are removed that are older than a time, and those beyond a number of newest changes. Changes that a known
  /// reader has not read are kept, unless they are included. The newest change is always kept.
  ///
  /// - Parameters:
  ///   - date: The time before which changes are removed; nil for no such limit.
  ///   - count: The number of newest changes to keep; nil for no such limit.
  ///   - includingUnread: Whether changes are removed that known readers have not read. Their tokens then throw
  ///     ``HistoryError/pruned(_:)``.
  /// - Returns: The number of removed notes. A change takes one note, and some statements take more.
  @discardableResult
  public func pruneHistory(
    olderThan date: Date? = nil, keepingAtMost count: Int? = nil, includingUnread: Bool = false
  ) async throws -> Int {
    var removed = 0
    while true {
      let slice = try await changeHistory("prune history") { db in
        try HistoryPruning(olderThan: date, keepingAtMost: count, includingUnread: includingUnread).removeSlice(db)
      }
      removed += slice
      if slice < HistoryPruning.sliceSize { return removed }
    }
  }

  /// Ends the history of a record: drops its triggers, and removes its changes.
  ///
  /// For a record that no longer declares a ``ChangeHistory``. The next opening of a store whose record declares one
  /// begins a new history of the record.
  public func removeHistory(of record: any StoredRecord.Type) async throws {
    let table = record.table.name
    try await write("remove history") { tx in
      let db = tx.database
      guard try db.tableExists(HistoryTables.name) else { return }
      for trigger in try NotingTriggers.existing(on: table, prefix: HistoryTables.prefix, db) {
        try NotingTriggers.drop(trigger.name, db)
      }
      // The newest note stays, so that its number is not used again. It belongs to no record then.
      try db.execute(
        sql:
          "DELETE FROM main.sanderling_history WHERE record = ? AND id < (SELECT max(id) FROM main.sanderling_history)",
        arguments: [table])
      try db.execute(sql: "UPDATE main.sanderling_history SET record = '' WHERE record = ?", arguments: [table])
      try db.execute(sql: "DELETE FROM main.sanderling_history_columns WHERE record = ?", arguments: [table])
    }
  }

  private func changeHistory<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    guard connection.history != nil else { throw HistoryError.notKept }
    return try await write(name, priority: .background) { try body($0.database) }
  }
}

/// The rule for the removal of old notes.
private struct HistoryPruning {
  let date: Date?
  let count: Int?
  let includesUnread: Bool

  static let sliceSize = 1000

  init(olderThan date: Date?, keepingAtMost count: Int?, includingUnread: Bool) {
    self.date = date
    self.count = count
    includesUnread = includingUnread
  }

  /// Removes the oldest notes, up to a slice.
  ///
  /// - Returns: The number of removed notes.
  func removeSlice(_ db: Database) throws -> Int {
    let state = try HistoryState(db)
    var last = state.last - 1
    if !includesUnread,
      let read = try Int64.fetchOne(db, sql: "SELECT min(position) FROM main.sanderling_history_readers")
    {
      last = min(last, read)
    }
    var conditions: [String] = []
    var arguments: StatementArguments = [last]
    if let date {
      conditions.append("at < ?")
      arguments += [date.julianDay]
    }
    if let count {
      conditions.append("id <= (SELECT id FROM main.sanderling_history ORDER BY id DESC LIMIT 1 OFFSET ?)")
      arguments += [max(count, 1)]
    }
    if conditions.isEmpty { return 0 }
    // The notes are in the order of their commits. A clock that was set back must not leave a gap among them.
    let end = try Int64.fetchOne(
      db,
      sql: "SELECT max(id) FROM (SELECT id FROM main.sanderling_history WHERE id <= ? AND "
        + "(\(conditions.joined(separator: " OR "))) ORDER BY id LIMIT \(Self.sliceSize))",
      arguments: arguments)
    guard let end else { return 0 }
    try db.execute(sql: "DELETE FROM main.sanderling_history WHERE id <= ?", arguments: [end])
    let removed = db.changesCount
    try db.execute(sql: "UPDATE main.sanderling_history_state SET pruned = ?", arguments: [end])
    // The newest commit stays, so that its number is not used again.
    try db.execute(
      sql:
        "DELETE FROM main.sanderling_history_commits WHERE last <= ? AND last < (SELECT max(last) FROM main.sanderling_history_commits)",
      arguments: [end])
    return removed
  }
}
