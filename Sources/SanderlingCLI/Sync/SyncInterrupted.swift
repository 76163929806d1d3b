import SanderlingSync

/// A synchronisation that was cancelled, with the counts of the rows that it had stored.
struct SyncInterrupted: Error {
  let counts: SyncCounts

  /// The message about the rows that are stored when the command is interrupted.
  ///
  /// Before a synchronisation begins, the command only looks at the input, to make a table for it.
  static func message(of interruption: Interruption) -> String {
    guard let counts = (interruption.cause as? SyncInterrupted)?.counts, counts.stored > 0 else {
      return "Interrupted before this run stored a row. Run the same command again."
    }
    let read = "\(counts.received.counted("row")) \(counts.received == 1 ? "was" : "were") read"
    let stored = "\(counts.stored.grouped) \(counts.stored == 1 ? "is" : "are") in the database"
    return "Interrupted. \(read), and \(stored). Run the same command again to go on."
  }
}

extension SyncCounts {
  /// How many of the changes that came are in the database: in their tables, waiting for others or in the quarantine.
  var stored: Int { written + unchanged + removed + superseded + parked + quarantined }
}
