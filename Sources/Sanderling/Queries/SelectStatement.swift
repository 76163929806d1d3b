/// A query without its types. The SQL compiler reads it. Two queries are equal if their statements are.
@usableFromInline
package struct SelectStatement: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case table(RecordType)
    /// A SELECT written by hand, which replaces a record's table.
    case raw([RawFragment], RecordType)
    /// The rows of a table that a walk along an association reaches. Indirect, because statements nest and their size
    /// on the stack matters.
    indirect case tree(TreeWalk)

    package var type: RecordType {
      switch self {
      case .table(let type), .raw(_, let type): type
      case .tree(let tree): tree.type
      }
    }
  }

  package var source: Source
  package var columns: [Term]
  package var condition: Term?
  package var orderings: [Ordering] = []
  /// Whether the orderings distinguish any two rows, together with the values that the condition fixes.
  var hasWholeOrder = false
  package var limit: Int?
  package var offset = 0
  package var isDistinct = false
  package var groups: [Term] = []
  package var groupCondition: Term?

  package init(source: Source, columns: [Term]) {
    self.source = source
    self.columns = columns
  }

  package var isGrouped: Bool {
    !groups.isEmpty || groupCondition != nil || columns.contains(where: \.containsSummary)
  }

  package mutating func add(condition: Term) {
    self.condition = self.condition.map { $0 && condition } ?? condition
  }

  mutating func addGroupCondition(_ condition: Term) {
    groupCondition = groupCondition.map { $0 && condition } ?? condition
  }

  /// Makes the query throw ``StoreError/invalidQuery(_:)`` when it runs.
  mutating func refuse(because reason: String) {
    add(condition: .invalid(reason))
  }

  /// A number of rows that no SQLite database can have. Greater limits, offsets and windows mean the same, and their
  /// sums would overflow.
  static let mostRows = Int.max >> 6

  /// Adds a condition of the query's author, and moves searches to its end.
  mutating func choose(by condition: Term) {
    add(condition: condition)
    self.condition = self.condition?.withSearchesLast
  }
}

extension SelectStatement {
  /// Whether the condition finds few rows by their keys, and its other parts only filter these rows.
  var isReadByKey: Bool {
    guard case .table(let type) = source, let conjuncts = condition?.conjuncts else { return false }
    return type.table.key.allSatisfy { index in
      let key = Term.column(ColumnTerm(scope: .root, owner: type, index: index))
      return conjuncts.contains { conjunct in
        switch conjunct {
        case .binary(.equal, key, .constant): true
        case .membership(key, let members): members.values.count <= Self.fewRows
        default: false
        }
      }
    }
  }

  /// The number of rows up to which reading their texts takes less time than finding all rows with a word in an index.
  private static var fewRows: Int { 64 }
}

extension Term {
  /// The terms that this term consists of. Those of an aggregate belong to a deeper scope and aren't included.
  package var operands: [Term] {
    switch self {
    case .column, .constant, .literal, .invalid, .aggregate: []
    case .unary(_, let operand), .membership(let operand, _), .subquery(let operand, _), .prefix(let operand, _),
      .collate(let operand, _):
      [operand]
    case .binary(_, let lhs, let rhs): [lhs, rhs]
    case .function(_, let arguments): arguments
    case .summary(_, let argument): argument.map { [$0] } ?? []
    case .raw(let fragments):
      fragments.compactMap(\.term)
    }
  }

  /// Whether the term aggregates the query's own rows.
  package var containsSummary: Bool {
    if case .summary = self { return true }
    return operands.contains(where: \.containsSummary)
  }

  /// Whether the term has a value of its own for each row, outside aggregates over the query's rows.
  package var readsSingleRow: Bool {
    switch self {
    case .column, .aggregate: true
    case .summary: false
    default: operands.contains(where: \.readsSingleRow)
    }
  }

  /// Whether evaluating the term runs a subquery for each row.
  package var containsAggregate: Bool {
    switch self {
    case .aggregate: true
    default: operands.contains(where: \.containsAggregate)
    }
  }

  /// Whether the term uses a to-one association of the query's own rows, and so needs a join.
  var followsAssociations: Bool {
    var follows = false
    forEachScope { follows = follows || ($0.level == 0 && !$0.path.isEmpty) }
    return follows
  }

  /// Visits the scopes of all columns in the term, including those inside aggregates.
  func forEachScope(_ body: (_Scope) -> Void) {
    switch self {
    case .column(let column):
      body(column.scope)
    case .aggregate(let aggregate):
      body(aggregate.rows.origin)
      aggregate.argument?.forEachScope(body)
      aggregate.rows.fullCondition?.forEachScope(body)
    default:
      operands.forEach { $0.forEachScope(body) }
    }
  }
}
