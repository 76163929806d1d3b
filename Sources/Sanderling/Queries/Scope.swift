/// The place of a field: the nesting level of its query, and the to-one associations that lead to its row.
///
/// Level 0 is the query's own table. The closure of an aggregate opens the next level, so that a field of an outer row
/// keeps its meaning inside. In `Project.where { p in p.children.contains { $0.name == p.name } }` the two names
/// differ.
public struct _Scope: Hashable, Sendable {
  package var level: Int
  package var path: [Association]

  package init(level: Int, path: [Association] = []) {
    self.level = level
    self.path = path
  }

  /// The rows of the query itself.
  public static let root = _Scope(level: 0)

  /// The field of a column.
  public func column<Owner: StoredRecord, Coding: ColumnCoding>(
    _ index: Int, of owner: Owner.Type, as coding: Coding.Type
  ) -> Field<Coding.Value> {
    Field(.column(ColumnTerm(scope: self, owner: RecordType(owner), index: index)), as: coding)
  }

  /// The fields of the record that an association leads to.
  public func toOne<Child, Parent>(_ association: BelongsTo<Child, Parent>) -> Parent.Fields {
    Parent.Fields(_scope: appending(association.association))
  }

  /// The fields of the record that an association leads to, if there is one.
  public func toOptional<Child, Parent>(_ association: BelongsTo<Child, Parent>) -> OptionalFields<Parent> {
    OptionalFields(fields: toOne(association))
  }

  /// The records that an association leads to.
  public func toMany<Parent, Child>(_ association: HasMany<Parent, Child>) -> ToMany<Child> {
    ToMany(rows: AssociatedRows(origin: self, association: association.association, level: Nesting.depth + 1))
  }

  private func appending(_ association: Association) -> _Scope {
    var result = self
    result.path.append(association)
    return result
  }
}

/// The nesting depth of closures of to-many associations, while code builds a query.
///
/// A closure inside another gets its own level, even if both start at the same record: `p.children.contains { a in
/// p.children.contains { b in a.name == b.name } }`.
enum Nesting {
  @TaskLocal static var depth = 0

  /// Runs the closure of an independent query, wherever it is built.
  static func atRoot<Result>(_ body: () -> Result) -> Result {
    depth == 0 ? body() : $depth.withValue(0, operation: body)
  }
}

/// The fields of a record that may not exist. Each field is optional.
@dynamicMemberLookup
public struct OptionalFields<Owner: StoredRecord>: Sendable {
  let fields: Owner.Fields

  public subscript<Value>(dynamicMember keyPath: KeyPath<Owner.Fields, Field<Value>>) -> Field<Value?> {
    fields[keyPath: keyPath].optional
  }

  public subscript<Value>(dynamicMember keyPath: KeyPath<Owner.Fields, Field<Value?>>) -> Field<Value?> {
    fields[keyPath: keyPath]
  }

  public subscript<Next>(dynamicMember keyPath: KeyPath<Owner.Fields, OptionalFields<Next>>) -> OptionalFields<Next> {
    fields[keyPath: keyPath]
  }

  public subscript<Next: _RecordFields>(dynamicMember keyPath: KeyPath<Owner.Fields, Next>) -> OptionalFields<
    Next.Owner
  > {
    OptionalFields<Next.Owner>(fields: Next.Owner.Fields(_scope: fields[keyPath: keyPath]._scope))
  }

  public subscript<Child>(dynamicMember keyPath: KeyPath<Owner.Fields, ToMany<Child>>) -> ToMany<Child> {
    fields[keyPath: keyPath]
  }

  /// Whether the record exists.
  public var exists: Field<Bool> {
    Field(.unary(.isNotNull, keyTerm), as: Bool.self)
  }

  var keyTerm: Term {
    .column(ColumnTerm(scope: fields._scope, owner: RecordType(Owner.self), index: Owner.table.key[0]))
  }
}

extension Term {
  /// The term for `scope` as its root: level 0 becomes the scope's level and path.
  package func rebased(onto scope: _Scope) -> Term {
    mapScopes { $0.rebased(onto: scope) }
  }

  /// The term with each scope replaced.
  package func mapScopes(_ transform: (_Scope) -> _Scope) -> Term {
    switch self {
    case .column(var column):
      column.scope = transform(column.scope)
      return .column(column)
    case .aggregate(let aggregate):
      var rows = aggregate.rows
      rows.origin = transform(rows.origin)
      rows.level = transform(rows.scope).level
      return Term.aggregate(AggregateTerm(function: aggregate.function, argument: aggregate.argument, rows: rows))
        .mapParts { $0.mapScopes(transform) }
    default: return mapParts { $0.mapScopes(transform) }
    }
  }
}

extension _Scope {
  func rebased(onto scope: _Scope) -> _Scope {
    level == 0
      ? _Scope(level: scope.level, path: scope.path + path)
      : _Scope(level: level + scope.level, path: path)
  }
}
