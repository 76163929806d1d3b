import SanderlingSQL

/// Distinguishes literals that belong to a statement from literals of a single execution.
///
/// A partial index with the rows of one literal serves no other value. `state = 'open'` may be a constant of a screen,
/// or the choice of one user. It counts as a constant only if a workload shows it repeatedly, and never another value.
struct LiteralEvidence: Sendable {
  /// The values with which a workload compares a column.
  private struct Uses {
    var literals: Set<String> = []
    var hasParameter = false
  }

  private var uses: [String: Uses] = [:]
  private let statements: [Int: WorkloadStatement]

  /// The least number of executions that must show a literal.
  static let leastExecutions = 2

  init(_ statements: [AnalyzedStatement] = []) {
    self.statements = Dictionary(statements.map { ($0.statement.id, $0.statement) }) { first, _ in first }
    for shape in statements.compactMap(\.shape) {
      for source in shape.selectsWithViews.flatMap(\.sources) {
        for term in source.terms + source.alternatives.flatMap({ $0.branches.flatMap(\.self) }) {
          guard let table = source.table, term.columns.count == 1, let column = term.columns.first else { continue }
          switch term.kind {
          case .equality, .membership, .other: add(term, to: Self.key(table, column))
          case .range, .isNull, .isNotNull, .pattern, .truth: continue
          }
        }
      }
    }
  }

  private mutating func add(_ term: TermShape, to key: String) {
    if !term.parameters.isEmpty { uses[key, default: Uses()].hasParameter = true }
    let words = (term.indexCondition.map(Self.literals) ?? []).joined(separator: ", ")
    if !words.isEmpty { uses[key, default: Uses()].literals.insert(words) }
  }

  private static func key(_ table: String, _ column: String) -> String { "\(table).\(column)".asciiLowercased }

  /// Whether the literals of a condition or expression belong to a statement, according to the whole workload's use of
  /// the columns.
  func isOwn(_ sql: String, of statement: Int?, table: String, columns: [String]) -> Bool {
    let literals = Self.literals(in: sql)
    if literals.isEmpty { return true }
    guard let statement = statement.flatMap({ statements[$0] }), statement.count >= Self.leastExecutions else {
      return false
    }
    if let shared = statement.sharedLiterals, !shared.isSuperset(of: literals) { return false }
    return columns.allSatisfy { hasOneValue($0, of: table) }
  }

  /// Whether the literal that a column is compared with is probably a constant of the app's code: the values that vary
  /// are parameters of the same statement. One execution suffices, but is no certain proof.
  func isOfCode(_ column: String, of table: String, in statement: Int?) -> Bool {
    hasOneValue(column, of: table) && hasParameters(statement)
  }

  /// Whether a statement has parameters for the values that vary.
  func hasParameters(_ statement: Int?) -> Bool {
    guard let sql = statement.flatMap({ statements[$0] })?.sql else { return false }
    return SQLTokenizer(SQLText(sql)).contains { $0.kind == .parameter }
  }

  /// Whether the workload compares a column with at most one literal, and no parameter.
  func hasOneValue(_ column: String, of table: String) -> Bool {
    guard let uses = uses[Self.key(table, column)] else { return true }
    return !uses.hasParameter && uses.literals.count <= 1
  }

  /// Whether the workload shows other literals in place of these.
  func isOfSomeExecutions(_ sql: String, of statement: Int?) -> Bool {
    guard let shared = statement.flatMap({ statements[$0] })?.sharedLiterals else { return false }
    return !shared.isSuperset(of: Self.literals(in: sql))
  }

  /// Whether a condition of one column tests bits: `flags & 32 <> 0`, `flags & 6 = 6`, `flags & 32`.
  ///
  /// Bits get their meaning from the app's code, and no user enters them. O(length).
  static func testsBits(_ condition: String) -> Bool {
    let text = SQLText(condition)
    let tokens = SQLTokenizer(text).filter { token in
      !token.isTrivia && ![.symbol(.leftParenthesis), .symbol(.rightParenthesis)].contains(token.kind)
        && text[token.range].uppercased() != "NOT"
    }
    guard tokens.count == 3 || tokens.count == 5, tokens[1].kind == .symbol(.ampersand),
      let mask = [tokens[0], tokens[2]].first(where: { $0.kind == .integer })
    else { return false }
    if tokens.count == 3 { return true }
    let comparisons: [SQLSymbol] = [.equal, .doubleEqual, .notEqual, .lessOrGreater, .greater]
    return comparisons.contains { tokens[3].kind == .symbol($0) }
      && ["0", text[mask.range]].contains(text[tokens[4].range])
  }

