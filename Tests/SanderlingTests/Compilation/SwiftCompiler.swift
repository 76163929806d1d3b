import Foundation

/// Type-checks snippets against the modules of this test run, as a client's compiler would.
struct SwiftCompiler {
  /// The errors and warnings, one line each, without their places and source excerpts.
  struct Outcome {
    let messages: [String]

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
    let messages = output.split(separator: "\n").compactMap { line -> String? in
      // Messages have the form `file:line:column: error: …`. The indented excerpts below them repeat them.
      guard let range = line.firstRange(of: #/:\d+:\d+: (error|warning): /#), line.first != " " else { return nil }
      let kind = line[range].split(separator: " ")[1]
      return "\(kind) \(line[range.upperBound...])"
    }
    // A compiler that fails without a message must not look like success.
    return Outcome(
      messages: messages.isEmpty && status != 0 ? ["error: \(output)"] : messages)
  }
}
