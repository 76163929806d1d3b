/// An event that a reader of files found.
enum InputEvent: Sendable {
  /// An execution. The number distinguishes the operations of a log.
  case statement(LoggedStatement, operationID: UInt64? = nil)
  case skipped(String, InputPlace)
}
