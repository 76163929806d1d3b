import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that only this user may read, for copies. Removed with the object, and after the signals that end a command.
final class TemporaryFolder: Sendable {
  static let namePrefix = "sanderling-diagnose-"
  private static let lockFileName = "process.pid"

  let url: URL
  /// Keeps the lock that tells other processes that the folder is in use. -1 once it is closed.
  private let lock: Mutex<Int32>

  private static let open = Mutex<Set<String>>([])

  /// Makes a folder in `parent`, or in the system's temporary folder, after removing what dead processes left there.
  ///
  /// Throws `DiagnosisError.temporaryFolder`.
  init(in parent: URL? = nil) throws {
    let parent = parent ?? FileManager.default.temporaryDirectory
    Self.removeFoldersOfDeadProcesses(in: parent)
    var template = Array(parent.appendingPathComponent(Self.namePrefix + "XXXXXX").path.utf8CString)
    // Under the lock: a signal finds all folders that there are, and after it none is made.
    let made = Self.open.withLock { open -> String? in
      // Makes the folder with mode 0700, under a name that did not exist.
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
    // Written under the lock: a file without a number is one that is just being made.
    let number = Array("\(getpid())\n".utf8)
    _ = write(file, number, number.count)
    lock = Mutex(file)
  }

  deinit {
    remove()
  }

  /// Removes the folder and all files in it. Does nothing the second time.
  func remove() {
    lock.withLock { file in
      guard file >= 0 else { return }
      try? FileManager.default.removeItem(at: url)
      close(file)
      file = -1
      _ = Self.open.withLock { $0.remove(url.path) }
    }
  }

  /// Bytes that a user may still write to the folder's file system.
  var freeBytes: Int64? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: url.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// Removes the open folders when SIGINT, SIGTERM or SIGHUP arrives, and then ends the process as the signal does.
  ///
  /// For commands, once, at their start: an app decides over its signals itself. The signals are taken on a queue, not in
  /// a signal handler, so that removing files is allowed. A signal that is ignored already (`nohup`) stays ignored.
  static func removeAllOnSignals() {
    sources.withLock { sources in
      guard sources.isEmpty else { return }
      for number in [SIGINT, SIGTERM, SIGHUP] {
        var action = sigaction()
        sigaction(number, nil, &action)
        if isIgnored(action) { continue }
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
        // A signal before this ends the process, and no folder is there yet. On Linux Dispatch has a handler of its own from then on.
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

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }

  /// Removes folders in which trials may still write. Their locks go with the process.
  private static func removeAll(_ paths: Set<String>) {
    for path in paths {
      // Under another name no new file gets into it meanwhile. One that keeps its name is removed as it is.
      let last = path + ".ended"
      try? FileManager.default.removeItem(atPath: rename(path, last) == 0 ? last : path)
    }
  }

  /// Removes folders of this user whose process died: nobody holds the lock on their process file any more.
  private static func removeFoldersOfDeadProcesses(in parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(namePrefix) {
      let path = parent.appendingPathComponent(name).path
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { continue }
      let file = openLockFile(in: path, creating: false)
      guard file >= 0 else { continue }
      defer { close(file) }
      guard flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0, status.st_size > 0 else { continue }
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
