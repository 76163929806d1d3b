import Foundation

/// The files of the new database during a move.
struct MoveFiles {
  /// The final place.
  let path: String
  /// The file that the move writes.
  var partial: String { path + ".moving" }

  private static let endings = ["", "-journal", "-wal", "-shm"]

  /// Removes what an earlier run has left.
  func removePartial() throws {
    for ending in Self.endings { try remove(partial + ending) }
  }

  /// Gives the finished file its name, for good: also if the device loses power.
  func publish() throws {
    try Self.sync(partial)
    // SQLite would take the log of a former database for that of the new one.
    for ending in Self.endings.dropFirst() { try remove(path + ending) }
    guard rename(partial, path) == 0 else { throw failure("the new database can't be renamed") }
    try Self.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Takes the name back from a file that no connection has opened yet.
  func withdraw() throws {
    guard rename(path, partial) == 0 else { throw failure("the new database can't be renamed") }
  }

  private func remove(_ path: String) throws {
    if unlink(path) != 0, errno != ENOENT { throw failure("\(path) can't be removed") }
  }

  private func failure(_ text: String) -> StoreError {
    .cannotOpen(path: path, reason: "\(text): \(String(cString: strerror(errno))); check the permissions of the folder")
  }

  /// Writes a file or folder to the disk. No connection of SQLite may be open, since closing a file ends its locks.
  private static func sync(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    #if canImport(Darwin)
      // A folder, and some file systems, know only fsync.
      if fcntl(file, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(file) == 0 else {
      throw StoreError.cannotOpen(
        path: path, reason: "it can't be written to the disk: \(String(cString: strerror(errno)))")
    }
  }
}
