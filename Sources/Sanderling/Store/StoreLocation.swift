import Foundation

/// The place of a store's database.
///
/// ```swift
/// let store = try await Store.open(.applicationSupport("Garden"), schema: schema)
/// ```
public struct StoreLocation: Hashable, Sendable {
  private enum Place: Hashable, Sendable {
    case path(String)
    case applicationSupport(folder: String, file: String, isBackedUp: Bool)
    case memory
  }

  private let place: Place

  /// A file in an existing folder.
  public static func path(_ path: String) -> StoreLocation {
    StoreLocation(place: .path(path))
  }

  /// A file in the user's directory for the data of apps: `Library/Application Support` on Apple platforms,
  /// `~/.local/share` on Linux. tvOS has no such directory. There, the directory for caches is used, which the system
  /// may empty while the app doesn't run.
  ///
  /// The folder is created if it doesn't exist. The app decides how the file is protected while the device is locked,
  /// best for the whole folder.
  ///
  /// - Parameters:
  ///   - folder: The folder's name, or names separated by slashes: usually the app's name.
  ///   - file: The file's name.
  ///   - isBackedUp: Whether the system's backups include the folder, on Apple platforms. False suits an app that can
  ///     load all data again.
  public static func applicationSupport(
    _ folder: String, file: String = "store.sqlite", isBackedUp: Bool = true
  ) -> StoreLocation {
    StoreLocation(place: .applicationSupport(folder: folder, file: file, isBackedUp: isBackedUp))
  }

  /// A database in memory, which is deleted with the store.
  public static let memory = StoreLocation(place: .memory)

  /// Creates the folder if it doesn't exist, and returns the path of the file; `:memory:` for a database in memory.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)``.
  public func prepare() throws -> String {
    switch place {
    case .path(let path): return path
    case .memory: return ":memory:"
    case .applicationSupport(let folder, let file, let isBackedUp):
      do {
        return try Self.prepare(folder, file, isBackedUp, in: Self.directory())
      } catch let error as CocoaError {
        throw StoreError.cannotOpen(
          path: "\(folder)/\(file)",
          reason: "its folder can't be made (\(error.localizedDescription)); choose another with .path(_:)")
      }
    }
  }

  static func prepare(_ folder: String, _ file: String, _ isBackedUp: Bool, in directory: URL) throws -> String {
    let names = folder.split(separator: "/")
    guard !names.isEmpty, !names.contains(".."), !file.isEmpty, !file.contains("/") else {
      throw StoreError.cannotOpen(
        path: "\(folder)/\(file)", reason: "name a folder, without \"..\", and a file in it, without \"/\"")
    }
    var url = names.reduce(directory) { $0.appending(path: $1, directoryHint: .isDirectory) }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #if canImport(Darwin)
      // The folder is excluded, so that the files beside the database are excluded too.
      var values = URLResourceValues()
      values.isExcludedFromBackup = !isBackedUp
      try url.setResourceValues(values)
    #endif
    url.append(path: file, directoryHint: .notDirectory)
    return url.path(percentEncoded: false)
  }

  private static func directory() throws -> URL {
    #if os(tvOS)
      let directory = FileManager.SearchPathDirectory.cachesDirectory
    #else
      let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
    #endif
    return try FileManager.default.url(for: directory, in: .userDomainMask, appropriateFor: nil, create: true)
  }
}
