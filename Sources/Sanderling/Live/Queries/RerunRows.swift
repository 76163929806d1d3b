import GRDB

/// The source of a rerun list's rows.
protocol RerunRows<Element>: Sendable {
  associatedtype Element: Sendable

  /// The folded names of the tables that the rows depend on.
  func readTables(_ db: Database) throws -> Set<String>

  /// Reads the first rows.
  func read(first count: Int, _ db: Database) throws -> RerunReading<Element>
}

/// The first rows of a source.
struct RerunReading<Element: Sendable>: Sendable {
  let content: RowsContent<Element>
  /// The SELECT of all rows, for the audit. `isOrdered` says whether it always returns them in the same order.
  let statement: @Sendable () throws -> (sql: SQLStatement, isOrdered: Bool)
}

/// The source of a rerun value.
struct RerunValue<Value: Sendable>: Sendable {
  struct Reading: Sendable {
    /// The value; nil for none. Reading may fail, and read tables all the same.
    let value: Result<Value?, any Error>
    /// A number that changes with the value; nil when the values themselves are compared.
    var version: UInt64?
    /// The SELECT of the value, for the audit; nil for none.
    var statement: SQLStatement?
    /// The folded names of the tables that were read; nil when `readTables` names all of them.
    var tables: Set<String>?
  }

  /// The folded names of the tables that the value depends on.
  let readTables: @Sendable (Database) throws -> Set<String>
  let read: @Sendable (Database) throws -> Reading
}

extension RerunValue {
  /// The first row of a statement.
  init(
    statement: @escaping @Sendable () throws -> SQLStatement, decode: @escaping @Sendable (ResultRow) throws -> Value
  ) {
    self.init(readTables: { try $0.tables(readBy: statement()) }) { db in
      let statement = try statement()
      let (value, version) = try db.value(of: statement, decode)
      return Reading(value: .success(value), version: version, statement: statement)
    }
  }
}
