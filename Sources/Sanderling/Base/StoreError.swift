import Foundation
import GRDB

/// The errors of a store, and the remedies for them.
///
/// Messages name tables, columns and files, but no stored values. Exception: for an unreadable row, they name its key
/// if that consists of integers and UUIDs.
public enum StoreError: Error, Hashable, Sendable {
  /// A constraint of the schema forbids the change. The change was undone.
  case constraint(ConstraintViolation)
  /// No row has the key.
  case notFound(table: String)
  /// The record has no key yet, because SQLite assigns an automatic key when the record is inserted.
  case unassignedKey(table: String)
  /// The value has no stored form.
  case unstorableValue(table: String, column: String, reason: String)
  /// A stored value doesn't have the requested type. The table is known if the row was read as a record of the table.
  case unreadableValue(table: String?, column: String?, reason: String)
  /// The query makes no sense in SQL.
  case invalidQuery(String)
  /// Another connection holds a lock for longer than the busy mode waits.
  ///
  /// `holders` are the processes that hold the lock, as far as the system names them. `duration` is the time from the
  /// beginning of the access to its failure; nil for a failure within plain GRDB calls.
  case busy(path: String, holders: [LockHolder] = [], duration: Duration? = nil)
  /// The app and its database are suspended. Otherwise the system would end the app for holding a lock.
  case suspended
  /// The disk is full.
  case diskFull(path: String)
  /// The database, its file or its folder can't be written.
  case readOnly(path: String)
  /// Core Data or SwiftData owns the database, and the store only reads it: see
  /// ``Store/init(readingCoreData:schema:configuration:tracing:clock:liveInterval:audit:)``.
  case ownedByCoreData(path: String)
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
  /// Texts of a table can't be folded or indexed for searches, for a lasting reason. Searches read these texts one by
  /// one.
  case notSearchable(table: String, reason: String)
  /// The store was closed.
  case closed
  /// A blocking access inside of a transaction of the same store, which would wait for itself forever. The values are
  /// the names of the access and of the transaction.
  case nestedTransaction(String, inside: String)
  /// Any other error of SQLite, with the statement that failed.
  case database(code: Int32, message: String, sql: String?)
}

/// A constraint that a change violates.
public struct ConstraintViolation: Hashable, Sendable {
  /// The kinds of constraints that SQLite checks.
  public enum Kind: String, Hashable, Sendable {
    /// A UNIQUE constraint or a unique index: another row has the same values.
    case unique = "UNIQUE"
    /// The primary key: another row has the same key.
    case primaryKey = "PRIMARY KEY"
    /// A NOT NULL constraint: the column has no value.
    case notNull = "NOT NULL"
    /// A foreign key: the referenced row doesn't exist, or other rows still refer to the deleted row.
    case foreignKey = "FOREIGN KEY"
    /// A CHECK constraint: its condition is false.
    case check = "CHECK"
    /// A trigger raised an error.
    case trigger = "trigger"
    /// A constraint of another kind.
    case other
  }

  /// The kind of the violated constraint.
  public let kind: Kind
  /// The table, if SQLite names it. SQLite names none for foreign keys.
  public let table: String?
  /// The columns, if SQLite names them.
  public let columns: [String]
  /// The name of a CHECK constraint, the name of a unique index on expressions, or the message of a trigger.
  public let name: String?
}

