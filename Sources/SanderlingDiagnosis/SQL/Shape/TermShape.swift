/// A column, or an expression of columns of one source, that an index can hold.
struct KeyShape: Hashable, Sendable {
  var source: Int
  /// The columns that it reads: one where it is a column.
  var columns: [String]
  /// As an index would spell it: names in quotes, without the source's name.
  var sql: String
  var isColumn: Bool
  /// Whether it is the rowid, which needs no index.
  var isRowid: Bool
  /// The functions that it calls, in small letters.
  var functions: [String] = []
  /// Its own collation: the column's, or that of COLLATE.
  var collation: String
  /// The column's declared type; empty for expressions.
  var declaredType: String
  var range: Range<Int>

  /// Whether it is an error for a text that isn't JSON.
  var readsJSON: Bool { !isColumn && (functions.contains { $0.hasPrefix("json_") } || sql.contains("->")) }
}

/// A condition on one column or expression of a source.
struct TermShape: Sendable {
  enum Kind: Hashable, Sendable {
    /// `=`, `==`, or IS with a value.
    case equality
    /// IN; how many values where it is a list.
    case membership(count: Int?)
    case range(lower: Bool, upper: Bool)
    case isNull
    case isNotNull
    /// LIKE, GLOB, MATCH or REGEXP; the literal text before the first wildcard, nil where the pattern isn't a literal.
    case pattern(name: String, prefix: String?)
    /// The column or expression itself is the condition.
    case truth(isNegated: Bool)
    /// What no index serves: `<>`, NOT IN, NOT LIKE and the like, and functions that an index can't hold.
    case other
  }

  enum Clause: Hashable, Sendable {
    case condition
    /// The ON or USING of a source's join.
    case join(source: Int)
  }

  /// What the column is compared with.
  enum Value: Hashable, Sendable {
    /// Nothing: IS NULL and truth values.
    case none
    case literal(SQLLiteral, sql: String)
    case parameter(Int)
    /// Literals and parameters only.
    case expression
    case list(isLiteral: Bool)
    /// Columns of other sources of the same core.
    case sources(Set<Int>)
    /// Columns of the cores around it, which are known when it runs.
    case outer(Set<Int>)
    case subquery(core: Int, isCorrelated: Bool)
    /// Other columns of the same source.
    case sameSource
  }

  var kind: Kind
  /// Nil for conditions that no index can hold: then `columns` tells what they read.
  var key: KeyShape?
  var columns: [String]
  var value: Value
  /// The parameters in what it is compared with, by number: those that take values like the column's.
  var parameters: [Int] = []
  /// The collation of the comparison, which an index must have, too.
  var collation: String
  var clause: Clause
  /// Its place among the columns of a row value, `(a, b) > (?, ?)`; nil when it is none.
  var rowPosition: Int?
  /// Other columns that the value reads, where they belong to one source each: the other side of a join.
  var joinedTo: KeyShape?
  /// As the WHERE clause of a partial index would spell it; nil when it depends on more than literals.
  var indexCondition: String?
  /// The condition in the statement's text.
  var range: Range<Int>
  /// Whether NULL in its column makes it false; IS with a value that may be NULL doesn't.
  var isNullRejecting = true
  /// Whether it stands around the subquery or view that reads the source. Then its range, and the numbers of sources in
  /// its value, are those of the outermost text and core that it comes from.
  var isPushedDown = false
}

/// Conditions joined by OR, as far as they concern one source.
struct AlternativesShape: Sendable {
  /// The terms of each branch on this source. An empty one can't use an index of it, so that none of them helps.
  var branches: [[TermShape]]
  /// Whether all branches read this source only.
  var isOfOneSource: Bool
  var clause: TermShape.Clause
  var range: Range<Int>
  /// Whether it stands around the subquery or view that reads the source, as a term may.
  var isPushedDown = false
}

/// A term of ORDER BY, GROUP BY or DISTINCT.
struct OrderShape: Sendable {
  /// Nil for what no index holds: aggregates, several sources, random().
  var key: KeyShape?
  var isDescending = false
  /// Nil where the statement doesn't say.
  var nullsFirst: Bool?
  var collation: String
  var range: Range<Int>
}

/// A call of an aggregate function.
struct AggregateShape: Sendable {
  /// In small letters.
  var function: String
  var isDistinct: Bool
  var hasStar: Bool
  var hasFilter: Bool
  /// The sources that its arguments read.
  var sources: Set<Int>
  /// Its argument where an index can hold it.
  var key: KeyShape?
  var range: Range<Int>

  /// The functions that put the values of parts together.
  static let together = ["count": "SUM", "sum": "SUM", "total": "TOTAL", "min": "MIN", "max": "MAX"]
}
