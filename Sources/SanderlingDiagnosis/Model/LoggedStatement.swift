/// One execution of a statement, from a log or an argument.
public struct LoggedStatement: Sendable {
  /// The SQL, with or without its values.
  public var sql: String
  /// The bound values of the log, by parameter number from 1. Parameters without a logged value are missing.
  public var bindings: [Int: BoundValue]
  /// The time of the execution; nil if the log has none.
  public var duration: Duration?
  /// The number of returned or changed rows.
  public var rows: Int?
  /// The app's operation that ran the statement, if the log names it.
  public var operation: String?
  /// The code that ran the statement, if the log names it.
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
