import GRDB

/// Finds out whether another connection wrote, or a schema changed, since the last look. Belongs to the writer's queue.
struct VersionWatch {
  /// What is others than at the last look.
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
  /// The numbers at the last look; nil where they could not be read.
  private var versions: ConnectionVersions?
  /// What they are at the end of the transaction that is about to be committed, where that was read already.
  private var versionsToCommit: ConnectionVersions?
  private var statements = ConnectionVersions.Statements()

  /// Begins to watch, unless it does already: what is written from now on is found.
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

  /// Reads, in a transaction that holds the write lock, what is compared after its commit: nobody else commits in between, and
  /// outside of a transaction reading takes locks, which cost more than all the rest.
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

  /// Compares with the last look. What can't be read counts as written by others.
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

  /// Takes the number of the temporary schema, which own triggers moved, for known. The others are left as they were at the last
  /// look: what another connection wrote since has to be found by the next one.
  mutating func noteOwnTriggers(_ db: Database) {
    guard isWatching, let now = ConnectionVersions(db, &statements) else { return }
    versions = versions?.withTemporarySchema(of: now)
  }
}
