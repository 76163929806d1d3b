import GRDB

/// Detects writes of other connections and changes of the schema since the last check. Belongs to the writer's queue.
struct VersionWatch {
  /// The differences from the last check.
  struct Findings: OptionSet {
    let rawValue: Int

    /// Another connection or process wrote, or that is unknown.
    static let data = Findings(rawValue: 1)
    /// The schema of the database changed.
    static let schema = Findings(rawValue: 2)
    /// The temporary objects of the connection changed.
    static let temporarySchema = Findings(rawValue: 4)
  }

  private(set) var isWatching = false
  /// The numbers at the last check; nil where they could not be read.
  private var versions: ConnectionVersions?
  /// The numbers before the commit of the transaction that is ending, if they were read already.
  private var versionsToCommit: ConnectionVersions?
  private var statements = ConnectionVersions.Statements()

  /// Begins to watch, if it doesn't yet: later writes are detected.
  mutating func begin(_ db: Database) {
    if isWatching { return }
    isWatching = true
    versions = ConnectionVersions(db, &statements)
  }

  mutating func end() {
    isWatching = false
    versions = nil
    versionsToCommit = nil
  }

  /// Reads the numbers for the comparison after the commit, while the transaction holds the write lock. No other
  /// connection commits in between. Outside of a transaction the reads would take locks, which cost more than all the
  /// rest.
  mutating func prepareCommit(_ db: Database) {
    if isWatching, versions != nil { versionsToCommit = ConnectionVersions(db, &statements) }
  }

  mutating func transactionEnded() {
    versionsToCommit = nil
  }

  /// Whether the last look saw everything that other connections have written. True if nothing is watched, or if the numbers can't be read.
  mutating func isCurrent(_ db: Database) -> Bool {
    guard isWatching, let versions, let now = ConnectionVersions(db, &statements) else { return true }
    return now.hasSameData(as: versions)
  }

  /// Compares with the last check. Numbers that can't be read count as an outside change.
  mutating func look(_ db: Database) -> Findings {
    guard isWatching else { return [] }
    let now = versionsToCommit ?? ConnectionVersions(db, &statements)
    defer { versions = now }
    guard let now, let before = versions else { return .data }
    var findings: Findings = []
    if !now.hasSameData(as: before) { findings.insert(.data) }
    if !now.hasSameSchema(as: before) { findings.insert(.schema) }
    if !now.hasSameTemporarySchema(as: before) { findings.insert(.temporarySchema) }
    return findings
  }

  /// Accepts the temporary schema's number, which changed with capture's own triggers. The other numbers stay as at the
  /// last check, so that the next check detects outside changes since then.
  mutating func noteOwnTriggers(_ db: Database) {
    guard isWatching, let now = ConnectionVersions(db, &statements) else { return }
    versions = versions?.withTemporarySchema(of: now)
  }
}
