public import Foundation

/// The commit of a store, as its history names it.
public struct HistoryCommit: Hashable, Sendable, Codable {
  /// The number of the commit among those of all stores that wrote the file. The first is 1.
  public let number: Int64
  /// The name of the write: see ``Store/write(_:priority:function:line:_:)``.
  public let operation: String
  /// The author of the store that wrote: see ``Store/author``.
  public let author: String?
  /// The time of the commit, by the clock of the device, in milliseconds.
  public let date: Date
}

/// One change of one row, as a history keeps it.
public struct RecordedChange: Sendable, Identifiable {
  /// The kinds of changes.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The row is new.
    case insert
    /// The row has other values. Also a row that REPLACE removed and inserted again in one statement.
    case update
    /// The row is gone.
    case delete
  }

  /// The token after the change, with which reading continues.
  public let token: ChangeToken
  /// The name of the table.
  public let table: String
  /// The kind of the change.
  public let kind: Kind
  /// The values of the key's columns, in their order.
  public let key: [StorageValue]
  /// The kept values before the change, by the names of their columns; nil if the row is new.
  public let old: [String: StorageValue]?
  /// The kept values after the change, by the names of their columns; nil if the row is gone.
  public let new: [String: StorageValue]?
  /// The time of the write, by the clock of the device, in milliseconds.
  public let date: Date
  /// The commit; nil if the writer is not a store, as the `sqlite3` shell or plain GRDB calls.
  public let commit: HistoryCommit?

  public var id: ChangeToken { token }

  /// The kept columns whose values differ. Empty if only columns changed that the history doesn't keep.
  public var changedColumns: Set<String> {
    let (old, new) = (old ?? [:], new ?? [:])
    return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
  }

  /// The key of the changed row.
  ///
  /// - Returns: Nil if the change is of another record's table.
  /// - Throws: ``StoreError/unreadableValue(table:column:reason:)`` if the key isn't one of the record.
  public func key<R: StoredRecord>(of record: R.Type) throws -> R.Key? {
    let definition = R.table
    guard definition.name == table else { return nil }
    var values = Array(repeating: StorageValue.null, count: definition.columns.count)
    for (index, value) in zip(definition.key, key) { values[index] = value }
    return try R._key(_values: _StorageValues(values, table: definition))
  }

  /// The record before the change; nil for a new row, and for another record's table.
  ///
  /// - Throws: ``StoreError/unreadableValue(table:column:reason:)`` if the history doesn't keep all columns, or if a
  ///   value isn't one of the record.
  public func old<R: StoredRecord>(as record: R.Type) throws -> R? { try decode(old) }

  /// The record after the change; nil for a row that is gone, and for another record's table.
  ///
  /// - Throws: ``StoreError/unreadableValue(table:column:reason:)`` if the history doesn't keep all columns, or if a
  ///   value isn't one of the record.
  public func new<R: StoredRecord>(as record: R.Type) throws -> R? { try decode(new) }

  private func decode<R: StoredRecord>(_ values: [String: StorageValue]?) throws -> R? {
    let definition = R.table
    guard let values, definition.name == table else { return nil }
    let stored = try definition.columns.map { column in
      guard let value = values[column.name] else {
        throw StoreError.unreadableValue(
          table: table, column: column.name, reason: "the record's history doesn't keep this column")
      }
      return value
    }
    return try R(_values: _StorageValues(stored, table: definition))
  }
}
