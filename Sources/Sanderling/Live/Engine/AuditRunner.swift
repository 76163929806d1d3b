import Dispatch
import GRDB
import SanderlingSQLite

/// What came of a round of checks.
struct AuditResult: Sendable {
  var compared = 0
  var skipped = 0
  var differences: [LiveDifference] = []
  /// The last query that was compared, or skipped.
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
      // What is left when time is up is not begun. The next round begins with it, unless it is for all queries.
      if interruption.hasHappened {
        result.skipped += 1
        continue
      }
      // One is checked however little time there is: the next rounds wait for it.
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

/// Runs rounds of checks, and reports the differences that nobody else can have made.
final class AuditRunner: Sendable {
  private let writer: any DatabaseWriter
  private let log: ChangeLog
  private let capture: CaptureSlot
  private let handler: LiveAudit.Handler
  /// Guards how many live results were compared.
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
  /// - Parameter confirmed: Told later of the round's end, once what differs was confirmed and reported.
  /// - Returns: What tells the engine of the round's end; nil when that comes later.
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
    // The writer knows whether others wrote. What it finds now they may have written before the snapshot.
    writer.asyncWriteWithoutTransaction { [self] db in
      let isOpen = db.sqliteConnection != nil
      if isOpen { capture.capture(db)?.look(db) }
      let isCertain = isOpen && log.surpriseCount == round.surpriseCount
      // What the app does with a difference keeps no writer waiting.
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

/// Interrupts what a connection does when it takes too long, again and again until it is cancelled: a statement that begins right
/// after an interruption may know nothing of it.
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

  /// One of its own, which gets a thread also when those of all global queues are taken.
  private static let queue = DispatchQueue(label: "Sanderling.audit", qos: .userInitiated)
  private static let repetitionInterval = DispatchTimeInterval.milliseconds(10)
  /// Guards whether it has happened. Held while it does, so that the connection is not closed meanwhile.
  private let state: Lock<State>

  init(of db: Database, after time: Duration) {
    state = Lock(.waiting(Connection(pointer: db.sqliteConnection)))
    // A number of seconds that is too large for a time is taken for one that never comes.
    Self.queue.asyncAfter(deadline: .now() + time / .seconds(1)) { [weak self] in
      self?.happen()
    }
  }

  var hasHappened: Bool {
    state.withLock { if case .happened = $0 { true } else { false } }
  }

  /// After this nothing is interrupted.
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
