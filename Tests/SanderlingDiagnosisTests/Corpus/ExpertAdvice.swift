import Foundation

/// What the `.expert` mode of the `sqlite3` shell proposes, to compare with.
enum ExpertAdvice {
  static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The advice for each statement of a schema, one by one. Statements that the shell can't prepare have none.
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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = ["-readonly", "-batch", path]
    let output = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return parse(text)
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
