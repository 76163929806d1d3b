import Foundation
import SanderlingSQL

/// The statements of a profile as a JSON-lines trace with one line for each execution.
struct ProfileTrace {
  private struct Line: Encodable {
    var operation: String?
    var operationID: UInt64
    var sql: String
    var expandedSQL: String?
    var rows: Int?
    var nanoseconds: Int64?
  }

  /// The greatest number of written executions. A more frequent statement keeps its total time.
  private static let mostExecutions = 1000

  private let statements: [ProfiledStatement]

  init(_ statements: [ProfiledStatement]) {
    self.statements = statements
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var operation: UInt64 = 0
    var lines: [String] = []
    for statement in statements {
      let count = min(max(1, statement.count), Self.mostExecutions)
      let name = statement.operations.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      let together = max(1, min(count, statement.mostPerOperation))
      let expanded = statement.bindings.map { Self.expanded(statement.sql, $0) }
      for execution in 0..<count {
        // The first executions belong to one operation, which has the greatest number of executions.
        if execution == 0 || execution >= together { operation += 1 }
        let line = Line(
          operation: name, operationID: operation, sql: statement.sql,
          expandedSQL: expanded.isEmpty ? nil : expanded[execution % expanded.count],
          rows: statement.rows.map { $0 / count },
          nanoseconds: statement.milliseconds.flatMap { Int64(exactly: ($0 * 1_000_000 / Double(count)).rounded()) })
        if let data = try? encoder.encode(line) { lines.append(String(decoding: data, as: UTF8.self)) }
      }
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// Returns the statement with values in place of its parameters.
  private static func expanded(_ sql: String, _ bindings: [Int: String]) -> String {
    let text = SQLText(sql)
    var rewriter = SQLRewriter(text)
    var numbers = ParameterNumbers()
    for token in SQLTokenizer(text) where token.kind == .parameter {
      guard let number = numbers.number(of: text[token.range]) else { continue }
      rewriter.replace(token.range, with: bindings[number] ?? "NULL")
    }
    return rewriter.rewritten()
  }
}
