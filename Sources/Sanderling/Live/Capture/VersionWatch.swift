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

    /// Whether any schema changed.
    var hasSchema: Bool { !isDisjoint(with: [.schema, .temporarySchema]) }
  }

  private(set) var isWatching = false
  /// The numbers as they were last read; nil before the first.
  private var versions: ConnectionVersions?
  /// Whether the numbers could not be read at the last check.
  private(set) var isUnreadable = false
  /// The numbers before the commit of the transaction that is ending, if they were read already.
  private var versionsToCommit: ConnectionVersions?
  private var statements = ConnectionVersions.Statements()

  /// Begins to watch, if it doesn't yet: later writes are detected.
  mutating func begin(_ db: Database) {
    if isWatching { return }
    isWatching = true
    versions = ConnectionVersions(db, &statements)
    isUnreadable = versions == nil
  }

  mutating func end() {
    isWatching = false
    versions = nil
    isUnreadable = false
    versionsToCommit = nil
  }

  /// Reads the numbers for the comparison after the commit, while the transaction holds the write lock. No other
  /// connection commits in between. Outside of a transaction the reads would take locks, which cost more than all the
  /// rest.
  mutating func prepareCommit(_ db: Database) {
    if isWatching { versionsToCommit = ConnectionVersions(db, &statements) }
  }

  mutating func transactionEnded() {
    versionsToCommit = nil
  }

  /// The comparison of the numbers with the numbers that were last read.
  enum Comparison {
    case same, different
    /// The numbers can't be read: another connection holds a lock, for example.
    case unreadable
  }

  /// Compares the data versions with the versions that were last read: `same` if nothing is watched, `different` if
  /// none could be read yet.
  mutating func compareData(_ db: Database) -> Comparison {
    guard isWatching else { return .same }
    guard let now = ConnectionVersions(db, &statements) else { return .unreadable }
    return versions.map(now.hasSameData) ?? false ? .same : .different
  }

  /// Compares with the last check.
  ///
  /// Numbers that can't be read count as an outside change, and so do the first numbers after them. While they can't be
  /// read, only commits report it again. A check that is not at a commit does not: queries that fail to be read have
  /// the writer check once more, so that each failure would cause the next.
  mutating func look(_ db: Database, isAtCommit: Bool = false) -> Findings {
    guard isWatching else { return [] }
    guard let now = versionsToCommit ?? ConnectionVersions(db, &statements) else {
      defer { isUnreadable = true }
      return isAtCommit || !isUnreadable ? .data : []
    }
    var findings: Findings = isUnreadable ? .data : []
    defer { (versions, isUnreadable) = (now, false) }
    guard let before = versions else { return [.data, .schema, .temporarySchema] }
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
