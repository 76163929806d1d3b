import Sanderling

/// Parked changes.
extension Puller {
  static let pageSize = 256

  /// The results of placing parked changes.
  private struct Placed {
    /// The number of the last processed change.
    var last: Int64 = 0
    var counts = SyncCounts()
    var hasPlaced = false
    var hasWaitingDeletion = false
  }

  /// Applies parked changes whose parents arrived in any way, until none is left. After that, deletions no longer wait
  /// for rows that refer to theirs.
  func placeParked() async throws {
    var (goesOn, isLast) = (true, false)
    while goesOn {
      var (isProgressing, hasWaitingDeletion) = (false, false)
      var last: Int64 = 0
      let highest = try await store.read { tx in
        var highest: Int64 = 0
        try tx.run("SELECT coalesce(max(id), 0) FROM main.sanderling_sync_parked", []) {
          highest = try $0.integer(at: 0, for: Int64.self)
        }
        return highest
      }
      while last < highest {
        try await control.proceed(hub)
        let after = last
        let ids = try await store.read { tx in
          try ParkedChanges.numbers(of: name, behind: after, limit: Self.pageSize, tx)
        }
        guard !ids.isEmpty else { break }
        let placed = try await placeParked(ids, after: after, isLast: isLast)
        hub.add(placed.counts)
        isProgressing = isProgressing || placed.hasPlaced
        hasWaitingDeletion = hasWaitingDeletion || placed.hasWaitingDeletion
        last = placed.last
      }
      goesOn = isProgressing || (hasWaitingDeletion && !isLast)
      isLast = !isProgressing
    }
  }

  private func placeParked(_ ids: [Int64], after last: Int64, isLast: Bool) async throws -> Placed {
    try await write { tx in
      let began = ContinuousClock.now
      var placed = Placed(last: last)
      try applying(tx.database) {
        var transaction = try transaction(tx, false, isCareful: true)
        for id in ids {
          guard try transaction.makeRoom(forParked: id, since: began) else { break }
          if try transaction.placeParked(id, isLast: isLast) { placed.hasPlaced = true }
          placed.last = id
          if .now - began > SlicePace.target { break }
        }
        placed.counts = transaction.counts
        placed.hasWaitingDeletion = transaction.hasWaitingDeletion
        // The changes were already counted as parked.
        placed.counts.parked = 0
      }
      return placed
    }
  }
}