  /// The numbers, texts and blobs of an expression, as they are written. O(length).
  static func literals(in sql: String) -> [String] {
    let text = SQLText(sql)
    return SQLTokenizer(text).compactMap { token in
      switch token.kind {
      case .string, .blob, .integer, .real: text[token.range]
      default: nil
      }
    }
  }

  /// Whether an expression compares with its literals or searches for them, and doesn't only calculate with them:
  /// `instr(body, 'word') > 0`, but not `json_extract(data, '$.title')` or `substr(pair, 1, instr(pair, '-') - 1)`.
  static func comparesLiterals(_ expression: String) -> Bool {
    let text = SQLText(expression)
    return !literals(in: expression).isEmpty
      && (searchesText(expression)
        || SQLTokenizer(text).contains { token in
          switch token.kind {
          case .symbol(.equal), .symbol(.doubleEqual), .symbol(.notEqual), .symbol(.lessOrGreater), .symbol(.less),
            .symbol(.lessOrEqual), .symbol(.greater), .symbol(.greaterOrEqual):
            true
          case .word: ["like", "glob", "in", "is", "between"].contains(text[token.range].asciiLowercased)
          default: false
          }
        })
  }

  /// Whether an expression searches for a text, and not for the place at which another text is cut.
  private static func searchesText(_ expression: String) -> Bool {
    func calls(of names: Set<String>, in expression: SQLExpression) -> [SQLExpression] {
      expression.withDescendants.filter {
        if case .call(let call) = $0.kind { names.contains(call.name.key) } else { false }
      }
    }
    guard let root = parsed(expression)?.root else { return false }
    let cuts = calls(of: ["substr", "substring"], in: root).map(\.range)
    return calls(of: ["instr"], in: root).contains { search in !cuts.contains { $0.contains(search.range.lowerBound) } }
  }

  /// Whether an expression calculates the distance of a value from a number: `abs(at - 1603000000)`, `(x - 5) * (x -
  /// 5)`. Such a number is probably a user's input. O(length).
  static func measuresDistance(_ expression: String) -> Bool {
    guard let (root, statement) = parsed(expression) else { return false }
    return root.withDescendants.contains { node in
      switch node.kind {
      case .call(let call):
        ["abs", "pow", "power"].contains(call.name.key)
          && call.arguments.first.map { isDifference($0, statement.text) } == true
      case .binary(.multiply, let one, let other):
        isDifference(one, statement.text) && statement.text[one.range] == statement.text[other.range]
      default: false
      }
    }
  }

  /// Whether an expression is the sum or difference of a value and a literal: `total - 5`, `julianday('2025-01-01') -
  /// julianday(at)`. The literal 0 doesn't count. O(length).
  static func isShifted(_ expression: String) -> Bool {
    parsed(expression).map { isDifference($0.root, $0.statement.text) } ?? false
  }

  private static func parsed(_ expression: String) -> (root: SQLExpression, statement: SQLStatement)? {
    guard let statement = try? SQLParser.parse("SELECT \(expression)"), case .select(let select) = statement.kind,
      case .expression(let root, _)? = select.cores.first?.columns.first?.kind
    else { return nil }
    return (root, statement)
  }

  private static func isDifference(_ node: SQLExpression, _ text: SQLText) -> Bool {
    guard case .binary(let operation, let one, let other) = node.unwrapped.kind,
      [.add, .subtract].contains(operation)
    else { return false }
    return [one, other].contains { side in
      side.readsNoRows && side.withDescendants.contains { $0.isLiteral && text[$0.unwrapped.range] != "0" }
    }
  }
}
