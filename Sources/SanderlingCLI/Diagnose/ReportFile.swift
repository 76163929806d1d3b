import Foundation

/// A file for a report, which is checked before the work and written after it.
struct ReportFile {
  private let url: URL
  /// Whether the file is replaced in one step. Devices can only be written to.
  private let isReplaced: Bool
  private let option: String

  /// - Parameters:
  ///   - option: The command's option that names the file, for errors.
  ///   - inputs: Paths of files that must not be overwritten. SQLite's files beside a database are protected, too.
  /// - Throws: ``DiagnoseError`` if the file can't or must not be written.
  init(path: String, option: String, keeping inputs: [String]) throws {
    self.option = option
    let url = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath()
    let files = FileManager.default
    var isFolder: ObjCBool = false
    let exists = files.fileExists(atPath: url.path, isDirectory: &isFolder)
    if path.hasSuffix("/") || (exists && isFolder.boolValue) { throw DiagnoseError.isFolder(path, option: option) }
    let kept = inputs.flatMap { input in ["", "-wal", "-shm", "-journal"].map { input + $0 } }
    if kept.contains(where: { Self.isSame($0, url) }) { throw DiagnoseError.isInput(path, option: option) }
    let folder = url.deletingLastPathComponent()
    guard files.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw DiagnoseError.noFolder(path: path, folder: folder.path, option: option)
    }
    let type = (try? files.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
    let isReplaced = !exists || type == .typeRegular
    guard isReplaced ? files.isWritableFile(atPath: folder.path) : files.isWritableFile(atPath: url.path) else {
      throw DiagnoseError.notWritable(path, option: option)
    }
    if exists, isReplaced {
      guard files.isWritableFile(atPath: url.path) else { throw DiagnoseError.notWritable(path, option: option) }
      if Self.isDatabase(url) { throw DiagnoseError.isDatabase(path, option: option) }
    }
    self.url = url
    self.isReplaced = isReplaced
  }

  /// Writes the text. An existing file is replaced as a whole.
  func write(_ text: String) throws {
    try OutputFile.write(Data(text.utf8), to: url.path, isReplaced ? .replacing : .device)
  }

  /// Whether a path leads to a file, also through links and other spellings.
  private static func isSame(_ path: String, _ url: URL) -> Bool {
    let other = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath()
    if other.path.utf8.elementsEqual(url.path.utf8) { return true }
    guard let one = identity(url), let another = identity(other) else { return false }
    return one == another
  }

  private static func identity(_ url: URL) -> [Int]? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
      let volume = (attributes[.systemNumber] as? NSNumber)?.intValue,
      let file = (attributes[.systemFileNumber] as? NSNumber)?.intValue
    else { return nil }
    return [volume, file]
  }

  private static func isDatabase(_ url: URL) -> Bool {
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }
}
