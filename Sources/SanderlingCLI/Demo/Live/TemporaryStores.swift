import Foundation

/// A folder for stores that are removed again.
final class TemporaryStores: Sendable {
  private let folder: URL

  /// - Parameter purpose: A part of the folder's name.
  /// - Throws: What the system says when the folder can't be made.
  init(for purpose: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-\(purpose)-\(UUID().uuidString)")
    // What others may not read in the repository, they may not read here.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // Left to the system's own cleaning where that fails.
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String {
    folder.appending(path: name).path
  }
}
