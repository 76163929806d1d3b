public import GRDB

/// A struct whose values are the rows of one table.
///
/// Conform by marking a struct with ``Record(_:indexes:)``. The macro writes all requirements below.
public protocol StoredRecord: Selectable, FetchableRecord, EncodableRecord
where Source == Self, Fields: _RecordFields, Fields.Owner == Self {
  /// The type of the value that identifies a record: that of the key property, or a struct of several.
  associatedtype Key: Hashable & Sendable

  /// The table's name, columns, key, references and indexes.
  static var table: RecordTable { get }

  /// The condition that is part of all queries of the record and its projections, and of to-many associations to it. By
  /// default, it is true for all rows.
  ///
  /// ```swift
  /// static let defaultScope = Condition<TodoTask> { !$0.isArchived }
  /// ```
  ///
  /// A column with `touch: .onDelete` adds the condition that the row isn't deleted. ``Selectable/unscoped`` removes
  /// the scope from a query, and `scoped: false` from an association. To-one associations also lead to rows outside the
  /// scope, so that a row's parent never disappears.
  static var defaultScope: Condition<Self> { get }

  /// The columns whose values are kept for each change of a row. By default, no changes are kept.
  static var changeHistory: ChangeHistory<Self> { get }

  /// The properties that predicates may use beside the columns. By default, there are none.
  static var predicateProperties: [PredicateProperty<Self>] { get }

  /// The properties of the columns, in order.
  static var _keyPaths: [PartialKeyPath<Self>] { get }

  /// The names of the associations, with their fields. By default, there are none.
  static var _associations: [(String, PartialKeyPath<Fields>)] { get }

  /// Creates a record from the stored values of the table's columns, in order.
  init(_values values: _StorageValues) throws

  /// Binds every column, in order, to the parameters from 1 on.
  func _bind(to parameters: ParameterBinder) throws

  /// Binds the columns of several records, one record after the other. The default implementation is specialized for
  /// each type in the type's own module, so that no other is needed.
  static func _bind(_ records: ArraySlice<Self>, to parameters: ParameterBinder) throws

  /// The stored value of one column.
  func _storageValue(at index: Int) throws -> StorageValue

  /// The record's key. Throws for a record whose automatic key isn't assigned yet.
  var key: Key { get throws }

  /// Creates a key from the stored values of the table's columns, in order. Only the values of key columns matter.
  static func _key(_values values: _StorageValues) throws -> Key

  /// Binds a key's columns to consecutive parameters.
  static func _bind(key: Key, to parameters: ParameterBinder, from index: Int32) throws
}

/// The typed fields of a record, one for each column and association.
public protocol _RecordFields: SelectionPart where _Selected == Owner {
  associatedtype Owner: StoredRecord
  init(_scope: _Scope)
  var _scope: _Scope { get }
}

extension StoredRecord {
  public static var defaultScope: Condition<Self> { Condition(term: nil) }

  /// The condition that is part of the record's queries; nil if there is none. Each fetch by a key reads it, so nothing
  /// is allocated for nil.
  static var scopeTerm: Term? {
    guard let deletion = table.deletion else { return defaultScope.term }
    let present = Term.unary(.isNull, .column(ColumnTerm(scope: .root, owner: RecordType(self), index: deletion)))
    return Term.all([present, defaultScope.term].compactMap { $0 })
  }
}

extension StoredRecord {
  public static var fields: Fields { Fields(_scope: .root) }

  public static var _properties: [String] { table.columns.map(\.property) }

  public static var _terms: [_SelectedTerm] {
    table.columns.indices.map { index in
      _SelectedTerm(term: .column(ColumnTerm(scope: .root, owner: RecordType(self), index: index)))
    }
  }

  @inlinable
  public static func _bind(_ records: ArraySlice<Self>, to parameters: ParameterBinder) throws {
    var parameters = parameters
    let width = columnCount
    for record in records {
      try record._bind(to: parameters)
      parameters = parameters.advanced(by: width)
    }
  }

  @usableFromInline
  static var columnCount: Int { table.columns.count }

  /// Unwraps a key that SQLite assigns.
  ///
  /// - Throws: ``StoreError/unassignedKey(table:)`` if the record was not inserted yet.
  public static func _assigned(_ key: Int64?) throws -> Int64 {
    guard let key else { throw StoreError.unassignedKey(table: table.name) }
    return key
  }

  /// The stored values of all columns, in order.
  package func storageValues() throws -> [StorageValue] {
    try (0..<Self.table.columns.count).map { index in
      do {
        return try _storageValue(at: index)
      } catch let error as ValueError {
        throw StoreError.unstorableValue(
          table: Self.table.name, column: Self.table.columns[index].name, reason: error.message)
      }
    }
  }
}

/// A record type as a comparable and hashable value.
package struct RecordType: Hashable, Sendable {
  package let type: any StoredRecord.Type

  package init(_ type: any StoredRecord.Type) {
    self.type = type
  }

  package var table: RecordTable { type.table }

  package static func == (lhs: RecordType, rhs: RecordType) -> Bool {
    ObjectIdentifier(lhs.type) == ObjectIdentifier(rhs.type)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
  }
}

/// The stored values of a record's columns, in the order of its table.
public struct _StorageValues: Sendable {
  let values: [StorageValue]
  let table: RecordTable

  package init(_ values: [StorageValue], table: RecordTable) {
    self.values = values
    self.table = table
  }

  /// The value of the column at `index`, counted from 0.
  public func value<Coding: ColumnCoding>(at index: Int, as coding: Coding.Type) throws -> Coding.Value {
    do {
      return try Coding.decode(values[index])
    } catch let error as ValueError {
      throw StoreError.unreadableValue(
        table: table.name, column: table.columns[index].name,
        reason: error.message + table.place(ofRow: values.map(\.key)))
    }
  }
}
