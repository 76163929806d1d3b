import Sanderling

/// A record for which the fuzzer makes tables and queries.
protocol FuzzRecord: StoredRecord, FuzzOutput {
  /// The kind of each of the table's columns, in order.
  static var kinds: [ColumnKind] { get }
  static var toOne: [any ToOneLink] { get }
  static var toMany: [any ToManyLink] { get }
  /// The key with the stored values; nil if they have other types.
  static func key(_ values: [StorageValue]) -> Key?
}

/// The output type of a live query. Its stored values serve to compare rows.
protocol FuzzOutput: Selectable {
  func storedValues() throws -> [StorageValue]
}

extension FuzzRecord {
  func storedValues() throws -> [StorageValue] { try storageValues() }
}

/// A to-one association, from a row in scope to another.
protocol ToOneLink: Sendable {
  var isFiltered: Bool { get }
  var isComposite: Bool { get }
  func parent(from scope: _Scope) -> RowPosition
}

struct OneLink<Child: FuzzRecord, Parent: FuzzRecord>: ToOneLink {
  let association: BelongsTo<Child, Parent>

  init(_ association: BelongsTo<Child, Parent>) {
    self.association = association
  }

  var isFiltered: Bool { association.association.condition != nil }
  var isComposite: Bool { association.association.columns.count > 1 }

  func parent(from scope: _Scope) -> RowPosition {
    RowPosition(scope: scope.toOne(association)._scope, type: Parent.self)
  }
}

/// A to-many association, from a row in scope to rows that are aggregated.
protocol ToManyLink: Sendable {
  var isRecursive: Bool { get }
  /// Whether the association leads through other tables.
  var goesThroughOthers: Bool { get }
  /// Whether the association is recursive and includes the row itself.
  var includesSelf: Bool { get }

  /// An aggregate as the public interface makes it.
  ///
  /// - Parameters:
  ///   - filter: Selects some of the rows; nil for all.
  ///   - argument: The aggregated term.
  func aggregate(
    _ function: AggregateFunction, from scope: _Scope, filter: ((RowPosition) -> Term)?, argument: (RowPosition) -> Term
  ) -> Term
}

struct ManyLink<Parent: FuzzRecord, Child: FuzzRecord>: ToManyLink {
  let association: HasMany<Parent, Child>

  init(_ association: HasMany<Parent, Child>) {
    self.association = association
  }

  var isRecursive: Bool { association.association.recursion != nil }
  var goesThroughOthers: Bool { !association.association.way.isEmpty }
  var includesSelf: Bool { association.association.recursion?.includesSelf == true }

  func aggregate(
    _ function: AggregateFunction, from scope: _Scope, filter: ((RowPosition) -> Term)?, argument: (RowPosition) -> Term
  ) -> Term {
    func position(_ fields: Child.Fields) -> RowPosition { RowPosition(scope: fields._scope, type: Child.self) }
    func integer(_ fields: Child.Fields) -> Field<Int> { Field<Int>(argument(position(fields)), as: Int.self) }
    var rows = scope.toMany(association)
    if let filter { rows = rows.filter { Field<Bool>(filter(position($0))) } }
    switch function {
    case .count: return rows.count.term
    case .exists: return (!rows.isEmpty).term
    case .countDistinct: return rows.countDistinct(integer).term
    case .sum: return rows.sum(integer).term
    case .average: return rows.average(integer).term
    case .minimum: return rows.min(integer).term
    case .maximum: return rows.max(integer).term
    case .joined(let separator):
      return rows.joined(separator: separator.string) { Field<String>(argument(position($0)), as: String.self) }.term
    }
  }
}

/// A row in the scope of a term, whose columns the term can use.
struct RowPosition: Sendable {
  let scope: _Scope
  let type: any FuzzRecord.Type

  init(scope: _Scope = .root, type: any FuzzRecord.Type) {
    self.scope = scope
    self.type = type
  }

  func column(_ index: Int) -> Term {
    type._terms[index].term.mapScopes { _ in scope }
  }

  /// The folds of the searchable columns.
  var folds: [Term] {
    type.table.folded.map { Field<String>(column($0.text), as: String.self).folded.term }
  }

  /// The columns that are searched by a kind of search.
  func searched(in kind: SearchKind) -> [Term] {
    type.kinds.indices.filter { type.table.columns[$0].searchKinds.contains(kind) }.map(column)
  }
}
