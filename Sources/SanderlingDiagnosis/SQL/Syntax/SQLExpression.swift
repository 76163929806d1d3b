/// An expression, with its place in the statement's text.
///
/// A class, because a reference takes little stack and the parser is recursive.
final class SQLExpression: Sendable {
  let kind: Kind
  /// Its bytes in the text, including parentheses.
  let range: Range<Int>
  /// The nesting depth of expressions and subqueries, including itself; at most ``SQLParser/depthLimit``.
  let depth: Int

  init(kind: Kind, range: Range<Int>, depth: Int) {
    (self.kind, self.range, self.depth) = (kind, range, depth)
  }

  indirect enum Kind: Sendable {
    case literal(SQLLiteral)
    /// A parameter with SQLite's number, from 1.
    case parameter(number: Int)
    case column(SQLColumnReference)
    case unary(SQLUnaryOperator, SQLExpression)
    case binary(SQLBinaryOperator, SQLExpression, SQLExpression)
    case and([SQLExpression])
    case or([SQLExpression])
    case isNull(SQLExpression, isNegated: Bool)
    case between(SQLExpression, low: SQLExpression, high: SQLExpression, isNegated: Bool)
    case membership(SQLExpression, SQLMembership, isNegated: Bool)
    case pattern(SQLPattern)
    case call(SQLCall)
    case cast(SQLExpression, type: String)
    case collate(SQLExpression, SQLName)
    case choice(SQLCase)
    case subquery(SQLSelect)
    case exists(SQLSelect)
    /// Several values in parentheses.
    case row([SQLExpression])
    case parentheses(SQLExpression)
  }
}

enum SQLLiteral: Hashable, Sendable {
  case null
  case integer
  case real
  case string
  case blob
  case boolean(Bool)
  /// CURRENT_DATE, CURRENT_TIME or CURRENT_TIMESTAMP.
  case currentTime
}

/// A name as written.
struct SQLName: Sendable {
  /// The name without its quotes.
  var text: String
  var range: Range<Int>
  /// Whether the name is in double quotes. It is a string if no such name exists.
  var isDoubleQuoted = false

  /// The form in which names are compared.
  var key: String { text.asciiLowercased }
}

struct SQLColumnReference: Sendable {
  var schema: SQLName?
  var table: SQLName?
  var name: SQLName
}

enum SQLUnaryOperator: String, Sendable {
  case minus = "-"
  case plus = "+"
  case invert = "~"
  case not = "NOT"
}

enum SQLBinaryOperator: String, Sendable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// Also `IS NOT DISTINCT FROM`.
  case equalOrBothNull = "IS"
  /// Also `IS DISTINCT FROM`.
  case notEqualOrOneNull = "IS NOT"
  case bitAnd = "&"
  case bitOr = "|"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case concatenate = "||"
  case extractJSON = "->"
  case extractSQL = "->>"
}

/// The operand after IN.
enum SQLMembership: Sendable {
  case list([SQLExpression])
  case subquery(SQLSelect)
  /// A table, or a function that returns one.
  case table(SQLName, arguments: [SQLExpression])
}

/// LIKE, GLOB, MATCH or REGEXP.
struct SQLPattern: Sendable {
  /// The operator in capitals.
  var name: String
  var value: SQLExpression
  var pattern: SQLExpression
  var escape: SQLExpression?
  var isNegated: Bool
}

/// A call of a scalar, aggregate or window function.
struct SQLCall: Sendable {
  var name: SQLName
  var isDistinct = false
  /// Whether the argument is a star, as in `count(*)`.
  var hasStar = false
  var arguments: [SQLExpression] = []
  var orderBy: [SQLOrderingTerm] = []
  var filter: SQLExpression?
  var window: SQLWindow?
}

struct SQLCase: Sendable {
  var base: SQLExpression?
  var branches: [(when: SQLExpression, then: SQLExpression)]
  var otherwise: SQLExpression?
}

/// The window after OVER, or a definition in the WINDOW clause.
struct SQLWindow: Sendable {
  /// The window that it refers to or extends.
  var base: SQLName?
  var partitionBy: [SQLExpression] = []
  var orderBy: [SQLOrderingTerm] = []
  /// Expressions that bound the frame.
  var bounds: [SQLExpression] = []
}

struct SQLOrderingTerm: Sendable {
  var expression: SQLExpression
  var isDescending: Bool
  /// Whether NULLs come first; nil if the statement doesn't specify it. SQLite then puts NULLs first in ascending and
  /// last in descending order.
  var nullsFirst: Bool?
  var range: Range<Int>
}
