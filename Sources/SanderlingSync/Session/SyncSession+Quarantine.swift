import GRDB
public import Sanderling

/// Changes that didn't fit, locally or at the server.
extension SyncSession {
  /// Returns the changes that didn't fit, oldest first: changes of the source that can't be stored, and changes of this
  /// device that the server refused.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of changes.
  ///   - id: The id of the change after which the list begins; 0 for the oldest change.
  public func quarantine(limit: Int = 100, after id: Int64 = 0) async throws -> [QuarantinedChange] {
    try await store.read { tx in
      var changes: [QuarantinedChange] = []
      guard try self.hasTables(tx) else { return [] }
      try tx.run(QuarantinedChanges.list, [.text(self.name), .integer(id), .integer(Int64(limit))]) { row in
        changes.append(try QuarantinedChange(row))
      }
      return changes
    }
  }

  /// Tries a quarantined change again, with other values if there are any.
  ///
  /// A change that the server refused is sent by the next run, with later changes of the row; the values are written to
  /// the row.
  ///
  /// - Parameter values: Replacements for the values of the same columns.
  /// - Returns: Whether the change fits now. If not, it is in the quarantine again, with another id and perhaps another
  ///   reason. A change whose parent is missing fits, and is parked. For a change that the server refused, the result
  ///   is not known yet.
  /// - Throws: ``SyncError/notInQuarantine(id:)``, and errors of the store.
  public func retry(_ id: Int64, with values: [String: StorageValue] = [:]) async throws -> Bool {
    let puller = puller
    return try await store.write("retry sync \(name)") { tx in
      let found = try self.quarantined(id, tx)
      if found.direction == .sent {
        try self.sendAgain(found, with: values, tx)
        return true
      }
      var change = found.change
      if case .row(let old) = change.content { change.content = .row(old.merging(values) { $1 }) }
      return try self.place([(id, change)], puller, tx).quarantined == 0
    }
  }

  /// Tries the source's misfitting changes again, oldest first, several in each transaction: the table may have been
  /// corrected. O(changes).
  package func retryQuarantine() async throws {
    let puller = puller
    var last: Int64 = 0
    let end = try await store.read { tx in
      try Int64.fetchOne(tx.database, sql: "SELECT max(id) FROM main.sanderling_sync_quarantine") ?? 0
    }
    while last < end {
      let after = last
      last = try await store.write("retry sync \(name)", priority: .background) { tx in
        var page: [QuarantinedChange] = []
        try tx.run(QuarantinedChanges.list, [.text(self.name), .integer(after), .integer(128)]) { row in
          page.append(try QuarantinedChange(row))
        }
        let pulled = page.filter { $0.isTriedAgain && $0.id <= end }
        _ = try self.place(pulled.map { ($0.id, $0.change) }, puller, tx)
        return page.last?.id ?? end
      }
    }
  }

  /// Applies quarantined changes, or quarantines them again.
  private func place(
    _ changes: [(id: Int64, change: SyncChange)], _ puller: Puller, _ tx: WriteTransaction
  ) throws -> SyncCounts {
    var counts = SyncCounts()
    try puller.applying(tx.database) {
      var transaction = try puller.transaction(tx, false, isCareful: true, misfits: .quarantine)
      for (id, change) in changes {
        try tx.run(QuarantinedChanges.remove, [.integer(id)])
        try transaction.place(
          PlannedChange(table: tables.place(ofRecord: change.record), change: change), isLast: true)
      }
      counts = transaction.counts
    }
    return counts
  }

  /// Removes a change from the quarantine.
  ///
  /// A pulled change is lost until the source gives a newer one. If the server refused the change, the record gets the
  /// server's values again, and the changes of this device are lost.
  ///
  /// - Throws: ``SyncError/notInQuarantine(id:)``, and errors of the store: other rows may refer to a row that this
  ///   deletes.
  public func discard(_ id: Int64) async throws {
    try await store.write("discard sync \(name)") { tx in
      let found = try self.quarantined(id, tx)
      if found.direction == .sent, let (outbox, record) = self.outbox(of: found) {
        _ = try outbox.discard(found.change.key, of: record, tx.database)
      }
      try tx.run(QuarantinedChanges.remove, [.integer(id)])
    }
  }

  private func quarantined(_ id: Int64, _ tx: ReadTransaction) throws -> QuarantinedChange {
    var found: QuarantinedChange?
    guard try hasTables(tx) else { throw SyncError.notInQuarantine(id: id) }
    try tx.run(QuarantinedChanges.load, [.text(name), .integer(id)]) { found = try QuarantinedChange($0) }
    guard let found else { throw SyncError.notInQuarantine(id: id) }
    return found
  }

  /// The outbox of a session that sends and has the record.
  private func outbox(of refused: QuarantinedChange) -> (Outbox, SyncedRecord)? {
    guard let outbox = pushLoop?.outbox, let number = tables.place(ofRecord: refused.change.record) else { return nil }
    return (outbox, tables.all[number].record)
  }

  private func sendAgain(
    _ refused: QuarantinedChange, with values: [String: StorageValue], _ tx: WriteTransaction
  ) throws {
    guard let (outbox, record) = outbox(of: refused) else { throw SyncError.notInQuarantine(id: refused.id) }
    let (table, key) = (record.synced, refused.change.key)
    if let present = try table.row(key, tx.database) {
      let row = table.columns.indices.map {
        table.key.contains($0) ? present[$0] : values[table.columns[$0]] ?? present[$0]
      }
      try table.write(row, replacing: present, key: key, tx.database)
    }
    _ = try outbox.retry(key, of: record, tx.database)
  }
}
