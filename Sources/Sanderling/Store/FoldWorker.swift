import Dispatch
import GRDB

/// Folds the texts that other writers left pending, in slices on the writer's queue, between the app's writes.
///
/// It works when it is woken: when the store opens, when a read or a turn of live results finds pending rows or changes of others, and
/// after commits through the writer that are not the store's. Until it is done, whoever reads folds the texts by itself. What it has
/// folded stays, so that it goes on where it was when the process ended.
final class FoldWorker: Sendable {
  private struct State {
    var isScheduled = false
    /// Whether it does nothing for now.
    var isHeld = false
    /// Whether it was to do something while it was held.
    var isWanted = false
    /// How often it was woken, so that none is missed that comes while it finds nothing more to do.
    var requests = 0
    var pace = FoldPace()
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let texts: [any PendingTexts]
  private let writer: any DatabaseWriter
  /// Guards what is to be done.
  private let state = Lock(State())

  /// - Returns: nil where nothing is to be folded, or can be.
  init?(_ schema: StoreSchema, on writer: any DatabaseWriter) {
    texts = schema.records.flatMap { record -> [any PendingTexts] in
      let table = record.table
      if table.isView { return [] }
      return table.folded.map { PendingFolds($0, of: table) } + [PendingDocuments(table)].compactMap { $0 }
    }
    self.writer = writer
    if texts.isEmpty || writer.configuration.readonly { return nil }
  }

  /// Has it look for pending rows soon. Does nothing more where it is at work.
  func wake() {
    let isIdle = state.withLock { state in
      state.requests += 1
      if state.isHeld {
        state.isWanted = true
        return false
      }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isIdle { schedule() }
  }

  /// Has it do nothing, or go on where it was: for tests of what is read while texts wait to be folded. A transaction folds its own
  /// rows meanwhile, and no others beside them.
  func hold(_ isHeld: Bool) {
    let isWanted = state.withLock { state in
      state.isHeld = isHeld
      defer { if !isHeld { state.isWanted = false } }
      return !isHeld && state.isWanted
    }
    if isWanted { wake() }
  }

  /// Waits until it has nothing to do.
  func finished() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.isScheduled { state.waiting.append(continuation) }
        return !state.isScheduled
      }
      if isIdle { continuation.resume() }
    }
  }

  /// Folds what a transaction left pending, before its commit.
  ///
  /// What others left pending before may be much more. So no more rows are folded than the transaction wrote, and some.
  ///
  /// - Parameter changes: How many rows it wrote, at most.
  func foldBeforeCommit(_ db: Database, changes: Int) throws {
    if changes == 0 { return }
    let others = state.withLock { $0.isHeld ? 0 : FoldPace.leastRows }
    for texts in texts where try texts.isPending(db) {
      let limit = changes + others
      if try texts.settle(db, limit: limit) >= limit { wake() }
    }
  }

  // MARK: Slices

  private func schedule() {
    writer.asyncWriteWithoutTransaction { [weak self] db in self?.runSlice(db) }
  }

  private func schedule(after seconds: Double) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.schedule() }
  }

  private func runSlice(_ db: Database) {
    if db.sqliteConnection == nil { return end(unlessWokenSince: nil) }
    let isHeld = state.withLock { state in
      if state.isHeld { state.isWanted = true }
      return state.isHeld
    }
    if isHeld { return end(unlessWokenSince: nil) }
    let (requests, pace) = state.withLock { ($0.requests, $0.pace) }
    var isObstructed = false
    for texts in texts {
      do {
        guard try texts.isPending(db) else { continue }
        let start = ContinuousClock.now
        var count = 0
        try db.inTransaction(.immediate) {
          count = try texts.settle(db, limit: pace.rows)
          return count > 0 ? .commit : .rollback
        }
        if count > 0 {
          state.withLock { $0.pace.note(ContinuousClock.now - start) }
          return schedule()
        }
        // A trigger of the app ignores the update, for example.
        isObstructed = true
      } catch {
        isObstructed = true
        // A table that is away, or a trigger of the app, stands in the way of these texts alone.
        if let code = (error as? DatabaseError)?.resultCode, code == .SQLITE_ERROR || code == .SQLITE_CONSTRAINT {
          continue
        }
        // Another process holds the lock, the disk is full, the app is suspended.
        break
      }
    }
    // Reads are right without.
    if isObstructed {
      schedule(after: state.withLock { $0.pace.noteFailure() })
    } else {
      end(unlessWokenSince: requests)
    }
  }

  private func end(unlessWokenSince requests: Int?) {
    let waiting: [CheckedContinuation<Void, Never>]? = state.withLock { state in
      if let requests, requests != state.requests { return nil }
      state.isScheduled = false
      state.pace = FoldPace()
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return schedule() }
    waiting.forEach { $0.resume() }
  }
}

/// How many rows a slice folds, so that it takes some milliseconds: texts may have ten letters or ten million.
private struct FoldPace {
  static let leastRows = 64
  private static let mostRows = 8192

  private(set) var rows = leastRows
  private var delay = 0.1

  mutating func note(_ duration: Duration) {
    delay = 0.1
    if duration < .milliseconds(5) {
      rows = min(rows * 2, Self.mostRows)
    } else if duration > .milliseconds(15) {
      rows = max(rows / 2, 1)
    }
  }

  /// The time after which to try again, in seconds.
  mutating func noteFailure() -> Double {
    defer { delay = min(delay * 2, 5) }
    return delay
  }
}

/// Texts of a table that wait for something to be derived from them.
protocol PendingTexts: Sendable {
  /// Whether there are any. O(log rows).
  func isPending(_ db: Database) throws -> Bool

  /// Settles some of them.
  ///
  /// - Returns: How many. There may be more where it is the limit.
  func settle(_ db: Database, limit: Int) throws -> Int
}

/// The rows of a table whose texts wait to be folded.
struct PendingFolds: PendingTexts {
  private let probe: String
  private let update: String

  init(_ column: FoldedColumn, of table: RecordTable) {
    let name = table.name.quotedIdentifier
    let folded = column.name.quotedIdentifier
    let key = table.keyColumns.map(\.name).quotedIdentifiers
    let rows = "main.\(name) WHERE \(folded) = \(FoldedColumn.pendingSQL)"
    probe = "SELECT EXISTS (SELECT 1 FROM \(rows))"
    // With the table's name: SQLite takes a name by itself for a text where there is no such column any more.
    let text = "\(name).\(column.textName.quotedIdentifier)"
    update =
      "UPDATE main.\(name) SET \(folded) = \(FoldedColumn.fold(text)) "
      + "WHERE (\(key)) IN (SELECT \(key) FROM \(rows) LIMIT ?)"
  }

  /// The statements that it runs, for tests of their plans.
  var statements: [String] { [probe, update] }

  func isPending(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: probe)) ?? false
  }

  func settle(_ db: Database, limit: Int) throws -> Int {
    try TextFunctions.registering(on: db) { try db.cachedStatement(sql: update) }.execute(arguments: [limit])
    return db.changesCount
  }
}
