import GRDB
import Sanderling
import SanderlingSQL

/// A row of the browsed table, with its stored values. A process browses one table, which is set when its database is
/// opened.
struct BrowsedRow: StoredRecord {
  let values: [StorageValue]
  /// The columns whose texts aren't valid UTF-8.
  let invalidTexts: [Int]

  /// The values of the key's columns.
  struct Key: Hashable, Sendable {
    let values: [StorageValue]
  }

  struct Fields: _RecordFields {
    typealias Owner = BrowsedRow
    let _scope: _Scope

    init(_scope: _Scope) {
      self._scope = _scope
    }
  }

  /// Guards the table. It is set before the first row is read.
  private static let browsed = Lock<RecordTable?>(nil)

  static var table: RecordTable {
    guard let table = browsed.withLock({ $0 }) else { preconditionFailure("the table is known before its rows are") }
    return table
  }

  static func setTable(_ table: RecordTable) {
    browsed.withLock { $0 = table }
  }

  init(_reading row: ResultRow) throws {
    let read = BrowsedValues(row, count: Self.table.columns.count)
    (values, invalidTexts) = (read.values, read.invalidTexts)
  }

  /// Reads a row for a list. Values outside the key are cut, so that a list holds little of long values.
  init(cutting row: ResultRow) throws {
    let table = Self.table
    values = table.columns.indices.map { index in
      let value = row.storageValue(at: Int32(index))
      return table.key.contains(index) ? value : value.cutForList
    }
    invalidTexts = []
  }

  init(_values values: _StorageValues) throws {
    self.values = try Self.table.columns.indices.map { try values.value(at: $0, as: AnyStored.self).value }
    invalidTexts = []
  }

  func _bind(to parameters: ParameterBinder) throws {
    for (index, value) in values.enumerated() { try parameters.bind(value, at: Int32(index) + 1) }
  }

  func _storageValue(at index: Int) throws -> StorageValue { values[index] }

  var key: Key {
    get throws { Key(values: Self.table.key.map { values[$0] }) }
  }

  static func _key(_values values: _StorageValues) throws -> Key {
    Key(values: try table.key.map { try values.value(at: $0, as: AnyStored.self).value })
  }

  static func _bind(key: Key, to parameters: ParameterBinder, from index: Int32) throws {
    for (offset, value) in key.values.enumerated() { try parameters.bind(value, at: index + Int32(offset)) }
  }
}

/// A value of any kind, in a column of any type.
private protocol AnyCoding: ColumnCoding where Value == AnyStoredValue {}

/// A stored value, unconverted.
struct AnyStoredValue: Sendable {
  let value: StorageValue
}

extension AnyCoding {
  static var acceptsNull: Bool { true }
  static func encode(_ value: AnyStoredValue) throws -> StorageValue { value.value }
  static func decode(_ stored: StorageValue) throws -> AnyStoredValue { AnyStoredValue(value: stored) }
}

private enum AnyStored: AnyCoding {
  static var columnType: ColumnType { .blob }
}

private enum AnyInteger: AnyCoding {
  static var columnType: ColumnType { .integer }
}

private enum AnyReal: AnyCoding {
  static var columnType: ColumnType { .real }
}

private enum AnyText: AnyCoding {
  static var columnType: ColumnType { .text }
}

extension RecordColumn {
  /// Declares a column that accepts all values of the database's column.
  init(_ column: ActualColumn) {
    let collation = Collation(rawValue: column.collation.uppercased()) ?? .binary
    switch column.affinity {
    case .blob: self.init(column.name, as: AnyStored.self, collation: collation)
    case .text: self.init(column.name, as: AnyText.self, collation: collation)
    case .integer, .numeric: self.init(column.name, as: AnyInteger.self, collation: collation)
    case .real: self.init(column.name, as: AnyReal.self, collation: collation)
    }
  }

  /// Declares the rowid of a table without a key, under a name that no column has.
  init(rowID name: String) {
    self.init(name, as: AnyInteger.self)
  }
}
