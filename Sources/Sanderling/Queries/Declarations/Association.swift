/// A to-one association: each child holds the key of at most one parent.
///
/// ```swift
/// static let project = belongsTo(Project.self, by: \.projectID)
/// ```
public struct BelongsTo<Child: StoredRecord, Parent: StoredRecord>: Hashable, Sendable {
  package let association: Association

  /// The same association, restricted to parents that satisfy the condition. A child of another parent has none.
  public func filter(_ condition: (Parent.Fields) -> Field<Bool>) -> BelongsTo {
    BelongsTo(association: association.filtered(by: Nesting.atRoot { condition(Parent.fields).condition }))
  }
}

/// A to-many association: any number of children hold the key of a parent.
///
/// ```swift
/// static let tasks = hasMany(TodoTask.self, by: \.projectID)
/// static let openTasks = hasMany(TodoTask.self, by: \.projectID).filter { !$0.isCompleted }
/// ```
public struct HasMany<Parent: StoredRecord, Child: StoredRecord>: Hashable, Sendable {
  package let association: Association

  /// The same association, restricted to children that satisfy the condition.
  ///
  /// On a recursive association, the condition selects among all descendants. To stop the descent at children that
  /// don't satisfy the condition, put the filter before ``recursive(includingSelf:)``.
  public func filter(_ condition: (Child.Fields) -> Field<Bool>) -> HasMany {
    HasMany(association: association.filtered(by: Nesting.atRoot { condition(Child.fields).condition }))
  }
}

extension HasMany where Parent == Child {
  /// The children, their children, and so on to any depth.
  ///
  /// Each record is included once, even if the data has cycles. A record in a cycle is among its own descendants.
  ///
  /// - Precondition: The association goes through no other association.
  public func recursive(includingSelf: Bool = false) -> HasMany {
    HasMany(association: association.recursive(includingSelf: includingSelf))
  }
}

extension StoredRecord {
  /// Declares a to-one association through a column that holds the parent's key.
  public static func belongsTo<Parent: StoredRecord>(
    _ parent: Parent.Type, by key: KeyPath<Fields, Field<Parent.Key>>
  ) -> BelongsTo<Self, Parent> {
    BelongsTo(association: .toOne(from: Self.self, to: parent, by: [key]))
  }

  /// Declares a to-one association through a column that holds the parent's key or NULL.
  public static func belongsTo<Parent: StoredRecord>(
    _ parent: Parent.Type, by key: KeyPath<Fields, Field<Parent.Key?>>
  ) -> BelongsTo<Self, Parent> {
    BelongsTo(association: .toOne(from: Self.self, to: parent, by: [key]))
  }

  /// Declares a to-one association through several columns, in the order of the parent's composite key.
  ///
  /// - Precondition: There are as many columns as in the parent's key.
  public static func belongsTo<Parent: StoredRecord>(
    _ parent: Parent.Type, by first: PartialKeyPath<Fields>, _ second: PartialKeyPath<Fields>,
    _ others: PartialKeyPath<Fields>...
  ) -> BelongsTo<Self, Parent> {
    BelongsTo(association: .toOne(from: Self.self, to: parent, by: [first, second] + others))
  }

  /// Declares a to-many association through the column of the child that holds this record's key.
  ///
  /// - Parameter scoped: Whether the association has only children in the child's default scope.
  public static func hasMany<Child: StoredRecord>(
    _ child: Child.Type, by key: KeyPath<Child.Fields, Field<Key>>, scoped: Bool = true
  ) -> HasMany<Self, Child> {
    HasMany(association: .toMany(from: Self.self, to: child, by: [key], scoped))
  }

  /// Declares a to-many association through the column of the child that holds this record's key or NULL.
  ///
  /// - Parameter scoped: Whether the association has only children in the child's default scope.
  public static func hasMany<Child: StoredRecord>(
    _ child: Child.Type, by key: KeyPath<Child.Fields, Field<Key?>>, scoped: Bool = true
  ) -> HasMany<Self, Child> {
    HasMany(association: .toMany(from: Self.self, to: child, by: [key], scoped))
  }

