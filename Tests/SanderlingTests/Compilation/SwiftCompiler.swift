import Foundation

/// Type-checks snippets against the modules of this test run, as a client's compiler would.
struct SwiftCompiler {
  /// What the compiler says, one line for each error and warning, without places and source excerpts.
  struct Outcome {
    let messages: [String]

    var errors: [String] { messages.filter { $0.hasPrefix("error: ") }.map { String($0.dropFirst(7)) } }
    var warnings: [String] { messages.filter { $0.hasPrefix("warning: ") }.map { String($0.dropFirst(9)) } }
  }

  struct NoModules: Error {
    let looked: String
  }

  private let arguments: [String]

  /// - Throws: ``NoModules`` when the build folder of this run isn't where the package manager puts it.
  init() throws {
    // …/.build/x86_64-unknown-linux-gnu/debug/sanderlingPackageTests.xctest, a file on Linux and a bundle elsewhere.
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appending(path: "Modules").path) {
      folder.deleteLastPathComponent()
    }
    guard folder.path != "/" else { throw NoModules(looked: CommandLine.arguments[0]) }
    let scratch = folder.deletingLastPathComponent().deletingLastPathComponent()
    let moduleMap = scratch.appending(path: "checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap")
    arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", folder.appending(path: "Modules").path,
      "-load-plugin-executable", folder.appending(path: "SanderlingMacros-tool").path + "#SanderlingMacros",
      "-Xcc", "-fmodule-map-file=\(moduleMap.path)", "-no-color-diagnostics",
    ]
  }

  /// - Parameter limit: Expressions that take longer, in milliseconds, are warned of.
  func check(_ source: String, expressionLimit limit: Int? = nil) throws -> Outcome {
    let file = FileManager.default.temporaryDirectory.appending(path: "snippet-\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try check([file], expressionLimit: limit)
  }

  func check(_ files: [URL], expressionLimit limit: Int? = nil) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      arguments + (limit.map { ["-Xfrontend", "-warn-long-expression-type-checking=\($0)"] } ?? []) + files.map(\.path)
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let messages = output.split(separator: "\n").compactMap { line -> String? in
      // The lines of the form `file:line:column: error: …`; the excerpts below repeat them.
      guard let range = line.firstRange(of: #/:\d+:\d+: (error|warning): /#), line.first != " " else { return nil }
      let kind = line[range].split(separator: " ")[1]
      return "\(kind) \(line[range.upperBound...])"
    }
    // A compiler that fails without a message must not pass for one that accepts.
    return Outcome(
      messages: messages.isEmpty && process.terminationStatus != 0 ? ["error: \(output)"] : messages)
  }
}
