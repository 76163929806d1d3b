import SanderlingSync

/// A cancelled synchronisation, with the counts of its stored rows.
struct SyncInterrupted: Error {
  let counts: SyncCounts

  /// Returns the message for an interrupted command.
  ///
  /// An interruption before the first stored row has no counts, such as one during the first pass over a file for a new
  /// table.
  static func message(of interruption: Interruption) -> String {
    guard let counts = (interruption.cause as? SyncInterrupted)?.counts, counts.stored > 0 else {
      return "Interrupted before this run stored a row. Run the same command again."
    }
    let read = "\(counts.received.counted("row")) \(counts.received == 1 ? "was" : "were") read"
    let stored = "\(counts.stored.grouped) \(counts.stored == 1 ? "is" : "are") in the database"
    return "Interrupted. \(read), and \(stored). Run the same command again to continue."
  }
}

extension SyncCounts {
  /// The number of received changes that the database contains: applied, parked or quarantined.
  var stored: Int { written + unchanged + removed + superseded + parked + quarantined }
}
