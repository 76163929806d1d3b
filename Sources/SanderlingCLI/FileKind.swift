import Foundation

/// The kind of the file at a path.
enum FileKind: Hashable {
  case nothing, file, folder
  /// A pipe or a device, which SQLite can't use. Opening a pipe would wait for its other end.
  case other
  /// A folder of the path lacks the permission to be searched.
  case hidden

  init(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = errno == EACCES ? .hidden : .nothing
      return
    }
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
  }
}
