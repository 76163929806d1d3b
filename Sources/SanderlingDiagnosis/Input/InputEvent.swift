/// A result of reading a file: an execution, or a part that was skipped.
enum InputEvent: Sendable {
  /// An execution. The number distinguishes the operations of a log.
  case statement(LoggedStatement, operationID: UInt64? = nil)
  case skipped(String, InputPlace)
}
