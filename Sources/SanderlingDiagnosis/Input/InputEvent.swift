/// What a reader of files found.
enum InputEvent: Sendable {
  /// An execution; the number tells the operations of a log apart.
  case statement(LoggedStatement, operationID: UInt64? = nil)
  case skipped(String, InputPlace)
}
