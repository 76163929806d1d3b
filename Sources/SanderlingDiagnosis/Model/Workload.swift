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

/// All executions of one statement: those whose SQL differs in literals and the lengths of IN lists only.
public struct WorkloadStatement: Identifiable, Sendable {
  /// From 1, in order of appearance; the report calls it `S1`, `S2`…
  public var id: Int
  /// The SQL with `?` for each literal and parameter, `(?…)` for lists of them, keywords in capitals and single spaces.
  ///
  /// A reader doesn't know the schema: its fingerprint takes text in double quotes for a name. A report's fingerprint shows only
  /// names that the schema has.
  public var fingerprint: String
  /// The SQL of one execution, the slowest where times are known.
  public var sql: String
  /// The number of its executions.
  public var count: Int
  /// The sum of the known times; nil if no log has one.
  public var totalTime: Duration?
  /// Known rows added up.
  public var totalRows: Int?
  /// How often each operation ran it.
  public var operations: [String: Int]
  /// The most times that it ran within one execution of an operation: N+1 shows here.
  public var mostPerOperation: Int
  /// How often each place in the app's code ran it, where a log names the places.
  public var callers: [String: Int]
  /// Values that were bound, at most eight sets of them, the slowest and the first among them.
  public var bindings: [[Int: BoundValue]]
  /// The places of its executions in the input.
  public var places: [InputPlace]
  /// The literals that all executions had, as they are written in `sql`; nil where only one SQL is known.
  public var sharedLiterals: Set<String>?
  /// Whether a log or a trace recorded the executions, so that `count` is the number of its executions by the app. An argument or an SQL
  /// file shows only that the user asks about the statement.
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
  /// Whether it changes rows, by its first word or the first word after its WITH clause; the parser may not know the
  /// rest.
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
