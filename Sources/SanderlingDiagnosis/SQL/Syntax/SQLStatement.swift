import SanderlingSQL

/// The syntax tree of a statement that reads or writes rows.
struct SQLStatement: Sendable {
  enum Kind: Sendable {
    case select(SQLSelect)
    case insert(SQLInsert)
    case update(SQLUpdate)
    case delete(SQLDelete)
  }

  var kind: Kind
  var text: SQLText
  /// The number of parameters that SQLite binds: the highest number.
  var parameterCount: Int
  /// The numbers of named parameters, with the prefix of the name: `":id"`.
  var parameterNames: [String: Int]

  /// Returns the text of a node.
  func sql(_ range: Range<Int>) -> String { text[range] }
}

struct SQLInsert: Sendable {
  var with: SQLWith?
  var target: SQLSource
  var columns: [SQLName]
  /// The SELECT; nil for DEFAULT VALUES.
  var select: SQLSelect?
  var upserts: [SQLUpsert]
  var returning: [SQLResultColumn]
  var range: Range<Int>
}

struct SQLUpsert: Sendable {
  var target: [SQLOrderingTerm] = []
  var targetCondition: SQLExpression?
  var assignments: [SQLAssignment] = []
  var condition: SQLExpression?
}

struct SQLAssignment: Sendable {
  var columns: [SQLName]
  var value: SQLExpression
  var range: Range<Int>
}

struct SQLUpdate: Sendable {
  /// The number of the statement as a core, unique among its cores.
  var id: Int
  var with: SQLWith?
  var target: SQLSource
  var assignments: [SQLAssignment]
  var from: SQLFrom?
  var condition: SQLExpression?
  var returning: [SQLResultColumn]
  var orderBy: [SQLOrderingTerm]
  var limit: SQLExpression?
  var offset: SQLExpression?
  var range: Range<Int>
}

struct SQLDelete: Sendable {
  /// The number of the statement as a core, unique among its cores.
  var id: Int
  var with: SQLWith?
  var target: SQLSource
  var condition: SQLExpression?
  var returning: [SQLResultColumn]
  var orderBy: [SQLOrderingTerm]
  var limit: SQLExpression?
  var offset: SQLExpression?
  var range: Range<Int>
}
