/// The output of SQLite's EXPLAIN QUERY PLAN for a statement, as a tree.
public struct QueryPlan: Sendable {
  /// The lines of the plan that have no parent, in SQLite's order.
  public var roots: [PlanNode]

  public init(roots: [PlanNode] = []) {
    self.roots = roots
  }

  /// All nodes, parents before children, in the order in which SQLite printed them.
  public var nodes: [PlanNode] { roots.flatMap(\.withDescendants) }
}

/// One line of a plan.
public struct PlanNode: Identifiable, Sendable {
  /// SQLite's number of the node; unique within a plan.
  public var id: Int
  /// The line in SQLite's words.
  public var detail: String
  /// The work of the node.
  public var step: PlanStep
  /// The meaning of the line, in a sentence.
  public var meaning: String
  /// Rows that the node produced over the whole execution, counted.
  public var rows: Int64?
  /// Rows that were read to produce them, counted or bounded.
  public var rowsRead: Int64?
  /// The node's share of the statement's work, 0 to 1.
  public var share: Double?
  /// The nodes below, in SQLite's order.
  public var children: [PlanNode]

  public init(
    id: Int, detail: String, step: PlanStep, meaning: String, rows: Int64? = nil, rowsRead: Int64? = nil,
    share: Double? = nil, children: [PlanNode] = []
  ) {
    self.id = id
    self.detail = detail
    self.step = step
    self.meaning = meaning
    self.rows = rows
    self.rowsRead = rowsRead
    self.share = share
    self.children = children
  }

  /// The node and all nodes below it, parents before children.
  public var withDescendants: [PlanNode] { [self] + children.flatMap(\.withDescendants) }
}

/// The work of a line of a plan.
public enum PlanStep: Hashable, Sendable {
  /// All rows of a table or an index. `index` is nil if the table itself is read.
  case scan(table: String, index: String?, isCovering: Bool)
  /// Some rows, found by key. `index` is nil for the rowid or primary key. `terms` are as printed (`"projectID=?"`).
  /// Without terms, min() or max() is read at one end.
  case search(table: String, index: String?, isCovering: Bool, terms: [String])
  /// SQLite creates an index for this execution only; `terms` as above.
  case automaticIndex(table: String, isPartial: Bool, terms: [String])
  /// A virtual table is read, by the index that the table's module chose.
  case virtualTable(table: String, index: String)
  /// A sort, or a set of distinct rows, in a temporary B-tree.
  case temporaryBTree(purpose: TemporaryBTreePurpose)
  /// An IN, EXISTS or scalar subquery. A correlated one runs for each row of its outer query.
  case subquery(isCorrelated: Bool, number: Int?)
  /// A subquery or view delivers its rows one by one, while the outer query reads them.
  case coroutine(name: String)
  /// A subquery or view is evaluated into a temporary table first.
  case materialize(name: String)
  /// The parts of a compound SELECT are combined: UNION, UNION ALL, INTERSECT or EXCEPT.
  case compound(operator: String)
  /// Each side of an OR uses an index of its own.
  case multiIndexOr
  /// A Bloom filter of the table's keys skips rows that match none of them.
  case bloomFilter(table: String)
  /// A row without a table, as of VALUES or of SELECT 1.
  case constantRow
  /// A line that this version of the diagnosis does not know.
  case other
}

/// The uses of a temporary B-tree.
public enum TemporaryBTreePurpose: Hashable, Sendable {
  /// All terms of ORDER BY are sorted.
  case orderBy
  /// Only the last `terms` of the ordering are sorted; the rows already come in the order of the others. Nil if SQLite
  /// prints no number.
  case lastTermsOfOrderBy(terms: Int?)
  /// Rows are sorted for GROUP BY.
  case groupBy
  /// The rows that were returned are kept, for DISTINCT.
  case distinct
  /// The rows of the parts are kept, for UNION.
  case union
  /// Another use, in SQLite's words.
  case other(String)
}
