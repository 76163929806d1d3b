import Foundation

/// Type-checks snippets against the modules of this test run, as a client's compiler would.
struct SwiftCompiler {
  /// What the compiler says, one line for each error and warning, without places and source excerpts.
  struct Outcome {
    let messages: [String]

    var errors: [String] { messages.filter { $0.hasPrefix("error: ") }.map { String($0.dropFirst(7)) } }
    var warnings: [String] { messages.filter { $0.hasPrefix("warning: ") }.map { String($0.dropFirst(9)) } }
  }

  /// How many milliseconds one expression may take. On a machine of their own, those of apps take a tenth of a second at most; beside
  /// other tests twice that; those that the compiler has to search for, seconds.
  static let longestExpression = 400

  /// - Parameters:
  ///   - others: More files of the same module.
  ///   - warns: Whether it warns of expressions that take it longer than the ``longestExpression``.
  func check(_ source: String, beside others: [URL] = [], warnsOfLongExpressions warns: Bool = false) throws -> Outcome
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "snippet-\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try check([file] + others, warnsOfLongExpressions: warns)
  }

  func check(_ files: [URL], warnsOfLongExpressions warns: Bool = false) throws -> Outcome {
    let (output, status) = try BuildFolder.compile(
      files,
      flags: ["-no-color-diagnostics"]
        + (warns ? ["-Xfrontend", "-warn-long-expression-type-checking=\(Self.longestExpression)"] : []))
    let messages = output.split(separator: "\n").compactMap { line -> String? in
      // The lines of the form `file:line:column: error: …`; the excerpts below repeat them.
      guard let range = line.firstRange(of: #/:\d+:\d+: (error|warning): /#), line.first != " " else { return nil }
      let kind = line[range].split(separator: " ")[1]
      return "\(kind) \(line[range.upperBound...])"
    }
    // A compiler that fails without a message must not pass for one that accepts.
    return Outcome(
      messages: messages.isEmpty && status != 0 ? ["error: \(output)"] : messages)
  }
}
