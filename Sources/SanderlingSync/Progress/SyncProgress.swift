/// How far a synchronisation is.
public struct SyncProgress: Sendable, Hashable {
  public enum Phase: String, Sendable, Hashable, Codable {
    /// It isn't at work.
    case idle
    /// It waits for the source, or applies what came.
    case pulling
    /// It removes what a source that began anew didn't name.
    case removing
    /// It waits for ``Synchronization/resume()``.
    case paused
  }

  public internal(set) var phase = Phase.idle
  /// Since the run began.
  public internal(set) var counts = SyncCounts()
  /// How long the run takes so far, pauses included.
  public internal(set) var duration = Duration.zero

  /// Changes a second, from the source to the database; 0 before the first.
  public var rate: Double {
    let seconds = duration / .seconds(1)
    return seconds > 0 ? Double(counts.received) / seconds : 0
  }
}

/// What a run did.
public struct SyncSummary: Sendable, Hashable {
  public internal(set) var counts = SyncCounts()
  public internal(set) var duration = Duration.zero
  /// How many changes wait for a parent, of this run and of those before.
  public internal(set) var waiting = 0

  /// Whether every row was as the source says already.
  public var isUnchanged: Bool {
    counts.written == 0 && counts.removed == 0 && counts.parked == 0 && counts.quarantined == 0
  }

  /// Changes a second; 0 where there was none.
  public var rate: Double {
    let seconds = duration / .seconds(1)
    return seconds > 0 ? Double(counts.received) / seconds : 0
  }
}
