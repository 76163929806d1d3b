/// The index that would serve a query's pages, or why none can.
enum PageIndex: Hashable, Sendable {
  case index(IndexDefinition)
  case none(reason: String)
}

extension PageForm {
  /// The index that serves the ordering: first the columns that the condition compares for equality, then the ordering.
  var servingIndex: PageIndex {
    if let reason = indexObstacle { return .none(reason: reason) }
    let equal = (base.condition?.conjuncts ?? []).compactMap(\.columnInEquality)
    var terms: [Term] = []
    var parts: [IndexDefinition.Part] = []
    for column in equal where !terms.contains(column) {
      terms.append(column)
      parts.append(IndexDefinition.Part(term: column, collation: nil, isDescending: false))
    }
    // The rowid ends every index by itself, in ascending order.
    let isImplicit = table.keyIsRowID && hasRecords
    let ordered = orderings.filter { !terms.contains($0.term) && !(isImplicit && base.identity.contains($0.term)) }
    // An index is walked either way: where all goes down it goes up, and where a rowid at its end goes down, all goes the other way.
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
      if !ordering.term.isIndexable { return "it is ordered by an expression that no index has" }
    }
    let equal = (base.condition?.conjuncts ?? []).compactMap(\.columnInEquality)
    for ordering in orderings.filter({ !equal.contains($0.term) }).dropFirst() where ordering.putsNullsElsewhere {
      return "an index has NULLs before all values, and behind its first key the order has them elsewhere"
    }
    return nil
  }
}

extension Ordering {
  /// Whether NULLs are where an index doesn't have them. SQLite asks no less of a column that holds none.
  fileprivate var putsNullsElsewhere: Bool { putsNullsLast != isDescending }
}

extension Term {
  /// The column that the condition compares with one value. An index that begins with it has the rows in the order of
  /// its further columns.
  fileprivate var columnInEquality: Term? {
    switch self {
    case .binary(.equal, .column(let column), .constant), .binary(.equal, .column(let column), .literal),
      .binary(.equal, .constant, .column(let column)), .unary(.isNull, .column(let column)):
      column.scope == .root ? .column(column) : nil
    case .column(let column): column.scope == .root ? self : nil
    default: nil
    }
  }

  /// Whether the term can stand in an index, and SQLite finds it there: values that are bound are other ones to it.
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
  /// The index as Swift.
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
