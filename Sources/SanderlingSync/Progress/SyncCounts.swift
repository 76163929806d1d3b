/// The numbers of a source's changes by their outcome.
public struct SyncCounts: Sendable, Hashable, Codable {
  /// The changes that the source gave.
  public var received = 0
  /// Rows that were inserted or updated.
  public var written = 0
  /// Rows that already equalled the source's, or were merged into local changes.
  public var unchanged = 0
  /// Rows that were removed.
  public var removed = 0
  /// Changes that a later change of the same record in the same batch superseded, and rows of a file that equal an
  /// earlier row. A superseding row with only some columns also takes the values of the superseded row.
  public var superseded = 0
  /// Changes that began to wait for a parent.
  public var parked = 0
  /// Changes that went to the quarantine.
  public var quarantined = 0

  public init() {}

  init(superseded: Int) { self.superseded = superseded }

  static func += (counts: inout SyncCounts, other: SyncCounts) {
    counts.received += other.received
    counts.written += other.written
    counts.unchanged += other.unchanged
    counts.removed += other.removed
    counts.superseded += other.superseded
    counts.parked += other.parked
    counts.quarantined += other.quarantined
  }
}
