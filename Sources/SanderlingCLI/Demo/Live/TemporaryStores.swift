import Foundation

/// A temporary folder for stores, which is removed with this object.
final class TemporaryStores: Sendable {
  private let folder: URL

  /// - Parameter purpose: A part of the folder's name.
  /// - Throws: The system's error if the folder can't be created.
  init(for purpose: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-\(purpose)-\(UUID().uuidString)")
    // Other users may lack access to the source of the rows, so they get none to the copy.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // If the removal fails, the system cleans up its temporary folder.
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String {
    folder.appending(path: name).path
  }
}