  /// Declares a to-many association through several columns of the child, in the order of this record's composite key.
  ///
  /// - Parameter scoped: Whether the association has only children in the child's default scope.
  /// - Precondition: There are as many columns as in this record's key.
  public static func hasMany<Child: StoredRecord>(
    _ child: Child.Type, by first: PartialKeyPath<Child.Fields>, _ second: PartialKeyPath<Child.Fields>,
    _ others: PartialKeyPath<Child.Fields>..., scoped: Bool = true
  ) -> HasMany<Self, Child> {
    HasMany(association: .toMany(from: Self.self, to: child, by: [first, second] + others, scoped))
  }
}

/// An association without its types: the connection between rows of one table and rows of another.
package struct Association: Hashable, Sendable {
  package struct ColumnPair: Hashable, Sendable {
    package let origin: Int
    package let destination: Int
  }

  /// The descent of a recursive association.
  package struct Recursion: Hashable, Sendable {
    package let includesSelf: Bool
    /// The condition that each row on the way down must satisfy.
    package let step: Term?
  }

  package let origin: RecordType
  package let destination: RecordType
  /// The pairs of equal columns, by their positions in the tables. Empty if the association goes through others.
  package let columns: [ColumnPair]
  /// The condition on the destination's rows, in the destination's own scope, as if it were the root.
  package var condition: Term?
  package var recursion: Recursion?
  /// The associations that this one goes through, in order: at least two, or none. The condition of the last step is
  /// ``condition``.
  package var way: [Association] = []

  package func filtered(by condition: Term) -> Association {
    var result = self
    result.condition = self.condition.map { $0 && condition } ?? condition
    return result
  }

  package func recursive(includingSelf: Bool) -> Association {
    // This check of a declaration doesn't depend on data.
    precondition(way.isEmpty, "an association through other associations can't be recursive")
    var result = self
    result.recursion = Recursion(includesSelf: includingSelf, step: condition)
    result.condition = nil
    return result
  }

  static func toOne<Child: StoredRecord, Parent: StoredRecord>(
    from child: Child.Type, to parent: Parent.Type, by keyPaths: [PartialKeyPath<Child.Fields>]
  ) -> Association {
    let pairs = zip(keyPaths, checkedKey(of: parent, count: keyPaths.count)).map {
      ColumnPair(origin: columnIndex(of: $0), destination: $1)
    }
    return Association(origin: RecordType(child), destination: RecordType(parent), columns: pairs)
  }

  static func toMany<Parent: StoredRecord, Child: StoredRecord>(
    from parent: Parent.Type, to child: Child.Type, by keyPaths: [PartialKeyPath<Child.Fields>], _ isScoped: Bool
  ) -> Association {
    let pairs = zip(keyPaths, checkedKey(of: parent, count: keyPaths.count)).map {
      ColumnPair(origin: $1, destination: columnIndex(of: $0))
    }
    return Association(
      origin: RecordType(parent), destination: RecordType(child), columns: pairs,
      condition: isScoped ? child.scopeTerm : nil)
  }

  private static func checkedKey(of parent: any StoredRecord.Type, count: Int) -> [Int] {
    let key = parent.table.key
    // This check of a declaration doesn't depend on data.
    precondition(
      key.count == count,
      "the key of \(parent) has \(key.count) columns, and an association to it names \(count): name a column for each in by:"
    )
    return key
  }

  static func columnIndex<Fields: _RecordFields>(of keyPath: PartialKeyPath<Fields>) -> Int {
    // A mistake in a declaration, which doesn't depend on data.
    guard let field = Fields(_scope: .root)[keyPath: keyPath] as? any TermConvertible,
      case .column(let column) = field.term
    else { preconditionFailure("\(keyPath) is no column of \(Fields.Owner.self)") }
    return column.index
  }
}
