import Foundation

/// A file that has all of its bytes or doesn't exist.
///
/// The bytes are written to a file beside it, which takes the place of the file once all of them are on the disk. A process that is killed
/// meanwhile leaves a file that ends with `.unfinished`.
enum OutputFile {
  enum Placement {
    /// The file replaces another one, whose permissions it keeps.
    case replacing
    /// A file that exists stays, which is an error.
    case new
    /// The file is a device or a pipe, which can only be written to.
    case device
  }

  /// Writes a whole file.
  ///
  /// - Parameter path: Without symbolic links, which would be replaced.
  /// - Throws: ``OutputError``.
  static func write(_ data: Data, to path: String, _ placement: Placement) throws {
    if placement == .device { return try write(data, to: path, flags: O_WRONLY, mode: 0, place: path) }
    let folder = URL(filePath: path).deletingLastPathComponent()
    let unfinished = folder.appending(path: ".sanderling-\(UUID().uuidString).unfinished").path
    var status = stat()
    let mode = placement == .replacing && stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    do {
      try write(data, to: unfinished, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode ?? 0o666, place: path)
      if let mode { chmod(unfinished, mode) }
      guard place(unfinished, at: path, placement) else { throw OutputError(place: path, code: errno) }
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
      // Some file systems tell only now that there is no space. Devices and pipes can't be synchronised.
      if fsync(descriptor) != 0, ![EINVAL, ENOTSUP, EROFS].contains(errno) {
        throw OutputError(place: place, code: errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    if close(descriptor) != 0, errno != EINTR { throw OutputError(place: place, code: errno) }
  }

  /// - Returns: False when the system refuses; `errno` says why.
  private static func place(_ unfinished: String, at path: String, _ placement: Placement) -> Bool {
    if placement == .replacing { return rename(unfinished, path) == 0 }
    // A link fails where a file has come meanwhile, which renaming would replace.
    if link(unfinished, path) == 0 {
      unlink(unfinished)
      return true
    }
    // The file system has no links.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno), access(path, F_OK) != 0 else { return false }
    return rename(unfinished, path) == 0
  }
}
