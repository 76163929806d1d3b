import Foundation

/// A folder that is deleted with its contents when the test ends.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "sanderling-cli-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // Git prints paths without symbolic links, and Foundation removes "/private".
    let resolved = realpath(url.path, nil)
    defer { free(resolved) }
    path = resolved.map { String(cString: $0) } ?? url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String {
    "\(path)/\(name)"
  }
}
