import Foundation

/// The servers that `Scripts/servers` keeps in a folder.
package struct ServerScript: Sendable {
  private let folder: String

  private static let path = URL(filePath: #filePath).appending(path: "../../../../../Scripts/servers")
    .standardizedFileURL

  package init(folder: String) { self.folder = folder }

  func isRunning(_ kind: RealServer.Kind) -> Bool {
    let file = URL(filePath: folder).appending(path: "\(kind.rawValue).pid")
    let text = try? String(contentsOf: file, encoding: .utf8)
    return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.map { kill($0, 0) == 0 } ?? false
  }

  /// Starts a server if it isn't running. This takes seconds, and a minute the first time.
  ///
  /// - Returns: The variables with its address.
  func start(_ kind: RealServer.Kind) throws -> [String: String] {
    var variables: [String: String] = [:]
    for line in try run("start", folder, kind.rawValue).split(separator: "\n") where line.hasPrefix("export ") {
      let parts = line.dropFirst(7).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    }
    return variables
  }

  func restart(_ kind: RealServer.Kind) throws { _ = try run("restart", folder, kind.rawValue) }

  /// Stops all servers.
  func stop() throws { _ = try run("stop", folder) }

  /// Stops all servers and removes their data.
  func remove() throws { _ = try run("remove", folder) }

  private func run(_ arguments: String...) throws -> String {
    // A file rather than a pipe, because a started server could keep a pipe's end open.
    let file = FileManager.default.temporaryDirectory.appending(path: "servers-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = Self.path
    process.arguments = arguments
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      throw SyncFuzzFailure(
        "Scripts/servers \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
    }
    return try String(contentsOf: file, encoding: .utf8)
  }
}

/// Runs blocking work on a thread of its own, so that it blocks no task.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}
