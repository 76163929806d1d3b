/// The walk along an association of a record to itself, row after row. A query of a tree starts from it.
package struct TreeWalk: Hashable, Sendable {
  package enum Start: Hashable, Sendable {
    /// Down from all records that have no parent.
    case roots
    /// Down from the record with a key, which is the first row.
    case descendants(of: [Term])
    /// Up from the record with a key, which is no row.
    case ancestors(of: [Term])
  }

  /// The association from a parent to its children. Each row on the way down satisfies its condition, including the
  /// roots.
  let association: Association
  let start: Start
  /// How far from the start rows are; nil for any distance.
  let maximumDepth: Int?
  /// The order of the roots, and of the children of each row. Those that are equal in it come as rows of any query do: see
  /// ``SelectStatement/completeOrderings``.
  var siblings: [Ordering] = []

  var type: RecordType { association.destination }

  /// The terms of its own rows, which are no terms of the query.
  var terms: [Term] { siblings.map(\.term) + [association.condition].compactMap { $0 } }
}

/// A column of a walk, which a row has beside its record.
package enum TreeColumn: String, Hashable, Sendable {
  /// How many steps it is from the start.
  case depth
  /// The keys from the start to the row, as ``TreePathCoding`` has it.
  case path
  /// The place in the order of the walk.
  case position
}

extension TreeWalk {
  /// Whether each row certainly has one parent at most: then no cycle but one of the start itself can be come to from it.
  var hasSingleParents: Bool {
    guard case .ancestors = start else { return !type.table.isView && association.comparesAsStored }
    return false
  }

  /// Whether the database keeps a child's parent there.
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

  /// The columns of the walk that the term reads, if its query starts from one.
  fileprivate var treeColumns: Set<TreeColumn> {
    switch self {
    case .raw(let fragments):
      fragments.reduce(into: []) { columns, fragment in
        switch fragment {
        case .tree(let column): columns.insert(column)
        case .term(let term): columns.formUnion(term.treeColumns)
        // A query inside is complete in itself.
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
  /// The columns of the walk that the query reads, if it starts from one.
  var treeColumns: Set<TreeColumn> {
    let terms = columns + groups + writtenOrderings.map(\.term) + [condition, groupCondition].compactMap { $0 }
    return terms.reduce(into: []) { $0.formUnion($1.treeColumns) }
  }

  /// Whether the order of the walk matters that the query starts from.
  var needsOrderOfTree: Bool { comesInOrderOfTree || treeColumns.contains(.position) }

  /// Whether its rows come in the order of the walk, so that no sort is needed.
  var comesInOrderOfTree: Bool {
    guard case .tree = source, !isGrouped, !isDistinct else { return false }
    return orderings.first == .inOrderOfTree
  }
}

extension Ordering {
  /// As a walk comes to the rows.
  static var inOrderOfTree: Ordering { Ordering(term: .tree(.position)) }
}
