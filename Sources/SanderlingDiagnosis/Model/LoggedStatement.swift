/// One execution of a statement, from a log or an argument.
public struct LoggedStatement: Sendable {
  /// The SQL, with or without its values.
  public var sql: String
  /// The values that the log names, by parameter number from 1. Parameters that it does not name are missing.
  public var bindings: [Int: BoundValue]
  /// The time of the execution; nil where the log has none.
  public var duration: Duration?
  /// The rows that it returned or changed.
  public var rows: Int?
  /// The app's operation that ran the statement, where the log names it.
  public var operation: String?
  /// The code that ran it, where the log says so.
  public var caller: String?
  /// The place of the execution in the input.
  public var place: InputPlace
  /// Whether a log recorded the execution.
  public var isLogged: Bool

  public init(
    sql: String, bindings: [Int: BoundValue] = [:], duration: Duration? = nil, rows: Int? = nil,
    operation: String? = nil, caller: String? = nil, place: InputPlace, isLogged: Bool = false
  ) {
    self.sql = sql
    self.bindings = bindings
    self.duration = duration
    self.rows = rows
    self.operation = operation
    self.caller = caller
    self.place = place
    self.isLogged = isLogged
  }
}
