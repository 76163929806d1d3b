import Foundation

/// A folder for stores that are removed again.
final class TemporaryStores: Sendable {
  private let folder: URL

  /// - Parameter purpose: A part of the folder's name.
  /// - Throws: The system's error if the folder can't be made.
  init(for purpose: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-\(purpose)-\(UUID().uuidString)")
    // Users without access to the repository must have none here.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // If the removal fails, the system cleans the folder up later.
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String {
    folder.appending(path: name).path
  }
}
