import GRDB
import Sanderling

/// What keeps a pull and the local changes of its records apart.
protocol PullGuard: Sendable {
  /// Runs the part of a transaction that writes what the source says, so that it isn't taken for a change of the app's.
  func applying(_ db: Database, _ body: () throws -> Void) throws

  /// Whether there are rows with changes of their own, which are to be asked for one by one. O(1) for each record.
  func hasLocalChanges(_ db: Database) throws -> Bool

  /// Merges a change into a row that has changes of its own.
  ///
  /// - Returns: Whether it did; false where the row has none, and is to be as the source says.
  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool
}

/// Of a synchronisation that sends nothing: rows are as the source says, whatever the app did to them.
struct SourceWins: PullGuard {
  func applying(_ db: Database, _ body: () throws -> Void) throws { try body() }

  func hasLocalChanges(_ db: Database) throws -> Bool { false }

  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool { false }
}

/// Of a synchronisation that sends what the app changes: what the source says is no change of the app's, and is merged with those that it
/// doesn't know yet.
struct LocalChangesStay: PullGuard {
  private let changes: LocalChanges

  init(_ records: [SyncedRecord]) {
    changes = LocalChanges(records)
  }

  func applying(_ db: Database, _ body: () throws -> Void) throws { try SyncControl.applying(db, body) }

  func hasLocalChanges(_ db: Database) throws -> Bool { try !changes.isEmpty(db) }

  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool {
    try LocalChanges.apply(change, of: record, in: db)
  }
}
