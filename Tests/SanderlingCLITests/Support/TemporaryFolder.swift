import Foundation

/// A folder that is removed with everything in it when the test ends.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "sanderling-cli-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // git prints paths without links in them, and Foundation takes "/private" off.
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
