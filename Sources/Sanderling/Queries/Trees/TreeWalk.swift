/// A walk along an association of a record to itself, row after row. A query of a tree starts from it.
package struct TreeWalk: Hashable, Sendable {
  package enum Start: Hashable, Sendable {
    /// Down from all records without a parent.
    case roots
    /// Down from the record with a key, which is the first row.
    case descendants(of: [Term])
    /// Up from the record with a key, which isn't a row itself.
    case ancestors(of: [Term])
  }

  /// The association from a parent to its children. Each row on the way down must satisfy its condition, including the
  /// roots.
  let association: Association
  let start: Start
  /// The greatest number of steps from the start; nil for any.
  let maximumDepth: Int?
  /// The order of the roots, and of the children of each row. Siblings that are equal in it are ordered as in any
  /// query: see ``SelectStatement/completeOrderings``.
  var siblings: [Ordering] = []

  var type: RecordType { association.destination }

  /// The terms of the walk's own rows, which aren't terms of the query.
  var terms: [Term] { siblings.map(\.term) + [association.condition].compactMap { $0 } }
}

/// A column of a walk, in addition to the columns of the record.
package enum TreeColumn: String, Hashable, Sendable {
  /// The number of steps from the start.
  case depth
  /// The keys from the start to the row, in the form of ``TreePathCoding``.
  case path
  /// The position in the order of the walk.
  case position
}

extension TreeWalk {
  /// Whether each row certainly has at most one parent. Then a walk can reach only a cycle that contains its start.
  var hasSingleParents: Bool {
    guard case .ancestors = start else { return !type.table.isView && association.comparesAsStored }
    return false
  }

  /// Whether a foreign key makes the database keep a child's parent.
  var hasReferencedParents: Bool {
    guard association.columns.count == 1 else { return false }
    let property = type.table.columns[association.columns[0].destination].property
    return type.table.references.contains { $0.destination == type && $0.property == property }
  }
}

extension Term {
  static func tree(_ column: TreeColumn) -> Term {
    .raw([.tree(column)])
  }

  /// The columns of the walk that the term reads.
  fileprivate var treeColumns: Set<TreeColumn> {
    switch self {
    case .raw(let fragments):
      fragments.reduce(into: []) { columns, fragment in
        switch fragment {
        case .tree(let column): columns.insert(column)
        case .term(let term): columns.formUnion(term.treeColumns)
        // An inner query is complete in itself.
        case .sql, .value, .query, .invalid: break
        }
      }
    case .aggregate(let aggregate):
      [aggregate.argument, aggregate.rows.fullCondition].reduce(into: []) { columns, term in
        if let term { columns.formUnion(term.treeColumns) }
      }
    default: operands.reduce(into: []) { $0.formUnion($1.treeColumns) }
    }
  }
}

extension SelectStatement {
  /// The columns of the walk that the query reads, if it starts from a walk.
  var treeColumns: Set<TreeColumn> {
    let terms = columns + groups + writtenOrderings.map(\.term) + [condition, groupCondition].compactMap { $0 }
    return terms.reduce(into: []) { $0.formUnion($1.treeColumns) }
  }

  /// Whether the query needs the order of the walk.
  var needsOrderOfTree: Bool { comesInOrderOfTree || treeColumns.contains(.position) }

  /// Whether the query's rows are in the order of the walk, so that no sort is needed.
  var comesInOrderOfTree: Bool {
    guard case .tree = source, !isGrouped, !isDistinct else { return false }
    return orderings.first == .inOrderOfTree
  }
}

extension Ordering {
  /// The ordering by the position in a walk.
  static var inOrderOfTree: Ordering { Ordering(term: .tree(.position)) }
}
