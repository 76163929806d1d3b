import GRDB
import Synchronization

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
  /// How many commits completed. Written on the writer's queue, read anywhere.
  private let completed = Atomic<UInt64>(0)

  var lastCommit: Commit { Commit(number: completed.load(ordering: .acquiring)) }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseDidCommit(_ db: Database) {
    completed.add(1, ordering: .acquiringAndReleasing)
  }

  func databaseDidRollback(_ db: Database) {}
}
