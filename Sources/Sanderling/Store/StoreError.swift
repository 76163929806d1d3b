import Foundation
import GRDB

/// What can go wrong in a store, and what to do about it.
///
/// Messages name tables, columns and files, never stored values.
public enum StoreError: Error, Hashable, Sendable {
  /// A constraint of the schema forbids the change, which was undone.
  case constraint(ConstraintViolation)
  /// There is no row with the key.
  case notFound(table: String)
  /// The record's automatic key is assigned when it is inserted, which did not happen yet.
  case unassignedKey(table: String)
  /// A value has no storage form.
  case unstorableValue(table: String, column: String, reason: String)
  /// A stored value is not one of the type that was asked for.
  case unreadableValue(table: String, column: String, reason: String)
  /// The query makes no sense in SQL.
  case invalidQuery(String)
  /// Another connection holds a lock for longer than the busy mode waits.
  case busy(path: String)
  /// The app is suspended, and its database with it, so that the system doesn't end the app for holding a lock.
  case suspended
  /// The disk is full.
  case diskFull(path: String)
  /// The database, its file or its folder can't be written.
  case readOnly(path: String)
  /// The file is damaged.
  case corrupt(path: String)
  /// The file is no SQLite database, or it is encrypted with another key.
  case notADatabase(path: String)
  /// The file can't be opened.
  case cannotOpen(path: String, reason: String)
  /// A newer version of the app has migrated the database.
  case newerSchema(migrations: [String])
  /// The schema differs from the records in ways that need a decision.
  case schemaMismatch(SchemaPlan)
  /// The store was closed.
  case closed
  /// Anything else that SQLite reports, with the statement that it concerns.
  case database(code: Int32, message: String, sql: String?)
}

/// A constraint that a change violates.
public struct ConstraintViolation: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case unique = "UNIQUE"
    case primaryKey = "PRIMARY KEY"
    case notNull = "NOT NULL"
    case foreignKey = "FOREIGN KEY"
    case check = "CHECK"
    case trigger = "trigger"
    case other
  }

  public let kind: Kind
  /// The table, where SQLite names it. It doesn't for foreign keys.
  public let table: String?
  /// The columns, where SQLite names them.
  public let columns: [String]
  /// The name of a CHECK constraint, the name of a unique index on expressions, or what a trigger says.
  public let name: String?
}
