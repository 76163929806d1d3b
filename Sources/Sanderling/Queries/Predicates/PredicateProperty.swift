/// A property that predicates may use beside a record's columns: an association, or a calculation.
///
/// ```swift
/// extension TodoTask {
///   var project: Project { onlyInPredicates() }
///   var comments: [Comment] { onlyInPredicates() }
///   var isOpen: Bool { !isCompleted }
///   static let predicateProperties: [PredicateProperty<TodoTask>] = [
///     .init(\.project) { $0.project },
///     .init(\.comments) { $0.comments },
///     .init(\.isOpen) { !$0.isCompleted },
///   ]
/// }
/// TodoTask.where(#Predicate { $0.isOpen && $0.project.name == "home" && $0.comments.contains { $0.text == "" } })
/// ```
///
/// `#Predicate` names the properties of a record's values, and an association is a static property of its type. So each
/// association that predicates use gets a property of the same name, whose value is never read. A `SortDescriptor` may
/// also name a property of an associated record, such as `\.project.name`: declare this key path.
public struct PredicateProperty<Owner: StoredRecord>: Sendable {
  let keyPath: any PartialKeyPath<Owner> & Sendable
  let operand: @Sendable (Owner.Fields) -> PredicateOperand

  /// Declares the field for a property.
  public init<Value>(
    _ keyPath: KeyPath<Owner, Value> & Sendable, _ field: @escaping @Sendable (Owner.Fields) -> Field<Value>
  ) {
    self.keyPath = keyPath
    operand = { .value(PredicateValue(field($0))) }
  }

  /// Declares the field for a property of an associated record, which the association may lack: `\.project?.name`.
  public init<Value>(
    _ keyPath: KeyPath<Owner, Value?> & Sendable, _ field: @escaping @Sendable (Owner.Fields) -> Field<Value>
  ) {
    self.keyPath = keyPath
    operand = { .value(PredicateValue(field($0).optional)) }
  }

  /// Declares the to-one association for a property.
  public init<Parent: StoredRecord>(
    _ keyPath: KeyPath<Owner, Parent> & Sendable, _ parent: @escaping @Sendable (Owner.Fields) -> Parent.Fields
  ) {
    self.keyPath = keyPath
    operand = { .row(PredicateRow(scope: parent($0)._scope, type: RecordType(Parent.self))) }
  }

  /// Declares the to-one association for an optional property.
  public init<Parent: StoredRecord>(
    _ keyPath: KeyPath<Owner, Parent?> & Sendable, _ parent: @escaping @Sendable (Owner.Fields) -> Parent.Fields
  ) {
    self.keyPath = keyPath
    operand = { .row(PredicateRow(scope: parent($0)._scope, type: RecordType(Parent.self), isOptional: true)) }
  }

  /// Declares the to-one association for an optional property.
  public init<Parent: StoredRecord>(
    _ keyPath: KeyPath<Owner, Parent?> & Sendable,
    _ parent: @escaping @Sendable (Owner.Fields) -> OptionalFields<Parent>
  ) {
    self.keyPath = keyPath
    operand = { parent($0).operand }
  }

  /// Declares the to-many association for a property that is an array or a set.
  public init<Children: Sequence>(
    _ keyPath: KeyPath<Owner, Children> & Sendable,
    _ children: @escaping @Sendable (Owner.Fields) -> ToMany<Children.Element>
  ) {
    self.keyPath = keyPath
    operand = { .rows(children($0).rows) }
  }
}

extension StoredRecord {
  public static var predicateProperties: [PredicateProperty<Self>] { [] }

  public static var _keyPaths: [PartialKeyPath<Self>] { [] }

  public static var _associations: [(String, PartialKeyPath<Fields>)] { [] }

  /// The value of a property that only predicates use: see ``PredicateProperty``.
  ///
  /// - Precondition: It is never called. A record's value doesn't contain its associated records. Fetch them, or declare
  ///   a query.
  public func onlyInPredicates<Value>(_ property: String = #function) -> Value {
    // A mistake in the program, which doesn't depend on data.
    preconditionFailure(
      "\(Self.self).\(property) has no value, and only a query's predicate may name it: fetch the associated records instead"
    )
  }
}

/// A field or an association without its type.
protocol PredicateFields {
  var operand: PredicateOperand { get }
}

extension PredicateValue {
  init<Value>(_ field: Field<Value>) {
    self.init(field.term, as: field.coding, mayBeNil: field.coding.acceptsNull)
  }
}

extension OptionalFields: PredicateFields {
  var operand: PredicateOperand {
    .row(PredicateRow(scope: fields._scope, type: RecordType(Owner.self), isOptional: true))
  }
}

extension ToMany: PredicateFields {
  var operand: PredicateOperand { .rows(rows) }
}

extension PredicateRow {
  /// The operand for a property, by its key path in the record.
  ///
  /// - Throws: ``PredicateObstacle`` if the property is neither a column nor declared.
  func operand(at keyPath: AnyKeyPath) throws -> PredicateOperand {
    try type.type.operand(at: keyPath, in: self).inRow(self)
  }

  /// The operand for a column or an association, by its name; nil for other names.
  func operand(named name: String) -> PredicateOperand? {
    type.type.operand(named: name, in: self)?.inRow(self)
  }
}

extension StoredRecord {
  fileprivate static func operand(at keyPath: AnyKeyPath, in row: PredicateRow) throws -> PredicateOperand {
    if let index = _keyPaths.firstIndex(where: { $0 == keyPath }) { return .value(row.column(at: index)) }
    if let property = predicateProperties.first(where: { ($0.keyPath as AnyKeyPath) == keyPath }) {
      return property.operand(Fields(_scope: row.scope))
    }
    throw PredicateObstacle(
      "\(keyPath.name) is no column of \(self): declare its field with PredicateProperty in \(self).predicateProperties"
    )
  }

  fileprivate static func operand(named name: String, in row: PredicateRow) -> PredicateOperand? {
    if let index = table.columns.firstIndex(where: { $0.property == name }) { return .value(row.column(at: index)) }
    guard let keyPath = _associations.first(where: { $0.0 == name })?.1 else { return nil }
    let fields: Any = Fields(_scope: row.scope)[keyPath: keyPath]
    if let fields = fields as? any PredicateFields { return fields.operand }
    return (fields as? any _RecordFields).map { .row($0.row) }
  }

  /// The names of the columns' properties and of the associations.
  static var predicateNames: [String] { table.columns.map(\.property) + _associations.map(\.0) }
}

extension AnyKeyPath {
  /// The path as a program writes it, as far as it is known at run time.
  var name: String {
    "\(self)".replacing(#/<computed 0x[0-9a-f]+ \((.+?)\)>/#) { "(a calculated \($0.1))" }
  }
}

extension _RecordFields {
  fileprivate var row: PredicateRow { PredicateRow(scope: _scope, type: RecordType(Owner.self)) }
}

extension PredicateOperand {
  /// The operand as a part of a row, which may be missing.
  fileprivate func inRow(_ row: PredicateRow) -> PredicateOperand {
    guard row.isOptional else { return self }
    switch self {
    case .row(var parent):
      parent.isOptional = true
      return .row(parent)
    case .value(var value):
      value.mayBeNil = true
      return .value(value)
    default: return self
    }
  }
}
