/// A column, or an expression of one source's columns, that an index can hold.
struct KeyShape: Hashable, Sendable {
  var source: Int
  /// The columns that the key reads; a single column if the key is a column.
  var columns: [String]
  /// The key in the spelling of an index: quoted names without the source's name.
  var sql: String
  var isColumn: Bool
  /// Whether the key is the rowid, which needs no index.
  var isRowid: Bool
  /// The functions that the key calls, in lower case.
  var functions: [String] = []
  /// The collation of the key: the column's, or the collation of COLLATE.
  var collation: String
  /// The column's declared type; empty for expressions.
  var declaredType: String
  var range: Range<Int>

  /// Whether the key fails for a text that isn't JSON.
  var readsJSON: Bool { !isColumn && (functions.contains { $0.hasPrefix("json_") } || sql.contains("->")) }
}

/// A condition on one column or expression of a source.
struct TermShape: Sendable {
  enum Kind: Hashable, Sendable {
    /// `=`, `==`, or IS with a value.
    case equality
    /// IN, with the number of values if it is a list.
    case membership(count: Int?)
    case range(lower: Bool, upper: Bool)
    case isNull
    case isNotNull
    /// LIKE, GLOB, MATCH or REGEXP, with the literal text before the first wildcard; nil if the pattern isn't a
    /// literal.
    case pattern(name: String, prefix: String?)
    /// The column or expression itself is the condition.
    case truth(isNegated: Bool)
    /// A condition that no index serves: `<>`, NOT IN, NOT LIKE and similar ones, and functions that an index can't
    /// hold.
    case other
  }

  enum Clause: Hashable, Sendable {
    case condition
    /// The ON or USING of a source's join.
    case join(source: Int)
  }

  /// The value that the column is compared with.
  enum Value: Hashable, Sendable {
    /// No value: IS NULL and truth values.
    case none
    case literal(SQLLiteral, sql: String)
    case parameter(Int)
    /// Literals and parameters only.
    case expression
    case list(isLiteral: Bool)
    /// Columns of these sources, which the same SELECT joins with the source of the column.
    case sources(Set<Int>)
    /// Columns of outer cores, which are known when the core runs.
    case outer(Set<Int>)
    case subquery(core: Int, isCorrelated: Bool)
    /// Other columns of the same source.
    case sameSource
  }

  var kind: Kind
  /// The key; nil for conditions that no index can hold, whose columns are in `columns`.
  var key: KeyShape?
  var columns: [String]
  var value: Value
  /// The numbers of the parameters in the compared value whose values have the column's kind.
  var parameters: [Int] = []
  /// The collation of the comparison, which an index must share.
  var collation: String
  var clause: Clause
  /// The condition's position in a row value, `(a, b) > (?, ?)`; nil if it is in none.
  var rowPosition: Int?
  /// The key on the other side of a join; nil if the value is no key of another source.
  var joinedTo: KeyShape?
  /// The condition in the spelling of a partial index's WHERE clause; nil if it depends on more than literals.
  var indexCondition: String?
  /// The condition's range in the statement's text.
  var range: Range<Int>
  /// Whether NULL in its column makes the condition false. IS with a value that may be NULL doesn't reject NULL.
  var isNullRejecting = true
  /// Whether the term comes from outside the subquery or view that reads the source. Its range, and the source numbers
  /// in its value, then refer to the outermost text and core of its origin.
  var isPushedDown = false
}

/// Conditions joined by OR, limited to one source.
struct AlternativesShape: Sendable {
  /// The terms of each branch on this source. If a branch is empty, no index of the source can serve the OR.
  var branches: [[TermShape]]
  /// Whether all branches read this source only.
  var isOfOneSource: Bool
  var clause: TermShape.Clause
  var range: Range<Int>
  /// Whether it comes from outside the subquery or view that reads the source.
  var isPushedDown = false
}

/// A term of ORDER BY, GROUP BY or DISTINCT.
struct OrderShape: Sendable {
  /// The key; nil if no index can hold the term: aggregates, several sources, random().
  var key: KeyShape?
  var isDescending = false
  /// Whether NULLs come first; nil if the statement doesn't specify it.
  var nullsFirst: Bool?
  var collation: String
  var range: Range<Int>
}

/// A call of an aggregate function.
struct AggregateShape: Sendable {
  /// The function's name in lower case.
  var function: String
  var isDistinct: Bool
  var hasStar: Bool
  var hasFilter: Bool
  /// The sources that its arguments read.
  var sources: Set<Int>
  /// Its argument, if an index can hold it.
  var key: KeyShape?
  var range: Range<Int>

  /// The functions that combine the aggregates of parts to that of the whole.
  static let together = ["count": "SUM", "sum": "SUM", "total": "TOTAL", "min": "MIN", "max": "MAX"]
}
