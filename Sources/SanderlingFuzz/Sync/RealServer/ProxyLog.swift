import Foundation
import Sanderling

/// A file with all messages that passed a proxy, for finding out why a check failed.
final class ProxyLog: Sendable {
  private let file: FileHandle
  /// Guards the number of the last message, and the order of the file.
  private let last = Lock(0)
  private let start = ContinuousClock.now

  /// - Parameter path: The file's place. An existing file is replaced.
  init(path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    file = try FileHandle(forWritingTo: URL(filePath: path))
  }

  deinit { try? file.close() }

  /// - Returns: The message's number.
  @discardableResult
  func note(_ message: Data, _ what: String) -> Int {
    last.withLock { last in
      last += 1
      let milliseconds = Int((.now - start) / .milliseconds(1))
      // A failure to write the log must not stop the proxy.
      try? file.write(contentsOf: Data("#\(last) at \(milliseconds) ms \(what)\n".utf8) + message + Data("\n\n".utf8))
      return last
    }
  }
}
