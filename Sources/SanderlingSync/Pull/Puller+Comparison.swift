import Sanderling

/// Sources that restart.
extension Puller {
  /// Clears the record of named rows.
  ///
  /// - Parameter isStaged: Whether the source restarted earlier, together with the staged changes.
  func restart(isStaged: Bool = false) async throws {
    // If the run ends from here on, the next one requests all rows: dropped parked changes are stored nowhere else.
    try await set(.due)
    try await forgetSeenRows()
    // Parked changes that still exist come again.
    try await forget(ParkedChanges.forget)
    try await forget(QuarantinedChanges.forget)
    let counts = try await removableRowCounts()
    try await write { tx in
      if !isStaged { try noteComparison(tx) }
      if outbox != nil { try UnnotedRecords.comparisonBegins(of: name, tx.database) }
      try note(counts, tx)
      try tx.run(SyncState.setRestarting, [.integer(SyncState.Comparison.underWay.rawValue), .text(name)])
      // If the run ends before the first batch, there must be no cursor to continue from. Rows after the old cursor are
      // not all rows, and the other rows would be removed.
      try tx.run(SyncState.setCursor, [.null, .text(name)])
    }
  }

  /// Records which mutations may have been sent before the source restarted.
  func noteComparison(_ tx: WriteTransaction) throws {
    let last = try outbox == nil ? 0 : SyncControl.lastSequence(tx.database)
    try tx.run(SyncState.noteComparison, [.text(name), .integer(last)])
  }

  /// Begins with the first rows of an incomplete source: an active or due comparison ends.
  ///
  /// If the source is read again as a whole, quarantined rows are dropped and come again.
  func begin(_ beginning: SyncBatch.Beginning, _ progress: inout Progress) async throws {
    if progress.isRestarting || progress.isDue {
      try await set(.ended)
      try await forgetSeen()
      (progress.isRestarting, progress.isDue) = (false, false)
    }
    // Unreadable lines of a stream that has passed are useless.
    guard beginning == .again else { return try await forget(QuarantinedChanges.forgetRead) }
    try await forgetStage(&progress)
    try await forget(QuarantinedChanges.forget)
  }

  private func forget(_ sql: String) async throws {
    while try await write({ tx in try tx.changes(sql, [.text(name), .integer(Int64(Self.pageSize))]) }) {
      try await control.proceed(hub)
    }
  }

  private func set(_ comparison: SyncState.Comparison) async throws {
    try await write { tx in
      try tx.run(SyncState.setRestarting, [.integer(comparison.rawValue), .text(name)])
      if comparison == .ended { try tx.run(SyncState.forgetRowCounts, [.text(name)]) }
    }
  }

  /// Makes the next run request all rows.
  func endRefusedComparison() async throws {
    try await set(.due)
    try await forgetSeenRows()
    hub.tell(.pulling)
  }

  /// Clears the record of named rows. If the run ends here, the next one does it.
  func forgetSeen() async throws {
    try await forgetSeenRows()
    try await write { tx in try tx.run(SyncState.forgetComparison, [.text(name)]) }
  }

  private func forgetSeenRows() async throws {
    for table in tables.all {
      while try await write({ tx in try tx.changes(table.forgetSeen, [.integer(2048)]) }) {
        try await control.proceed(hub)
      }
    }
  }

  /// Removes the rows that the restarted source didn't name, children first. Rows that were changed or deleted locally
  /// learn that they no longer exist at the server.
  ///
  /// - Throws: ``SyncError/massDeletion(table:unnamed:of:)`` before any row is removed.
  func removeUnseen() async throws {
    hub.tell(.removing)
    try await noteUnnamed()
    guard try await !store.read({ tx in try tx.isFound(SyncState.isUnsure, [.text(name)]) }) else {
      return try await endComparison()
    }
    try await requireFewUnseen()
    for number in tables.all.indices.sorted(by: { tables.ranks[$0] > tables.ranks[$1] }) {
      let table = tables.all[number]
      var last: [StorageValue] = []
      while true {
        try await control.proceed(hub)
        let behind = last
        // On a reader: most rows are only read.
        let keys = try await store.read { tx in
          var keys: [[StorageValue]] = []
          try tx.run(table.unseen(behindKey: !behind.isEmpty), behind + [.integer(Int64(Self.pageSize))]) { row in
            keys.append(table.keyNames.indices.map { row.storageValue(at: Int32($0)) })
          }
          return keys
        }
        guard let final = keys.last else { break }
        try await remove(keys, number)
        last = final
      }
      var sequence: Int64? = 0
      while let behind = sequence {
        try await control.proceed(hub)
        let (keys, final) = try await store.read { tx in
          try outbox?.unseenDeletions(of: table, after: behind, limit: Self.pageSize, tx.database) ?? ([], nil)
        }
        try await remove(keys, number)
        sequence = final
      }
    }
    try await removeUnseenParked()
    try await write { tx in try outbox?.noteAllNamed(tx.database) }
    try await endComparison()
  }

  private func endComparison() async throws {
    try await write { tx in
      try tx.run(SyncState.endComparison, [.text(name)])
      try tx.run(SyncState.forgetRowCounts, [.text(name)])
      if outbox != nil { try UnnotedRecords.comparisonEnded(of: name, tx.database) }
    }
    try await forgetSeen()
    hub.tell(.pulling)
  }

  /// Removes unnamed rows that were parked since as rows that the server was known to have: see
  /// ``Outbox/deleting(_:of:in:at:_:)``.
  private func removeUnseenParked() async throws {
    var last: Int64 = 0
    while true {
      try await control.proceed(hub)
      let behind = last
      let (keys, final) = try await store.read { tx in
        let ids = try ParkedChanges.numbers(of: name, behind: behind, limit: Self.pageSize, tx)
        var keys: [Int: [[StorageValue]]] = [:]
        for id in ids {
          guard let change = try ParkedChanges.change(id, of: name, tx), change.isRow,
            let number = tables.place(ofRecord: change.record)
          else { continue }
          if try !tx.isFound(tables.all[number].isSeen, change.key) { keys[number, default: []].append(change.key) }
        }
        return (keys, ids.last)
      }
      for (number, keys) in keys { try await remove(keys, number) }
      guard let final else { return }
      last = final
    }
  }

  /// Removes rows that weren't named when their keys were read. Rows that were sent meanwhile count as named.
  private func remove(_ keys: [[StorageValue]], _ number: Int) async throws {
    let table = tables.all[number]
    var position = 0
    while position < keys.count {
      try await control.proceed(hub)
      let start = position
      let (next, counts) = try await write { tx in
        let began = ContinuousClock.now
        var (next, counts) = (start, SyncCounts())
        try applying(tx.database) {
          var transaction = try transaction(tx, false, isCareful: true)
          while next < keys.count {
            if try !tx.isFound(table.isSeen, keys[next]) {
              let change = SyncChange(table.record.name, key: keys[next], .deletion)
              let planned = PlannedChange(table: number, change: change)
              guard try transaction.makeRoom(for: planned, since: began) else { break }
              try transaction.place(planned, isLast: true)
            }
            next += 1
            if .now - began > SlicePace.target { break }
          }
          counts = transaction.counts
        }
        return (next, counts)
      }
      hub.add(counts)
      position = next
    }
  }
}
