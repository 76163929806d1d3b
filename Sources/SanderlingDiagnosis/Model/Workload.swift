import SanderlingSQL

/// The statements to diagnose, one for each fingerprint, in the order in which they first appeared.
public struct Workload: Sendable {
  /// The statements, in the order of their first appearance.
  public var statements: [WorkloadStatement]
  /// The input that could not be read, with the reasons.
  public var skipped: [SkippedInput]

  public init(statements: [WorkloadStatement] = [], skipped: [SkippedInput] = []) {
    self.statements = statements
    self.skipped = skipped
  }
}

/// All executions of one statement, whose SQL may differ in literals and in the lengths of IN lists.
public struct WorkloadStatement: Identifiable, Sendable {
  /// The statement's number from 1, in order of appearance. The report calls it `S1`, `S2`…
  public var id: Int
  /// The SQL with `?` for each literal and parameter, `(?…)` for lists of them, keywords in capitals and single spaces.
  ///
  /// A reader doesn't know the schema, so its fingerprint treats text in double quotes as a name. A report's
  /// fingerprint shows only names of the schema.
  public var fingerprint: String
  /// The SQL of one execution: the slowest one, if times are known.
  public var sql: String
  /// The number of its executions.
  public var count: Int
  /// The sum of the known times; nil if no log has times.
  public var totalTime: Duration?
  /// The sum of the known row counts.
  public var totalRows: Int?
  /// The number of executions by each operation.
  public var operations: [String: Int]
  /// The greatest number of executions within one execution of an operation, which shows N+1.
  public var mostPerOperation: Int
  /// The number of executions by each place in the app's code, if a log names the places.
  public var callers: [String: Int]
  /// At most eight sets of bound values, including the slowest and the first.
  public var bindings: [[Int: BoundValue]]
  /// The places of its executions in the input.
  public var places: [InputPlace]
  /// The literals, as written, that the SQL texts of all executions have in common; nil if only one text is known.
  public var sharedLiterals: Set<String>?
  /// Whether a log or a trace recorded the executions, so that `count` is the number of executions by the app. An
  /// argument or an SQL file only shows that the user asks about the statement.
  public var isLogged: Bool

  public init(
    id: Int, fingerprint: String, sql: String, count: Int = 1, totalTime: Duration? = nil, totalRows: Int? = nil,
    operations: [String: Int] = [:], mostPerOperation: Int = 0, callers: [String: Int] = [:],
    bindings: [[Int: BoundValue]] = [], places: [InputPlace] = [],
    sharedLiterals: Set<String>? = nil, isLogged: Bool = false
  ) {
    self.id = id
    self.fingerprint = fingerprint
    self.sql = sql
    self.count = count
    self.totalTime = totalTime
    self.totalRows = totalRows
    self.operations = operations
    self.mostPerOperation = mostPerOperation
    self.callers = callers
    self.bindings = bindings
    self.places = places
    self.sharedLiterals = sharedLiterals
    self.isLogged = isLogged
  }
}

extension WorkloadStatement {
  /// Whether the statement changes rows. Its first word, or the first word after its WITH clause, decides, because the
  /// parser may not know the rest.
  var isWrite: Bool {
    let writes: Set<String> = ["INSERT", "REPLACE", "UPDATE", "DELETE"]
    let text = SQLText(sql)
    var depth = 0
    var isFirst = true
    for token in SQLTokenizer(text) where !token.isTrivia {
      let piece = text[token.range]
      if piece == "(" { depth += 1 }
      if piece == ")" { depth -= 1 }
      guard token.kind == .word, depth == 0 else { continue }
      let word = piece.asciiUppercased
      if writes.contains(word) { return true }
      if isFirst ? word != "WITH" : word == "SELECT" || word == "VALUES" { return false }
      isFirst = false
    }
    return false
  }
}

/// A part of the input that was left out.
public struct SkippedInput: Sendable {
  /// The place of the part; nil for the input as a whole.
  public var place: InputPlace?
  /// The error in the input, and the way to correct it.
  public var reason: String

  public init(place: InputPlace?, reason: String) {
    self.place = place
    self.reason = reason
  }
}
