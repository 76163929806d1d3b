/// An index that may help a statement.
struct IndexCandidate: Sendable {
  struct Key: Hashable, Sendable {
    /// The column; nil for an expression.
    var column: String?
    /// The column in quotes, or the expression.
    var sql: String
    /// The collation; nil for the column's own collation.
    var collation: String?
    var isDescending = false

    var definition: String {
      sql + (collation.map { " COLLATE \($0.quotedIdentifier)" } ?? "") + (isDescending ? " DESC" : "")
    }

    /// Whether two keys hold the same values, in the same or in the opposite order.
    func isLike(_ other: Key) -> Bool { sql == other.sql && collation == other.collation }
  }

  /// The use for which an index was proposed.
  enum Purpose: Hashable, Sendable {
    case filter, order, group, distinct, extreme
    /// A branch of an OR.
    case alternative
    case pattern, caseInsensitive
    /// A value that another source of the join gives for each of its rows.
    case join
    /// A value of the query around a subquery.
    case outerValue
    /// Rows that refer to a row that is deleted or whose key changes.
    case foreignKey
    /// Rows that a trigger looks for.
    case trigger
    /// The number of rows; no column is read.
    case count
  }

  var table: String
  var keys: [Key]
  /// The number of the first keys, which find or order rows. The keys after them are only read.
  var seekingKeys: Int
  /// The number of the first keys that may change places, because each has one value when the index is used.
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

  /// The definition of the index, without its name.
  var definition: String {
    "\(table.quotedIdentifier) (\(keys.map(\.definition).joined(separator: ", ")))"
      + (condition.map { " WHERE \($0)" } ?? "")
  }

  var hasExpression: Bool { keys.contains { $0.column == nil } }
  var seeksExpression: Bool { keys.prefix(seekingKeys).contains { $0.column == nil } }
  var beginsWithExpression: Bool { keys.first.map { $0.column == nil } ?? false }

  /// Whether no plan shows that a write uses the index: triggers and the checks of foreign keys are separate programs
  /// of SQLite.
  var isUnseen: Bool { !purposes.isDisjoint(with: [.foreignKey, .trigger]) }

  func creation(named name: String) -> String { "CREATE INDEX \(name.quotedIdentifier) ON \(definition)" }
}

extension IndexCandidate: Hashable {
  static func == (one: IndexCandidate, other: IndexCandidate) -> Bool { one.definition == other.definition }

  func hash(into hasher: inout Hasher) { hasher.combine(definition) }
}
