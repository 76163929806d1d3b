/// A CREATE TABLE statement in replaceable parts. Unchanged parts keep their text.
package struct CreateTableSyntax {
  package struct Column {
    package let name: String
    /// The name as written, and the type.
    package private(set) var head: String
    package var constraints: [Constraint]

    package var sql: String { ([head] + constraints.map(\.sql)).joined(separator: " ") }
  }

  package struct Constraint {
    package enum Kind: String {
      case primaryKey = "primary"
      case notNull = "not"
      case null
      case unique, check, collate, references
      case defaultValue = "default"
      case generated
      case foreignKey = "foreign"
    }

    package let kind: Kind
    package let sql: String
    /// The columns of a table's foreign key.
    package var columns: [String] = []

    package init(kind: Kind, sql: String, columns: [String] = []) {
      (self.kind, self.sql, self.columns) = (kind, sql, columns)
    }
  }

  package var columns: [Column] = []
  package var constraints: [Constraint] = []
  /// The options WITHOUT ROWID and STRICT, in the tokens' normal form.
  package private(set) var options: [String] = []
  private let optionsSource: String

  /// - Returns: Nil for other statements, such as that of a virtual table.
  package init?(_ sql: String) {
    let tokens = SQLTokens(sql)
    guard tokens.isWord("create", at: 0),
      let start = tokens.tokens.indices.first(where: { tokens.isWord("table", at: $0) }),
      let opening = tokens.tokens.indices.first(where: { tokens.isSymbol("(", at: $0) }), start < opening,
      !tokens.isWord("virtual", at: start - 1), let closing = tokens.closingParenthesis(of: opening)
    else { return nil }
    let end = closing + 1..<tokens.tokens.count
    optionsSource = tokens.source(end)
    options = tokens.split(end).map(tokens.normalized)
    for part in tokens.split(opening + 1..<closing) {
      let leadingConstraints = Self.constraints(tokens, part, ofTable: true)
      if leadingConstraints.first?.lowerBound == part.lowerBound {
        constraints += leadingConstraints.compactMap { Self.constraint(tokens, $0) }
      } else {
        let ranges = Self.constraints(tokens, part, ofTable: false)
        let head = part.lowerBound..<(ranges.first?.lowerBound ?? part.upperBound)
        columns.append(
          Column(
            name: tokens.tokens[part.lowerBound].name, head: tokens.source(head),
            constraints: ranges.compactMap { Self.constraint(tokens, $0) }))
      }
    }
  }

  package var isStrict: Bool { options.contains("strict") }
  package var isWithoutRowID: Bool { options.contains("without rowid") }

  package func sql(named name: String) -> String {
    let body = (columns.map(\.sql) + constraints.map(\.sql)).joined(separator: ",\n  ")
    return "CREATE TABLE \(name.quotedIdentifier) (\n  \(body)\n)" + (optionsSource.isEmpty ? "" : " \(optionsSource)")
  }

  /// Returns the ranges of constraints, each with its name if it has one.
  private static func constraints(_ tokens: SQLTokens, _ part: Range<Int>, ofTable: Bool) -> [Range<Int>] {
    let starters: Set<String> =
      ofTable
      ? ["constraint", "primary", "unique", "check", "foreign"]
      : [
        "constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references", "generated",
        "as",
      ]
    var starts: [Int] = []
    tokens.forEachOutside(part) { position in
      let token = tokens.tokens[position]
      guard token.kind == .word, starters.contains(token.text) else { return }
      // The first token is the column's name. It can be a keyword only in quotes.
      if !ofTable && position == part.lowerBound { return }
      switch token.text {
      case "not" where !tokens.isWord("null", at: position + 1): return
      case "null" where ["not", "set", "default"].contains { tokens.isWord($0, at: position - 1) }: return
      case "default" where tokens.isWord("set", at: position - 1): return
      case "as" where tokens.isWord("always", at: position - 1): return
      default: break
      }
      if position - 2 >= part.lowerBound, tokens.isWord("constraint", at: position - 2) { return }
      starts.append(position)
    }
    return zip(starts, starts.dropFirst() + [part.upperBound]).map { $0..<$1 }
  }

  private static func constraint(_ tokens: SQLTokens, _ range: Range<Int>) -> Constraint? {
    let keyword = tokens.isWord("constraint", at: range.lowerBound) ? range.lowerBound + 2 : range.lowerBound
    guard range.contains(keyword) else { return nil }
    let word = tokens.tokens[keyword].text
    guard let kind = word == "as" ? .generated : Constraint.Kind(rawValue: word) else { return nil }
    var constraint = Constraint(kind: kind, sql: tokens.source(range))
    if kind == .foreignKey, let opening = range.first(where: { tokens.isSymbol("(", at: $0) }),
      let closing = tokens.closingParenthesis(of: opening)
    {
      constraint.columns = tokens.split(opening + 1..<closing).map { tokens.tokens[$0.lowerBound].name }
    }
    return constraint
  }
}

extension CreateTableSyntax.Column {
  /// Reads a column's definition; nil for text that is none.
  package init?(definition: String) {
    guard let column = CreateTableSyntax("CREATE TABLE t (\(definition))")?.columns.first else { return nil }
    self = column
  }
}
