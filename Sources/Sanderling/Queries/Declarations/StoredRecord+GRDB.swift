public import Foundation
public import GRDB

/// Plain GRDB calls that name their SQL or table can read and write every record:
///
/// ```swift
/// let tasks = try TodoTask.fetchAll(db, sql: "SELECT * FROM todoTask")
/// let open = try Table<TodoTask>("todoTask").filter(Column("isCompleted") == false).fetchAll(db)
/// ```
///
/// A record is no `TableRecord`. The static `filter`, `order` and `select` of that protocol would slow down the type
/// checker and blur its messages in Sanderling's queries. ``GRDBRecord`` wraps a record for GRDB's requests and
/// persistence methods.
extension StoredRecord {
  /// Creates a record from a row, whose columns are found by name, as GRDB's adapters and joined requests need.
  public init(row: GRDB.Row) throws {
    let table = Self.table
    let values = try table.columns.map { column -> StorageValue in
      if let value = row[column.name] { return StorageValue(value.databaseValue) }
      // GRDB returns nil for NULL and for a missing column.
      guard row.hasColumn(column.name) else {
        throw StoreError.unreadableValue(table: table.name, column: column.name, reason: "the row has no such column")
      }
      return .null
    }
    try self.init(_values: _StorageValues(values, table: table))
  }

  /// Encodes the columns for GRDB.
  ///
  /// - Throws: ``StoreError/unstorableValue(table:column:reason:)``, also for a text with a NUL character, where GRDB
  ///   would cut the text.
  public func encode(to container: inout PersistenceContainer) throws {
    for (column, value) in zip(Self.table.columns, try storageValues()) {
      if case .text(let text) = value, text.utf8.contains(0) {
        throw StoreError.unstorableValue(
          table: Self.table.name, column: column.name,
          reason: "GRDB cuts a text at its first NUL character; write the record through a store")
      }
      container[column.name] = value.databaseValue
    }
  }
}

extension StorageValue {
  /// The value as GRDB's type.
  public var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): integer.databaseValue
    case .real(let real): real.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let data): data.databaseValue
    }
  }

  /// Creates a value from GRDB's type.
  public init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let integer): self = .integer(integer)
    case .double(let real): self = .real(real)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .blob(data)
    }
  }
}

/// An alias of GRDB's protocol that files without an import of GRDB can use, for the code that ``Record(_:indexes:)``
/// generates.
public typealias _FetchableRow = FetchableRecord

/// A wrapper of a record for GRDB's query interface and persistence methods.
///
/// ```swift
/// typealias GRDBTask = GRDBRecord<TodoTask>
/// let tasks = try GRDBTask.filter(Column("isCompleted") == false).order(Column("dueAt")).fetchAll(db).map(\.record)
/// try GRDBTask(task).update(db)
/// ```
public struct GRDBRecord<Record: StoredRecord>: FetchableRecord, PersistableRecord, Sendable {
  public static var databaseTableName: String { Record.table.name }

  /// The wrapped record.
  public var record: Record

  /// Wraps a record.
  public init(_ record: Record) {
    self.record = record
  }

  public init(row: GRDB.Row) throws {
    record = try Record(row: row)
  }

  public func encode(to container: inout PersistenceContainer) throws {
    try record.encode(to: &container)
  }
}

/// Repeats GRDB's defaults. A client with the upcoming feature MemberImportVisibility that doesn't import GRDB can't
/// see GRDB's own.
extension StoredRecord {
  public static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }
  public static func databaseJSONDecoder(for column: String) -> JSONDecoder { JSONDecoder() }
  public static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
    .deferredToData
  }
  public static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .deferredToDate
  }
  public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { .useDefaultKeys }
  public static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [:] }
  public static func databaseJSONEncoder(for column: String) -> JSONEncoder { JSONEncoder() }
  public static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
    .deferredToData
  }
  public static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .deferredToDate
  }
  public static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .deferredToUUID
  }
  public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .useDefaultKeys }
}
