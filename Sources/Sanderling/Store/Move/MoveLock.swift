import Foundation

/// The right to run a move, which one process and task has at a time.
///
/// Lifetime: it is held until the object is released, or the process ends. The file is removed then, unless the process
/// was killed; a later move takes it over.
final class MoveLock {
  private let path: String
  private let descriptor: Int32

  /// - Throws: ``StoreMoveError/underWay(path:)``; ``StoreError/cannotOpen(path:reason:)``.
  init(for database: String) throws {
    path = database + ".moving-lock"
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard file >= 0 else {
        throw StoreError.cannotOpen(
          path: path, reason: "\(String(cString: strerror(errno))); check that the folder exists and can be written")
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        close(file)
        throw StoreMoveError.underWay(path: database)
      }
      var (locked, named) = (stat(), stat())
      // The former owner may have removed the file between both calls.
      if fstat(file, &locked) == 0, stat(path, &named) == 0, locked.st_ino == named.st_ino {
        descriptor = file
        return
      }
      close(file)
    }
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}
