import GRDB
import Sanderling

/// What keeps a pull and the local changes of its records apart.
protocol PullGuard: Sendable {
  /// Runs the part of a transaction that writes what the source says, so that it isn't taken for a change of the app's.
  func applying(_ db: Database, _ body: () throws -> Void) throws

  /// Merges a change into a row that has changes of its own.
  ///
  /// - Returns: Whether it did; false where the row has none, and is to be as the source says.
  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool
}

/// Of a synchronisation that sends nothing: rows are as the source says, whatever the app did to them.
struct SourceWins: PullGuard {
  func applying(_ db: Database, _ body: () throws -> Void) throws { try body() }

  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool { false }
}
