import GRDBSQLite
/// placeholder
final class StatementRecorder {
  var recordsOwnStatements: Bool { true }
  func begin(_ s: OpaquePointer) -> UInt64 { 0 }
  func end(_ s: OpaquePointer, started: UInt64, rows: Int) {}
}
