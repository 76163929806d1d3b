import Dispatch
import GRDB
import SanderlingSQLite

/// The outcome of a round of checks.
struct AuditResult: Sendable {
  var compared = 0
  var skipped = 0
  var differences: [LiveDifference] = []
  /// The last query whose check began.
  var lastQuery = 0
}

extension Auditor.Round {
  /// Runs the SELECTs, in the snapshot of the round's turn.
  func run(_ db: Database) -> AuditResult {
    var result = AuditResult()
    let start = ContinuousClock.now
    let interruption = Interruption(of: db, after: budget)
    defer { interruption.cancel() }
    for (query, check) in checks {
      // After an interruption no check begins. The next round begins with the remaining queries, unless it checks all
      // queries.
      if interruption.hasHappened {
        result.skipped += 1
        continue
      }
      // Each round checks at least one query, so that rounds advance.
      if let allowance, result.lastQuery != 0, start.duration(to: .now) > allowance { break }
      result.lastQuery = query
      do {
        if let reason = try check.difference(db) {
          result.differences.append(
            LiveDifference(
              statement: try check.statement(), commit: commit, reason: reason, lastChanges: lastChanges(of: check)))
        }
        result.compared += 1
      } catch {
        result.skipped += 1
      }
    }
    return result
  }
}

/// Runs rounds of checks, and reports the differences that no outside change can explain.
final class AuditRunner: Sendable {
  private let writer: any DatabaseWriter
  private let log: ChangeLog
  private let capture: CaptureSlot
  private let handler: LiveAudit.Handler
  /// Guards the counts of compared live results.
  private let state = Lock(LiveAuditCounts())

  init(_ writer: any DatabaseWriter, _ log: ChangeLog, _ capture: CaptureSlot, _ handler: @escaping LiveAudit.Handler) {
    self.writer = writer
    self.log = log
    self.capture = capture
    self.handler = handler
  }

  var counts: LiveAuditCounts { state.withLock { $0 } }

  /// Runs a round in the snapshot of its turn.
  ///
  /// - Parameter confirmed: Called with the end of a round with differences, once these are confirmed and reported.
  /// - Returns: The command that ends the round; nil when it is passed to `confirmed` later.
  func run(_ round: Auditor.Round, _ db: Database, confirmed: @escaping @Sendable (LiveCommand) -> Void) -> LiveCommand?
  {
    let start = ContinuousClock.now
    let result = round.run(db)
    let end = LiveCommand.auditEnded(at: result.lastQuery, after: start.duration(to: .now))
    state.withLock { counts in
      counts.compared += result.compared
      counts.skipped += result.skipped
    }
    if result.differences.isEmpty { return end }
    // Only the writer notices outside changes. Those that it notices now may have been written before the snapshot.
    writer.asyncWriteWithoutTransaction { [self] db in
      let isOpen = db.sqliteConnection != nil
      if isOpen { capture.capture(db)?.look(db) }
      let isCertain = isOpen && log.unreportedCount == round.unreportedCount
      // Reporting on another queue: the app's handler must not delay the writer.
      DispatchQueue.global().async { [self] in
        report(result.differences, isCertain: isCertain)
        confirmed(end)
      }
    }
    return nil
  }

  private func report(_ differences: [LiveDifference], isCertain: Bool) {
    if isCertain { differences.forEach(handler) }
    state.withLock { counts in
      if isCertain {
        counts.different += differences.count
      } else {
        counts.compared -= differences.count
        counts.skipped += differences.count
      }
    }
  }
}

/// Interrupts a connection's statements after a time, repeatedly until it is cancelled: a statement that begins right
/// after one interruption may miss it.
private final class Interruption: Sendable {
  private enum State {
    case waiting(Connection)
    case happened(Connection)
    case cancelled
  }

  /// A connection that stays open until the interruption is cancelled.
  private struct Connection: @unchecked Sendable {
    // Safe: SQLite lets any thread interrupt a connection that is open.
    let pointer: OpaquePointer?
  }

  /// The queue of the audits, which gets a thread even if the global queues have none left.
  private static let queue = DispatchQueue(label: "Sanderling.audit", qos: .userInitiated)
  private static let repetitionInterval = DispatchTimeInterval.milliseconds(10)
  /// Guards whether the interruption has happened. Held during `sqlite3_interrupt`, so that the connection stays open.
  private let state: Lock<State>

  init(of db: Database, after time: Duration) {
    state = Lock(.waiting(Connection(pointer: db.sqliteConnection)))
    // A number of seconds that is too large for a deadline means that the deadline never comes.
    Self.queue.asyncAfter(deadline: .now() + time / .seconds(1)) { [weak self] in
      self?.happen()
    }
  }

  var hasHappened: Bool {
    state.withLock { if case .happened = $0 { true } else { false } }
  }

  /// Ends the interruption. No statement is interrupted after this.
  func cancel() {
    state.withLock { $0 = .cancelled }
  }

  private func happen() {
    let goesOn = state.withLock { state in
      switch state {
      case .waiting(let connection), .happened(let connection):
        guard let pointer = connection.pointer else { return false }
        sqlite3_interrupt(pointer)
        state = .happened(connection)
        return true
      case .cancelled: return false
      }
    }
    guard goesOn else { return }
    Self.queue.asyncAfter(deadline: .now() + Self.repetitionInterval) { [weak self] in
      self?.happen()
    }
  }
}
