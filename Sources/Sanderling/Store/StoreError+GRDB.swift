import Foundation
import GRDB
import SanderlingSQLite

extension StoreError {
  /// Returns the store's error for an error of the layers below. Other errors stay unchanged, including cancellation
  /// and errors of an app's closure.
  ///
  /// - Parameters:
  ///    - sql: The failed statement, if the error itself doesn't name it.
  ///    - path: The file, for errors that concern it.
  ///    - start: The beginning of the access, for the time that it waited; nil if unknown.
  static func wrapping(
    _ error: any Error, sql: String? = nil, path: @autoclosure () -> String, since start: ContinuousClock.Instant? = nil
  ) -> any Error {
    switch error {
    case let error as DatabaseError:
      StoreError(error, sql: sql, path: path(), duration: start.map { .now - $0 })
    case StoreError.busy(let path, let holders, nil):
      StoreError.busy(path: path, holders: holders, duration: start.map { .now - $0 })
    case let error as ValueError:
      StoreError.unreadableValue(table: nil, column: error.column, reason: error.message)
    default:
      error
    }
  }

  /// Reads a row, and adds the table's name to the error of an unreadable record.
  static func locating<Value>(_ type: Any.Type, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as ValueError {
      let table = (type as? any StoredRecord.Type)?.table
      throw StoreError.unreadableValue(
        table: table?.name, column: error.column, reason: error.message + (table?.place(ofRow: error.keyValues) ?? ""))
    }
  }

  var isInterruption: Bool {
    if case .database(SQLITE_INTERRUPT, _, _) = self { true } else { false }
  }

  private init(_ error: DatabaseError, sql: String?, path: String, duration: Duration?) {
    let message = error.message ?? error.resultCode.description
    switch error.resultCode {
    case .SQLITE_CONSTRAINT:
      self = .constraint(ConstraintViolation(error.extendedResultCode, message: message))
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path, holders: LockHolder.all(of: path), duration: duration)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
    case .SQLITE_CORRUPT: self = .corrupt(path: path)
    case .SQLITE_NOTADB: self = .notADatabase(path: path)
    case .SQLITE_CANTOPEN:
      self = .cannotOpen(
        path: path, reason: "\(message); check its folder, and the permissions of the folder and the file")
    // GRDB's message for a suspended database.
    case .SQLITE_ABORT where message.contains("suspended"): self = .suspended
    case .SQLITE_MISUSE where message.contains("closed"): self = .closed
    case .SQLITE_ERROR where message.hasSuffix("because it is a view"):
      self = .invalidQuery(
        "\(message) without an INSTEAD OF trigger for this write: write to the tables that the view reads")
    case .SQLITE_ERROR where message == "cannot UPSERT a view":
      self = .invalidQuery(
        "an upsert finds no conflicts in a view, even if the view has triggers: insert without a conflict resolution, or write to the "
          + "tables that the view reads")
    case .SQLITE_ERROR where Self.isTooDeep(message):
      self = .invalidQuery(
        "its expressions are nested too deeply for SQLite (\(message)): combine conditions with .all([…]) or .any([…]), look for "
          + "values with in(_:), or calculate the value in Swift")
    default:
      self = .database(code: error.extendedResultCode.rawValue, message: message, sql: error.sql ?? sql)
    }
  }
}

extension StoreError {
  /// Whether SQLite reports that its parser's stack, or its limit on the depth of expressions, is exceeded. The
  /// possible depth depends on SQLite's version and on the operators.
  private static func isTooDeep(_ message: String) -> Bool {
    message.contains("parser stack overflow") || message.contains("Recursion limit")
      || message.hasPrefix("Expression tree is too large")
  }
}

extension ConstraintViolation {
  /// Parses SQLite's message, such as `UNIQUE constraint failed: todoTask.projectID, todoTask.title`.
  init(_ code: ResultCode, message: String) {
    let detail = message.range(of: "failed: ").map { String(message[$0.upperBound...]) }
    kind =
      switch code {
      case .SQLITE_CONSTRAINT_UNIQUE: .unique
      case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: .primaryKey
      case .SQLITE_CONSTRAINT_NOTNULL: .notNull
      case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKey
      case .SQLITE_CONSTRAINT_CHECK: .check
      case .SQLITE_CONSTRAINT_TRIGGER: .trigger
      default: .other
      }
    switch kind {
    case .unique, .primaryKey, .notNull:
      // For an index on expressions, the message names the index instead of columns: `index 'name'`.
      let places = detail?.hasPrefix("index '") == true ? [] : (detail ?? "").components(separatedBy: ", ")
      let pairs = places.compactMap { place -> (String, String)? in
        guard let dot = place.firstIndex(of: ".") else { return nil }
        return (String(place[..<dot]), String(place[place.index(after: dot)...]))
      }
      table = pairs.first?.0
      columns = pairs.map(\.1)
      name = pairs.isEmpty ? detail : nil
    case .foreignKey:
      table = nil
      columns = []
      name = nil
    case .check, .trigger, .other:
      table = nil
      columns = []
      name = detail ?? message
    }
  }
}

extension Database {
  /// The path of the main database's file, or `:memory:`. Runs no statement, because errors of failed statements need
  /// the path.
  var path: String {
    guard let sqliteConnection, let path = sqlite3_db_filename(sqliteConnection, "main"), path.pointee != 0 else {
      return ":memory:"
    }
    return String(cString: path)
  }
}
