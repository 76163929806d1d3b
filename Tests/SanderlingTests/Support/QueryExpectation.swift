import Foundation
import Sanderling
import Testing

extension Store {
  /// Expects the SQL of a query and the rows that it returns.
  ///
  /// - Parameters:
  /// - sql: The statement, its lines joined by spaces, and its arguments after `--`.
  /// - rows: One line for each row, its values separated by ` | `.
  func expect<Root, Output>(
    _ query: Selection<Root, Output>, sql: String, rows: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let compiled = try query.sql.description
    let fetched = try await fetch(query).map(line).joined(separator: "\n")
    #expect(compiled == sql.onOneLine, sourceLocation: sourceLocation)
    #expect(fetched == rows, sourceLocation: sourceLocation)
  }

  /// Expects the rows of a query without comparing its SQL.
  func expect<Root, Output>(
    _ query: Selection<Root, Output>, rows: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let fetched = try await fetch(query).map(line)
    #expect(fetched == rows, "\(query)", sourceLocation: sourceLocation)
  }
}

/// Returns a row as text, with the parts of a tuple or a record separated by ` | `.
func line(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return mirror.children.first.map { line($0.value) } ?? "nil" }
  switch value {
  case let date as Date: return "@\(plain(date.timeIntervalSinceReferenceDate))"
  case let uuid as UUID: return "#\(uuid.uuid.15)"
  case is Double, is Decimal, is URL, is Data: return "\(value)"
  default: break
  }
  let isComposed = mirror.displayStyle == .tuple || mirror.displayStyle == .struct
  return isComposed && !mirror.children.isEmpty
    ? mirror.children.map { line($0.value) }.joined(separator: " | ") : "\(value)"
}

private func plain(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? "\(number)"
}

extension String {
  /// The lines, joined by spaces.
  var onOneLine: String {
    split(separator: "\n").joined(separator: " ")
  }
}
