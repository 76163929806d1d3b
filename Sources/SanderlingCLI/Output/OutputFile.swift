import Foundation

/// A file that is written completely or not at all.
///
/// The bytes are written to a temporary file beside the file. It is moved to the file's path once all bytes are on the
/// disk. A killed process leaves a temporary file that ends with `.unfinished`.
enum OutputFile {
  enum Placement {
    /// The file replaces an existing file and keeps its permissions.
    case replacing
    /// An existing file stays, and is an error.
    case new
    /// The file is a device or a pipe, which can only be written to.
    case device
  }

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - path: A path without symbolic links, since links would be replaced.
  ///   - link: Makes a hard link, as the system's `link`. Not all file systems have links.
  /// - Throws: ``OutputError``.
  static func write(
    _ data: Data, to path: String, _ placement: Placement, link: (String, String) -> Int32 = { link($0, $1) }
  ) throws {
    if placement == .device { return try write(data, to: path, flags: O_WRONLY, mode: 0, place: path) }
    let folder = URL(filePath: path).deletingLastPathComponent()
    let unfinished = folder.appending(path: ".sanderling-\(UUID().uuidString).unfinished").path
    var status = stat()
    let mode = placement == .replacing && stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    do {
      try write(data, to: unfinished, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode ?? 0o666, place: path)
      if let mode { chmod(unfinished, mode) }
      guard place(unfinished, at: path, placement, link) else { throw OutputError(place: path, code: errno) }
    } catch {
      unlink(unfinished)
      throw error
    }
  }

  private static func write(_ data: Data, to path: String, flags: Int32, mode: mode_t, place: String) throws {
    let descriptor = open(path, flags | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw OutputError(place: place, code: errno) }
    do {
      try OutputWriter(descriptor, place: place).write(data)
      // Some file systems report missing space only here. Devices and pipes can't be synchronised.
      if fsync(descriptor) != 0, ![EINVAL, ENOTSUP, EROFS].contains(errno) {
        throw OutputError(place: place, code: errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    if close(descriptor) != 0, errno != EINTR { throw OutputError(place: place, code: errno) }
  }

  /// - Returns: False if the system refuses; `errno` has the reason.
  private static func place(
    _ unfinished: String, at path: String, _ placement: Placement, _ link: (String, String) -> Int32
  ) -> Bool {
    if placement == .replacing { return rename(unfinished, path) == 0 }
    // Linking fails if a file has appeared meanwhile, while renaming would replace it.
    if link(unfinished, path) == 0 {
      unlink(unfinished)
      return true
    }
    // The file system may have no links.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
    // An empty file of its own reserves the path. Like a link, its creation fails if another file has appeared.
    let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard reserved >= 0 else { return false }
    close(reserved)
    if rename(unfinished, path) == 0 { return true }
    let code = errno
    unlink(path)
    errno = code
    return false
  }
}
