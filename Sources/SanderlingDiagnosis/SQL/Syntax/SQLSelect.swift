/// A SELECT or VALUES with all its clauses: one core, or several that compound operators combine.
struct SQLSelect: Sendable {
  var with: SQLWith?
  var cores: [SQLSelectCore]
  /// The operators between the cores in capitals: `UNION`, `UNION ALL`, `INTERSECT`, `EXCEPT`.
  var operators: [String]
  var orderBy: [SQLOrderingTerm] = []
  /// The range from ORDER to the last term.
  var orderByRange: Range<Int>?
  var limit: SQLExpression?
  var offset: SQLExpression?
  /// The range from LIMIT to the end of the clause.
  var limitRange: Range<Int>?
  var range: Range<Int>
  /// The nesting depth of expressions and subqueries.
  var depth: Int
}

/// The part of a SELECT that compound operators combine, or rows of VALUES.
struct SQLSelectCore: Sendable {
  /// A number that is unique within the statement, in the order of the text.
  var id: Int
  var isDistinct = false
  var columns: [SQLResultColumn] = []
  /// The range from the first result column to the last.
  var columnsRange: Range<Int>
  var from: SQLFrom?
  var condition: SQLExpression?
  var groupBy: [SQLExpression] = []
  /// The range from GROUP to the last term.
  var groupByRange: Range<Int>?
  var having: SQLExpression?
  var windows: [(name: SQLName, window: SQLWindow)] = []
  /// The rows of VALUES.
  var rows: [[SQLExpression]] = []
  var range: Range<Int>
}

struct SQLResultColumn: Sendable {
  enum Kind: Sendable {
    case expression(SQLExpression, alias: SQLName?)
    /// `*`, or `table.*`.
    case all(of: SQLName?)
  }

  var kind: Kind
  var range: Range<Int>
}

struct SQLWith: Sendable {
  var isRecursive: Bool
  var tables: [SQLCommonTable]
}

struct SQLCommonTable: Sendable {
  var name: SQLName
  var columns: [SQLName]
  var select: SQLSelect
}

/// A FROM clause in the order of the text, with the parentheses around joins removed.
struct SQLFrom: Sendable {
  var sources: [SQLSource]
  /// The range from the first source to the end of the last join, without the word FROM.
  var range: Range<Int>
}

/// A table, subquery or function in a FROM clause, and its join with the earlier sources.
struct SQLSource: Sendable {
  indirect enum Kind: Sendable {
    case table(schema: SQLName?, SQLName)
    case function(SQLName, arguments: [SQLExpression])
    case subquery(SQLSelect)
  }

  /// A number that is unique within the statement, in the order of the text.
  var id: Int
  var kind: Kind
  var alias: SQLName?
  /// The index of INDEXED BY.
  var indexedBy: SQLName?
  var isNotIndexed = false
  var join = SQLJoin()
  /// The source with its alias, without the join operator.
  var range: Range<Int>
  /// The source with its operator, ON and USING; equals `range` for the first source.
  var joinRange: Range<Int>
}

struct SQLJoin: Sendable {
  enum Kind: Sendable {
    /// The first source, a comma, JOIN or INNER JOIN.
    case inner
    /// Like `inner`, but the order is kept.
    case cross
    case left
    case right
    case full
  }

  var kind = Kind.inner
  var isNatural = false
  var on: SQLExpression?
  var using: [SQLName] = []
}
