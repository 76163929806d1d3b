/// The progress of a synchronisation.
public struct SyncProgress: Sendable, Hashable {
  /// The phases of a run.
  public enum Phase: String, Sendable, Hashable, Codable {
    /// No run is active.
    case idle
    /// The run waits for the source, or applies a batch.
    case pulling
    /// The run stores a batch, to be applied with its checkpoint.
    case staging
    /// The run removes rows that a restarted source didn't name.
    case removing
    /// The run waits for ``SyncSession/resume()``.
    case paused
  }

  /// The current phase.
  public internal(set) var phase = Phase.idle
  /// The numbers of changes since the run began.
  public internal(set) var counts = SyncCounts()
  /// The duration of the run so far, including pauses.
  public internal(set) var duration = Duration.zero

  /// The source's estimate of the number of remaining changes; nil if unknown.
  public internal(set) var remaining: Int?

  /// The estimated remaining time, at the pace so far; nil at the beginning, and if the number of changes is unknown.
  public var estimate: Duration? {
    guard let remaining, counts.received > 0, duration > .zero else { return nil }
    return duration * (Double(remaining) / Double(counts.received))
  }

  /// The number of changes per second that the run applied; 0 before the first.
  public var rate: Double {
    let seconds = duration / .seconds(1)
    return seconds > 0 ? Double(counts.received) / seconds : 0
  }
}

/// The results of a run.
public struct SyncSummary: Sendable, Hashable {
  /// The numbers of changes that the run received and applied.
  public internal(set) var counts = SyncCounts()
  /// The duration of the run, pauses included.
  public internal(set) var duration = Duration.zero
  /// The number of changes that wait for a parent, from this run and earlier runs.
  public internal(set) var waiting = 0

  /// The outcomes of the app's changes; nil for a synchronisation that sends none.
  public internal(set) var sent: SentCounts?

  /// Whether every row already equalled the source's, and nothing was sent.
  public var isUnchanged: Bool {
    (sent?.acknowledged ?? 0) == 0 && counts.written == 0 && counts.removed == 0 && counts.parked == 0
      && counts.quarantined == 0
  }

  /// The number of changes per second; 0 if there were none.
  public var rate: Double {
    let seconds = duration / .seconds(1)
    return seconds > 0 ? Double(counts.received) / seconds : 0
  }
}

/// The outcomes of the app's changes that a run sent.
public struct SentCounts: Sendable, Hashable {
  /// The number of mutations that the server acknowledged.
  public internal(set) var acknowledged = 0
  /// The number of mutations that the server refused for good. They are in the quarantine.
  public internal(set) var refused = 0
  /// The number of changes still to be sent: they failed, or the server no longer has their base.
  public internal(set) var left = 0
  /// The error of the last mutation that failed.
  public internal(set) var failure: String?
  /// The reason of the last conflict, as the sink gave it.
  public internal(set) var conflict: String?
  /// The number of changes that wait for a row that they refer to and that the server refused. They are sent with that
  /// row, see ``SyncSession/quarantine(limit:after:)``.
  public internal(set) var waiting = 0
}
