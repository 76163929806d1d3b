import GRDB

/// Finds out whether another connection wrote, or a schema changed, since the last look. Belongs to the writer's queue.
struct VersionWatch {
  /// The differences from the last look.
  struct Findings: OptionSet {
    let rawValue: Int

    /// Another connection or process wrote, or it can't be told.
    static let data = Findings(rawValue: 1)
    /// The schema of the database is another.
    static let schema = Findings(rawValue: 2)
    /// The connection has other temporary objects.
    static let temporarySchema = Findings(rawValue: 4)
  }

  private(set) var isWatching = false
  /// The numbers at the last look; nil if they could not be read.
  private var versions: ConnectionVersions?
  /// The numbers at the end of the transaction that is about to be committed, if they were read already.
  private var versionsToCommit: ConnectionVersions?
  private var statements = ConnectionVersions.Statements()

  /// Begins to watch unless it does so already. Later writes are found.
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

  /// Reads the numbers for the comparison after the commit, in a transaction that holds the write lock. No other
  /// connection commits in between. Outside of a transaction the read would take locks, which cost more than everything
  /// else.
  mutating func prepareCommit(_ db: Database) {
    if isWatching, versions != nil { versionsToCommit = ConnectionVersions(db, &statements) }
  }

  mutating func transactionEnded() {
    versionsToCommit = nil
  }

  /// Whether the last look saw all that other connections have written. True where nothing is watched or can be read.
  mutating func isCurrent(_ db: Database) -> Bool {
    guard isWatching, let versions, let now = ConnectionVersions(db, &statements) else { return true }
    return now.hasSameData(as: versions)
  }

  /// Compares with the last look. Unreadable numbers count as a write of another connection.
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

  /// Accepts the number of the temporary schema, which the store's own triggers changed. The other numbers stay as at
  /// the last look, so that the next look finds earlier writes of other connections.
  mutating func noteOwnTriggers(_ db: Database) {
    guard isWatching, let now = ConnectionVersions(db, &statements) else { return }
    versions = versions?.withTemporarySchema(of: now)
  }
}
