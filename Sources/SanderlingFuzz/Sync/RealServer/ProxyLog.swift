import Foundation
import Sanderling

/// A file with all that passed a proxy, for who looks for what went wrong.
final class ProxyLog: Sendable {
  private let file: FileHandle
  /// Guards the number of the last message, and the order of the file.
  private let last = Lock(0)
  private let start = ContinuousClock.now

  /// - Parameter path: Where it is. What is there is replaced.
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
      // A file that can't be written keeps nobody from going on.
      try? file.write(contentsOf: Data("#\(last) at \(milliseconds) ms \(what)\n".utf8) + message + Data("\n\n".utf8))
      return last
    }
  }
}