extension StoreError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .constraint(let violation):
      violation.description
    case .notFound(let table):
      "There is no row with this key in table \(table)."
    case .unassignedKey(let table):
      "This record of table \(table) has no key yet: SQLite assigns it on insertion. Use the key that insert(_:) returns."
    case .unstorableValue(let table, let column, let reason):
      "Column \(column) of table \(table) can't store this value: \(reason)."
    case .unreadableValue(let table, let column, let reason):
      "A stored value\(column.map { " in column \($0)" } ?? "")\(table.map { " of table \($0)" } ?? "") can't be read: \(reason). "
        + "Give the property the type that is stored, or choose the storage with @Stored(as:)."
    case .invalidQuery(let reason):
      "The query makes no sense in SQL: \(reason)."
    case .busy(let path, let holders, let duration):
      "\(Self.subject(holders)) a lock on \(path)\(duration.map { ", which was waited for \($0.inSeconds) s" } ?? ""). "
        + "Set Configuration.busyMode to wait longer, or write in shorter transactions."
    case .suspended:
      "The database is suspended with its app. Try again when the app is active."
    case .diskFull(let path):
      "There is no space left for \(path). Free some space and try again; nothing was lost."
    case .readOnly(let path):
      "\(path) can't be written. Check the permissions of the file and of its folder, in which SQLite creates files too."
    case .ownedByCoreData(let path):
      "\(path) belongs to Core Data, and is only read. Core Data could not follow rows that another program writes: it gives objects their ids "
        + "(Z_PK, Z_MAX) and version numbers (Z_OPT), it keeps a history, and its triggers call its own functions. Write through Core Data, "
        + "or move the rows to a new store with StoreMove."
    case .corrupt(let path):
      "\(path) is damaged. Keep a copy, and restore a backup; integrityCheck() names the damaged parts."
    case .notADatabase(let path):
      "\(path) is no SQLite database, or is encrypted with another key. Check the path and the key."
    case .cannotOpen(let path, let reason):
      "\(path) can't be opened: \(reason)."
    case .newerSchema(let migrations):
      "The database was migrated by a newer version of this app (\(migrations.joined(separator: ", "))). Update the app."
    case .schemaMismatch(let plan):
      String(describing: plan)
    case .notSearchable(let table, let reason):
      "Texts of table \(table) can't be folded or indexed: \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason). Let the app's triggers "
        + "allow updates of the columns that Sanderling adds, and leave the table as its record declares it. Until then, searches are correct, "
        + "but slower."
    case .closed:
      "The store is closed. Open a new store for the database."
    case .nestedTransaction(let name, let outer):
      "\(name) is called inside of the write \"\(outer)\", and would wait forever for the end of that write. Use the transaction that "
        + "the write passes to its closure, or savepoint."
    case .database(let code, let message, let sql):
      "SQLite error \(code): \(message)\(sql.map { " - while executing `\($0)`" } ?? "")"
    }
  }
}

extension StoreError {
  /// The subject and the verb of a sentence about a lock.
  private static func subject(_ holders: [LockHolder]) -> String {
    guard let first = holders.first?.description else { return "Another connection holds" }
    let others = holders.dropFirst().map(\.description).joined(separator: " and ")
    let text = first.prefix(1).uppercased() + first.dropFirst()
    return others.isEmpty ? "\(text) holds" : "\(text) and \(others) hold"
  }
}

extension Duration {
  /// The seconds, with one decimal.
  fileprivate var inSeconds: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10 + attoseconds / 100_000_000_000_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension ConstraintViolation: CustomStringConvertible {
  public var description: String {
    let columns = columns.joined(separator: ", ")
    let place = table.map { columns.isEmpty ? " of table \($0)" : " on \(columns) of table \($0)" } ?? ""
    return switch kind {
    case .unique, .primaryKey:
      "There is a row with these values already: \(kind.rawValue) constraint\(place.isEmpty ? name.map { " \($0)" } ?? "" : place)."
    case .notNull:
      "A value is missing: NOT NULL constraint\(place)."
    case .foreignKey:
      "A reference would lead nowhere: FOREIGN KEY constraint. Insert a row before the rows that refer to it, "
        + "and delete it after them."
    case .check:
      "A value is not allowed: CHECK constraint\(name.map { " \($0)" } ?? "")."
    case .trigger:
      "A trigger forbids the change\(name.map { ": \($0)" } ?? "")."
    case .other:
      "A constraint forbids the change\(name.map { ": \($0)" } ?? "")."
    }
  }
}
