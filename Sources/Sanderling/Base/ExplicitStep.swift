/// A migration that only the app's author can decide on, ready to be registered with GRDB's `DatabaseMigrator`.
public struct ExplicitStep: Hashable, Sendable {
  /// The introduction to the step's code, with the case in which the step is right.
  public let purpose: String
  /// The name to register the migration by.
  public let name: String
  /// The SQL of the step. The statements are literal, so that later versions of the records don't change them.
  public let statements: [String]
  let kind: Kind
  /// The step runs only under this condition. A file of an app version that never had the table or column gets the new
  /// one when a store is opened.
  private let condition: Condition

  enum Kind: Hashable, Sendable {
    case rename
    /// Creates a whole table again, which settles all of its differences.
    case recreation
    case other
  }

  enum Condition: Hashable, Sendable {
    case table(String)
    case column(String, of: String)
    case noTable(String)
  }

  init(
    _ purpose: String, name: String, kind: Kind = .other, onlyWith condition: Condition, statements: [String]
  ) {
    self.kind = kind
    self.purpose = purpose
    self.name = name
    self.condition = condition
    self.statements = statements
  }
}

extension ExplicitStep: CustomStringConvertible {
  /// The step as Swift code.
  public var description: String {
    let condition =
      switch condition {
      case .table(let table): "try db.tableExists(\(table.swiftLiteral))"
      case .noTable(let table): "try !db.tableExists(\(table.swiftLiteral))"
      case .column(let column, let table):
        "try db.tableExists(\(table.swiftLiteral)) "
          + "&& db.columns(in: \(table.swiftLiteral)).contains(where: { $0.name == \(column.swiftLiteral) })"
      }
    let sql =
      if statements.count == 1, let statement = statements.first, !statement.contains("\n") {
        statement.swiftLiteral
      } else {
        statements.map { $0 + ";" }.joined(separator: "\n").swiftTextLiteral
      }
    return """
      migrator.registerMigration(\(name.swiftLiteral)) { db in
        if \(condition) {
          try db.execute(sql: \(sql.indented(by: 4)))
        }
      }
      """
  }
}

extension String {
  /// The text on one line as a literal of Swift.
  fileprivate var swiftLiteral: String {
    let needsRaw = contains("\"") || contains("\\")
    let mark = needsRaw ? rawMark : ""
    return "\(mark)\"\(self)\"\(mark)"
  }

  /// The lines as a literal of Swift.
  fileprivate var swiftTextLiteral: String {
    let mark = contains("\\") || contains("\"\"\"") ? rawMark : ""
    return "\(mark)\"\"\"\n" + "  " + indented(by: 2) + "\n  \"\"\"\(mark)"
  }

  /// The number signs of a raw literal: enough that the text doesn't end the literal.
  private var rawMark: String {
    var mark = "#"
    while contains("\"\(mark)") || contains("\\\(mark)") { mark += "#" }
    return mark
  }

  /// The text with all lines but the first indented.
  fileprivate func indented(by count: Int) -> String {
    replacing("\n", with: "\n" + String(repeating: " ", count: count))
  }
}
