/// The index that would serve a query's pages, or the reason why none can.
enum PageIndex: Hashable, Sendable {
  case index(IndexDefinition)
  case none(reason: String)
}

extension PageForm {
  /// The index that serves the ordering. Its first columns are those that the condition compares for equality; the
  /// ordering follows.
  var servingIndex: PageIndex {
    if let reason = indexObstacle { return .none(reason: reason) }
    let equal = (base.condition?.conjuncts ?? []).compactMap(\.columnInEquality)
    var terms: [Term] = []
    var parts: [IndexDefinition.Part] = []
    for column in equal where !terms.contains(column) {
      terms.append(column)
      parts.append(IndexDefinition.Part(term: column, collation: nil, isDescending: false))
    }
    // Every index ends with the rowid, in ascending order.
    let isImplicit = table.keyIsRowID && hasRecords
    let ordered = orderings.filter { !terms.contains($0.term) && !(isImplicit && base.identity.contains($0.term)) }
    // SQLite walks an index in both directions. So an index for a descending ordering can ascend. If a descending rowid
    // ends the ordering, the whole index is reversed, because its own rowid ascends.
    let isFlipped =
      isImplicit && !ordered.isEmpty && orderings.last.map { base.identity.contains($0.term) } == true
      ? orderings.last?.isDescending == true : !ordered.contains { !$0.isDescending }
    for ordering in ordered {
      let isDescending = ordering.isDescending != isFlipped
      if case .collate(let operand, let collation) = ordering.term {
        parts.append(IndexDefinition.Part(term: operand, collation: collation, isDescending: isDescending))
      } else {
        parts.append(IndexDefinition.Part(term: ordering.term, collation: nil, isDescending: isDescending))
      }
    }
    return .index(IndexDefinition(name: nil, isUnique: false, parts: parts, condition: nil))
  }

  private var indexObstacle: String? {
    guard case .table(let type) = base.source else {
      return "the query doesn't start from a table"
    }
    if type.table.isView { return "\(type.table.name) is a view, or a table that the app makes" }
    if base.isGrouped {
      let isOrderedByGroups = orderings.allSatisfy { base.groups.contains($0.term) }
      if !isOrderedByGroups { return "it is ordered by a value that is known only after all rows are aggregated" }
    }
    for ordering in orderings {
      if ordering.term.followsAssociations { return "it is ordered by a value of an associated record" }
      if ordering.term.containsAggregate { return "it is ordered by an aggregate of associated rows" }
      if !ordering.term.isIndexable { return "it is ordered by an expression that an index can't contain" }
    }
    let equal = (base.condition?.conjuncts ?? []).compactMap(\.columnInEquality)
    for ordering in orderings.filter({ !equal.contains($0.term) }).dropFirst() where ordering.putsNullsElsewhere {
      return "an index has NULLs before all values, and a key after the first key of the order has them elsewhere"
    }
    return nil
  }
}

extension Ordering {
  /// Whether the order has NULLs where an index doesn't have them. SQLite requires the index's place even for columns
  /// without NULLs.
  fileprivate var putsNullsElsewhere: Bool { putsNullsLast != isDescending }
}

extension Term {
  /// The column that the condition compares with one value. An index that begins with this column has the rows in the
  /// order of its further columns.
  fileprivate var columnInEquality: Term? {
    switch self {
    case .binary(.equal, .column(let column), .constant), .binary(.equal, .column(let column), .literal),
      .binary(.equal, .constant, .column(let column)), .unary(.isNull, .column(let column)):
      column.scope == .root ? .column(column) : nil
    case .column(let column): column.scope == .root ? self : nil
    default: nil
    }
  }

  /// Whether an index can contain the term, and SQLite recognizes it there. SQLite never recognizes a bound value.
  fileprivate var isIndexable: Bool {
    switch self {
    case .column(let column): column.scope == .root
    case .constant, .subquery, .aggregate, .summary, .membership, .prefix, .invalid: false
    case .raw(let fragments):
      fragments.allSatisfy { fragment in
        switch fragment {
        case .sql: true
        case .term(let term): term.isIndexable
        case .value, .query, .tree, .invalid: false
        }
      }
    default: operands.allSatisfy(\.isIndexable)
    }
  }
}

extension IndexDefinition {
  /// The Swift code that declares the index.
  func declaration(in table: RecordTable) throws -> String {
    let isPlain = parts.allSatisfy { part in
      if case .column = part.term { part.collation == nil } else { false }
    }
    let texts = try parts.map { part in
      let collation = part.collation.map { ", collation: .\($0.rawValue.lowercased())" } ?? ""
      guard case .column(let column) = part.term else {
        let direction =
          part.isDescending
          ? "(isDescending: true\(collation))" : part.collation == nil ? "" : "(\(collation.dropFirst(2)))"
        return ".expression\(direction) { /* \(try SQLCompiler.definition(of: part.term)) */ }"
      }
      let keyPath = "\\.\(column.definition.property)"
      if part.isDescending { return ".descending(\(keyPath)\(collation))" }
      return isPlain ? keyPath : ".ascending(\(keyPath)\(collation))"
    }
    let index = ".on(\(texts.joined(separator: ", ")))"
    return isPlain ? "@Record(indexes: [\(index)])" : "static let indexes: [Index] = [\(index)]"
  }
}
