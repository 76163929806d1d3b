/// Several fields that are read as one value: a whole record, or a projection of one.
///
/// ``StoredProjection/nested(_:_:)->SelectedFields<Part>`` makes them for a property of a projection. `select` makes
/// them from the result of its closure.
public struct SelectedFields<Value: Sendable>: Sendable {
  let terms: [Term]
  /// The properties for the values of the terms, in order.
  let properties: [String]
  /// Reads the value from a row that begins with the terms.
  let decode: @Sendable (ResultRow) throws -> Value
}

extension SelectedFields: Hashable {
  public static func == (lhs: SelectedFields, rhs: SelectedFields) -> Bool {
    lhs.terms == rhs.terms
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(terms)
  }
}

extension SelectedFields {
  /// The fields of a record or a projection in the row of a scope.
  init(_ type: Value.Type, in scope: _Scope) where Value: Selectable {
    terms = type._terms.map { $0.term.rebased(onto: scope) }
    properties = type._properties
    decode = { row in try StoreError.locating(Value.self) { try Value(_reading: row) } }
  }

  /// The same fields of a row that may not exist. The value is nil for a missing row.
  init<Part: Selectable>(_ type: Part.Type, ifExists record: OptionalFields<Part.Source>) where Value == Part? {
    let fields = SelectedFields<Part>(type, in: record.fields._scope)
    // The key shows whether the row exists. A query that doesn't select the key selects it additionally.
    let position = fields.terms.firstIndex(of: record.keyTerm) ?? fields.terms.count
    let isSelected = position < fields.terms.count
    terms = fields.terms + (isSelected ? [] : [record.keyTerm])
    properties = fields.properties + (isSelected ? [] : [Part.Source.table.columns[Part.Source.table.key[0]].property])
    let presence = Int32(position)
    decode = { row in row.isNull(at: presence) ? nil : try fields.decode(row) }
  }
}

/// Members for the code that ``Projection(of:)`` generates.
extension SelectedFields {
  public var _terms: [_SelectedTerm] { terms.map { _SelectedTerm(term: $0) } }

  /// The number of columns.
  public var _width: Int32 { Int32(terms.count) }

  public func _properties(of property: String) -> [String] {
    properties.map { "\(property).\($0)" }
  }

  /// Reads the value from the columns of a row that begin at `index`.
  public func _read(_ row: ResultRow, at index: Int32) throws -> Value {
    try decode(row.advanced(by: index))
  }
}

/// Values that `select` can read from each row: a field, all fields of a record, or the fields of a record that may not
/// exist.
public protocol SelectionPart: Sendable {
  associatedtype _Selected: Sendable

  var _selected: SelectedFields<_Selected> { get }
}

extension SelectedFields: SelectionPart {
  public var _selected: SelectedFields { self }
}

extension Field: SelectionPart {
  public var _selected: SelectedFields<Value> {
    SelectedFields(terms: [term], properties: [""]) { [coding] in try coding.read($0, at: 0) }
  }
}

/// A record as a whole.
extension _RecordFields {
  public var _selected: SelectedFields<Owner> { SelectedFields(Owner.self, in: _scope) }
}

/// A projection as a whole.
extension _ProjectionFields {
  public var _selected: SelectedFields<Owner> { SelectedFields(Owner.self, in: _source._scope) }
}

/// A whole record, or nil if there is none.
extension OptionalFields: SelectionPart {
  public var _selected: SelectedFields<Owner?> { SelectedFields(Owner.self, ifExists: self) }
}
