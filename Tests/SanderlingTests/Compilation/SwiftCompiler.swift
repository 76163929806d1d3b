import Foundation

/// Type-checks snippets against the modules of this test run, as a client's compiler would.
struct SwiftCompiler {
  /// The errors and warnings, one line each, without source excerpts.
  struct Outcome {
    let messages: [String]
    /// The line of each message in its source. Empty if the compiler failed without a message.
    let lines: [Int]

    var errors: [String] { messages.filter { $0.hasPrefix("error: ") }.map { String($0.dropFirst(7)) } }
    var warnings: [String] { messages.filter { $0.hasPrefix("warning: ") }.map { String($0.dropFirst(9)) } }
  }

  /// Checks a source together with other files of the same module.
  ///
  /// - Parameter limit: The work that an expression may take. The default is the compiler's own limit.
  func check(_ source: String, beside others: [URL] = [], limit: SolverLimit? = nil) throws -> Outcome {
    let file = FileManager.default.temporaryDirectory.appending(path: "snippet-\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try check([file] + others, limit: limit)
  }

  func check(_ files: [URL], limit: SolverLimit? = nil, flags: [String] = []) throws -> Outcome {
    let (output, status) = try BuildFolder.compile(
      files, flags: ["-no-color-diagnostics"] + (limit?.flags ?? []) + flags)
    let found = output.split(separator: "\n").compactMap { text -> (line: Int, message: String)? in
      // Messages have the form `file:line:column: error: …`. The indented excerpts below them repeat them.
      guard let match = text.firstMatch(of: #/:(\d+):\d+: (error|warning): /#), text.first != " ",
        let line = Int(match.1)
      else { return nil }
      return (line, "\(match.2): \(text[match.range.upperBound...])")
    }
    // A compiler that fails without a message must not look like success.
    return Outcome(
      messages: found.isEmpty && status != 0 ? ["error: \(output)"] : found.map(\.message), lines: found.map(\.line))
  }
}
