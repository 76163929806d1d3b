import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder for copies that only this user may read. It is removed with the object, and by the signals that end a
/// command.
final class TemporaryFolder: Sendable {
  static let namePrefix = "sanderling-diagnose-"
  private static let lockFileName = "process.pid"

  let url: URL
  /// Holds the lock that marks the folder as in use by other processes; -1 once it is closed.
  private let lock: Mutex<Int32>

  private static let open = Mutex<Set<String>>([])

  /// Removes folders of dead processes, and creates a new one in `parent` or in the system's temporary folder.
  ///
  /// Throws `DiagnosisError.temporaryFolder`.
  init(in parent: URL? = nil) throws {
    let parent = parent ?? FileManager.default.temporaryDirectory
    Self.removeFoldersOfDeadProcesses(in: parent)
    var template = Array(parent.appendingPathComponent(Self.namePrefix + "XXXXXX").path.utf8CString)
    // Under the lock: a signal handler then finds all existing folders, and none is created after it.
    let made = Self.open.withLock { open -> String? in
      // Creates the folder with mode 0700, under a new name.
      guard mkdtemp(&template) != nil else { return nil }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      open.insert(path)
      return path
    }
    guard let path = made else {
      throw DiagnosisError.temporaryFolder(path: parent.path, reason: Self.lastError)
    }
    url = URL(fileURLWithPath: path, isDirectory: true)
    let file = Self.openLockFile(in: path, creating: true)
    guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let reason = Self.lastError
      if file >= 0 { close(file) }
      try? FileManager.default.removeItem(atPath: path)
      _ = Self.open.withLock { $0.remove(path) }
      throw DiagnosisError.temporaryFolder(path: parent.path, reason: reason)
    }
    // Written under the lock: another process never locks a file without a number.
    let number = Array("\(getpid())\n".utf8)
    _ = write(file, number, number.count)
    lock = Mutex(file)
  }

  deinit {
    remove()
  }

  /// Removes the folder and all files in it. A second call has no effect.
  func remove() {
    lock.withLock { file in
      guard file >= 0 else { return }
      try? FileManager.default.removeItem(at: url)
      close(file)
      file = -1
      _ = Self.open.withLock { $0.remove(url.path) }
    }
  }

  /// The free bytes for a user on the folder's file system.
  var freeBytes: Int64? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: url.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// Removes the open folders when SIGINT, SIGTERM or SIGHUP arrives, and then ends the process with that signal.
  ///
  /// For commands only, once at their start: an app handles its signals itself. A queue receives the signals, not a
  /// signal handler, so that removing files is safe. A signal that is already ignored (`nohup`) stays ignored.
  static func removeAllOnSignals() {
    sources.withLock { sources in
      guard sources.isEmpty else { return }
      for number in [SIGINT, SIGTERM, SIGHUP] {
        var action = sigaction()
        sigaction(number, nil, &action)
        if isIgnored(action) { continue }
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
        // An earlier signal ends the process before any folder exists. On Linux, Dispatch then has its own handler.
        #if canImport(Darwin)
          source.setRegistrationHandler { signal(number, SIG_IGN) }
        #endif
        source.setEventHandler {
          open.withLock { paths in
            removeAll(paths)
            signal(number, SIG_DFL)
            kill(getpid(), number)
          }
        }
        source.resume()
        sources.append(source)
      }
    }
  }

  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  /// Whether a signal is ignored. SIG_IGN is the address 1, which Swift doesn't import; the handler is compared and
  /// never called.
  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }

  /// Removes folders in which trials may still write. Their locks end with the process.
  private static func removeAll(_ paths: Set<String>) {
    for path in paths {
      // A renamed folder gets no new files meanwhile. If renaming fails, it is removed under its own name.
      let last = path + ".ended"
      try? FileManager.default.removeItem(atPath: rename(path, last) == 0 ? last : path)
    }
  }

  /// Removes folders of this user's dead processes, whose process files are no longer locked.
  ///
  /// An empty file is left alone and never locked: its folder is just being created, and its owner needs the lock.
  private static func removeFoldersOfDeadProcesses(in parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(namePrefix) {
      let path = parent.appendingPathComponent(name).path
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { continue }
      let file = openLockFile(in: path, creating: false)
      guard file >= 0 else { continue }
      defer { close(file) }
      guard fstat(file, &status) == 0, status.st_size > 0, flock(file, LOCK_EX | LOCK_NB) == 0 else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static func openLockFile(in folder: String, creating: Bool) -> Int32 {
    let path = folder + "/" + lockFileName
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
    return creating
      ? Self.openFile(path, flags | O_CREAT | O_EXCL, 0o600) : Self.openFile(path, flags | O_NONBLOCK, 0)
  }

  private static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Darwin)
      Darwin.open(path, flags, mode)
    #else
      Glibc.open(path, flags, mode)
    #endif
  }

  private static var lastError: String { String(cString: strerror(errno)) }
}
