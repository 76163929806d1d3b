import Foundation

/// A line of Sanderling's JSON-lines trace.
struct TraceLine: Decodable {
  var operation: String?
  var operationID: UInt64?
  var sql: String
  var expandedSQL: String?
  var rows: Int?
  var nanoseconds: Int64?

  /// Decodes a line; nil if it is no line of the trace.
  init?(_ line: String) {
    guard line.hasPrefix("{"), line.contains("\"sql\"") else { return nil }
    guard let decoded = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
    self = decoded
  }

  func execution(at place: InputPlace) -> LoggedStatement {
    LoggedStatement(
      sql: sql, bindings: expandedSQL.map { ExpandedSQL.bindings(of: sql, expandedTo: $0) } ?? [:],
      duration: nanoseconds.map { .nanoseconds(max(0, $0)) }, rows: rows.map { max(0, $0) }, operation: operation,
      place: place, isLogged: true)
  }
}
