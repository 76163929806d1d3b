/// An index that may help a statement.
struct IndexCandidate: Sendable {
  struct Key: Hashable, Sendable {
    /// Nil for an expression.
    var column: String?
    /// The column in quotes, or the expression.
    var sql: String
    /// Nil for the collation that the column has anyway.
    var collation: String?
    var isDescending = false

    var definition: String {
      sql + (collation.map { " COLLATE \($0.quotedIdentifier)" } ?? "") + (isDescending ? " DESC" : "")
    }

    /// Whether both hold the same values in the same or in the opposite order.
    func isLike(_ other: Key) -> Bool { sql == other.sql && collation == other.collation }
  }

  /// What it was proposed for.
  enum Purpose: Hashable, Sendable {
    case filter, order, group, distinct, extreme
    /// A branch of an OR.
    case alternative
    case pattern, caseInsensitive
    /// A value that another source gives for each of its rows.
    case join
    /// A value of a query around the subquery.
    case outerValue
    /// Rows that refer to a row which is deleted, or whose key changes.
    case foreignKey
    /// Rows that a trigger looks for.
    case trigger
    /// All rows, of which nothing is read.
    case count
  }

  var table: String
  var keys: [Key]
  /// How many keys find or order rows; those after them are there to be read only.
  var seekingKeys: Int
  /// How many of the first keys may change places, as each has one value where the index is used.
  var interchangeable: Int
  /// The WHERE clause of a partial index.
  var condition: String?
  var purposes: Set<Purpose>

  init(
    table: String, keys: [Key], seekingKeys: Int? = nil, interchangeable: Int = 0, condition: String? = nil,
    purposes: Set<Purpose>
  ) {
    self.table = table
    self.keys = keys
    self.seekingKeys = seekingKeys ?? keys.count
    self.interchangeable = interchangeable
    self.condition = condition
    self.purposes = purposes
  }

  /// All that makes it what it is, but for its name.
  var definition: String {
    "\(table.quotedIdentifier) (\(keys.map(\.definition).joined(separator: ", ")))"
      + (condition.map { " WHERE \($0)" } ?? "")
  }

  var hasExpression: Bool { keys.contains { $0.column == nil } }
  var seeksExpression: Bool { keys.prefix(seekingKeys).contains { $0.column == nil } }
  var beginsWithExpression: Bool { keys.first.map { $0.column == nil } ?? false }

  /// Whether plans don't show that a write uses it: triggers and the checks of foreign keys are programs of their own.
  var isUnseen: Bool { !purposes.isDisjoint(with: [.foreignKey, .trigger]) }

  func creation(named name: String) -> String { "CREATE INDEX \(name.quotedIdentifier) ON \(definition)" }
}

extension IndexCandidate: Hashable {
  static func == (one: IndexCandidate, other: IndexCandidate) -> Bool { one.definition == other.definition }

  func hash(into hasher: inout Hasher) { hasher.combine(definition) }
}
