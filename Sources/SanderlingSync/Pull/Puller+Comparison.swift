import Sanderling

/// Sources that begin anew.
extension Puller {
  /// Forgets the rows that were seen before.
  ///
  /// - Parameter isStaged: Whether the source began anew before: with the staged changes.
  func restart(isStaged: Bool = false) async throws {
    // A run that ends from here on leaves it to the next to ask for all: a change that waits is nowhere else.
    try await set(.due)
    try await forgetSeenRows()
    // Changes that wait come again, if they are still there.
    try await forget(ParkedChanges.forget)
    try await forget(QuarantinedChanges.forget)
    let counts = try await removableRowCounts()
    try await write { tx in
      if !isStaged { try noteComparison(tx) }
      if outbox != nil { try UnnotedRecords.comparisonBegins(of: name, tx.database) }
      try note(counts, tx)
      try tx.run(SyncState.setRestarting, [.integer(SyncState.Comparison.underWay.rawValue), .text(name)])
      // A run that ends before the first batch is here has nothing to go on from. The rows that a source names behind
      // the old cursor are not all its rows, and the rest would be removed.
      try tx.run(SyncState.setCursor, [.null, .text(name)])
    }
  }

  /// Notes what may have been sent before the source began anew.
  func noteComparison(_ tx: WriteTransaction) throws {
    let last = try outbox == nil ? 0 : SyncControl.lastSequence(tx.database)
    try tx.run(SyncState.noteComparison, [.text(name), .integer(last)])
  }

  /// Begins with the first rows of a source that isn't complete: a comparison that was under way or due ends.
  ///
  /// Of a source that is read again as a whole, what didn't fit is forgotten, and comes again.
  func begin(_ beginning: SyncBatch.Beginning, _ progress: inout Progress) async throws {
    if progress.isRestarting || progress.isDue {
      try await set(.ended)
      try await forgetSeen()
      (progress.isRestarting, progress.isDue) = (false, false)
    }
    // Unreadable lines of a stream that has passed are of no use any more.
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

  /// Has the next run ask for all that the source has.
  func endRefusedComparison() async throws {
    try await set(.due)
    try await forgetSeenRows()
    hub.tell(.pulling)
  }

  /// Forgets which rows the source named, which a run that is ended here leaves to the next.
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

  /// Removes the rows that the source didn't name since it began anew, children first, and tells those that were
  /// changed or deleted here that they are gone.
  ///
  /// - Throws: ``SyncError/massDeletion(table:unnamed:of:)`` before anything is removed.
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
        // Beside the writer: most rows are only looked at.
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

  /// Removes the rows that were parked since, as what the server was known to have, and that it didn't name: see
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

  /// Removes rows that weren't seen when their keys were read. Rows that were sent meanwhile are noted as seen.
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
