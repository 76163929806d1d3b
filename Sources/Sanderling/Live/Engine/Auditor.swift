/// Decides which live queries are compared with the database, and when. Confined to the engine's turns.
///
/// A turn takes a round at its snapshot, and a reader runs the round after the turn. Each round ends with
/// ``roundEnded(at:after:)``, also after failures.
final class Auditor {
  /// The comparisons that one reader makes.
  struct Round: Sendable {
    let checks: [(query: Int, check: LiveCheck)]
    let commit: Commit
    /// The value of ``ChangeLog/unreportedCount`` when the changes up to the round's commit were taken.
    let unreportedCount: Int
    /// The time after which no check begins; nil when all queries are checked.
    let allowance: Duration?
    /// The time after which running statements are interrupted.
    let budget: Duration
    fileprivate let history: [AuditedChanges.Entry]

    /// The latest changes in the tables of a check.
    func lastChanges(of check: LiveCheck) -> [String] {
      history.flatMap { $0.descriptions(of: check.tables) }
    }
  }

  private let options: LiveAudit
  private var history = AuditedChanges()
  /// The last commit that was checked, or passed over for lack of time.
  private var lastCommit: UInt64 = 0
  /// The last query that was checked.
  private var lastQuery = 0
  private(set) var isRunning = false
  /// Whether the next snapshot is to be checked.
  private(set) var isDue = false
  /// The time that checks may take, unless each commit is checked. Negative after checks that took longer.
  private var allowance = Duration.zero
  private var lastNote: (time: ContinuousClock.Instant, commit: UInt64)?

  /// The most queries of a round, unless all queries are checked.
  private static let greatestCount = 64
  /// The time of commits, divided by the time that checks may take.
  private static let share = 100
  /// The longest time that counts for one commit, so that pauses between commits don't count.
  private static let greatestDurationOfCommit = Duration.microseconds(500)

  init(_ options: LiveAudit) {
    self.options = options
  }

  /// Whether each commit is checked.
  var isComplete: Bool { options.isComplete }

  /// Notes the changes of a batch of commits.
  func note(_ changes: CapturedChanges, through commit: UInt64) {
    guard options.interval > 0 else { return }
    history.add(changes, commit)
    if !isComplete { earn(through: commit) }
    if commit / options.interval > lastCommit / options.interval { isDue = true }
  }

  private func earn(through commit: UInt64) {
    let now = ContinuousClock.now
    if let last = lastNote, commit > last.commit {
      let duration = min(last.time.duration(to: now), Self.greatestDurationOfCommit * Int(commit - last.commit))
      allowance = min(options.budget, allowance + duration / Self.share)
    }
    lastNote = (now, commit)
  }

  /// Takes the queries to be compared at the turn's snapshot; nil when no round is due.
  func takeRound(_ queries: QueryRegistry, commit: UInt64, unreportedCount: Int) -> Round? {
    guard isDue, !isRunning else { return nil }
    isDue = false
    lastCommit = commit
    if !isComplete, allowance <= .zero { return nil }
    let (candidates, end) = queries.queries(after: lastQuery, count: isComplete ? .max : Self.greatestCount)
    let checks = candidates.filter(\.isUpToDate).compactMap { query in
      query.values.check(window: query.window).map { (query.number, $0) }
    }
    if checks.isEmpty {
      lastQuery = end
      return nil
    }
    isRunning = true
    return Round(
      checks: checks, commit: Commit(number: commit), unreportedCount: unreportedCount,
      allowance: isComplete ? nil : allowance, budget: options.budget, history: history.entries)
  }

  /// Ends a round.
  ///
  /// - Parameters:
  ///   - query: The last query whose check began.
  ///   - duration: The time that the checks took.
  func roundEnded(at query: Int, after duration: Duration) {
    isRunning = false
    lastQuery = query
    allowance -= duration
  }
}

/// The changes of the last batches of commits, as readable text.
struct AuditedChanges {
  struct Entry: Sendable {
    fileprivate let commit: UInt64
    fileprivate let changes: CapturedChanges

    fileprivate func descriptions(of tables: Set<RecordType>) -> [String] {
      var lines: [String] = []
      for (type, table) in changes.tables where tables.isEmpty || tables.contains(type) {
        let rows = table.prefix(Self.greatestRowCount).map { key, old in
          "\(key) was \(old?.description ?? "not there")"
        }
        let more = table.count > rows.count ? ", and \(table.count - rows.count) more" : ""
        lines.append("up to commit \(commit), \(type.table.name): \(rows.joined(separator: "; "))\(more)")
      }
      let overflowed = changes.overflowed.map(\.table.name).sorted()
      if !overflowed.isEmpty {
        lines.append("up to commit \(commit): too many rows of \(overflowed.joined(separator: ", "))")
      }
      if changes.outside != .none { lines.append("up to commit \(commit): another connection wrote") }
      if changes.schemaChanged { lines.append("up to commit \(commit): the schema changed") }
      let touched = changes.touchedTables.sorted()
      if !touched.isEmpty {
        lines.append("up to commit \(commit): statements wrote \(touched.joined(separator: ", "))")
      }
      return lines
    }

    private static let greatestRowCount = 10
  }

  private(set) var entries: [Entry] = []

  private static let greatestCount = 4
  /// The most rows of a table whose old images are kept. A larger batch counts as overflowed.
  private static let greatestRowCount = 1000

  mutating func add(_ changes: CapturedChanges, _ commit: UInt64) {
    var changes = changes
    for (type, table) in changes.tables where table.count > Self.greatestRowCount {
      changes.tables[type] = nil
      changes.overflowed.insert(type)
    }
    if changes.isEmpty { return }
    entries.append(Entry(commit: commit, changes: changes))
    if entries.count > Self.greatestCount { entries.removeFirst() }
  }
}

extension RowImage: CustomStringConvertible {
  /// The captured columns and values, as SQL.
  var description: String {
    let columns = layout.table.table.columns
    let values = layout.columns.map { "\(columns[$0].name) = \(value(ofColumn: $0)?.literal ?? "?")" }
    return "(\(values.joined(separator: ", ")))"
  }
}
