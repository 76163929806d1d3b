import GRDB

/// A committed transaction, by its number in the order of commits since the store was opened.
///
/// Numbers count every commit through the store's writer, those of plain GRDB calls included, and empty ones too. Commits
/// of other connections and processes have none.
public struct Commit: Hashable, Comparable, Sendable {
  public let number: UInt64

  public static func < (lhs: Commit, rhs: Commit) -> Bool {
    lhs.number < rhs.number
  }
}

/// What a write returned, and the commit it made.
public struct Written<Value: Sendable>: Sendable {
  public let value: Value
  public let commit: Commit
}

/// The one observer that a store registers. GRDB asks every observer about every statement, so one must do.
final class CommitObserver: TransactionObserver, Sendable {
  /// Counts the commits, and records what they change.
  let capture: ChangeCapture

  init(capture: ChangeCapture = ChangeCapture()) {
    self.capture = capture
  }

  var lastCommit: Commit { Commit(number: capture.lastCommit) }

  /// Tells capture what a statement may write. Rows are told by triggers, not by GRDB.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    capture.statementWillWrite(eventKind)
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseWillCommit() {
    capture.willCommit()
  }

  func databaseDidCommit(_ db: Database) {
    capture.didCommit(db)
  }

  func databaseDidRollback(_ db: Database) {
    capture.didRollback(db)
  }
}
