import Foundation
import TestPrograms

/// The proposals of the `sqlite3` shell's `.expert` mode, for comparison.
enum ExpertAdvice {
  static let shell = Program.first(of: ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"])

  /// The advice for each statement of a schema alone. Statements that the shell can't prepare have none.
  static func advice(for schema: CorpusSchema) async throws -> [String: CorpusAdvice] {
    guard let shell else { return [:] }
    let path = try await CorpusFolder.shared.copy(of: schema)
    let input = URL(fileURLWithPath: path + ".expert")
    defer {
      try? FileManager.default.removeItem(atPath: path)
      try? FileManager.default.removeItem(at: input)
    }
    let script = schema.statements.map { ".print \(marker)\($0.id)\n.expert\n\($0.sql);\n" }.joined()
    try Data(script.utf8).write(to: input)
    return parse(
      try Program.run(shell, ["-readonly", "-batch", path], input: FileHandle(forReadingFrom: input)).output)
  }

  private static let marker = "@statement "

  private static func parse(_ output: String) -> [String: CorpusAdvice] {
    var advice: [String: CorpusAdvice] = [:]
    var statement: String?
    for line in output.split(separator: "\n") {
      if line.hasPrefix(marker) {
        statement = String(line.dropFirst(marker.count))
      } else if let statement, line.hasPrefix("CREATE INDEX ") {
        advice[statement, default: CorpusAdvice()].changes.append(String(line))
      }
    }
    return advice
  }
}
