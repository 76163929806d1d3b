import Foundation
import Synchronization

/// Writes all bytes to a file descriptor, or fails with an error that names the place.
///
/// All output of the command goes through this type: standard output, standard error, and the files of reports.
///
/// The first failure is kept. Nothing is written after a failure, since output with a gap would look complete.
final class OutputWriter: Sendable {
  static let standardOutput = OutputWriter(STDOUT_FILENO, place: "standard output")
  static let standardError = OutputWriter(STDERR_FILENO, place: "standard error")

  private let descriptor: Int32
  private let place: String
  /// Guards the first failure. The lock is held during a write, so that lines of several threads don't mix.
  private let firstFailure = Mutex<OutputError?>(nil)

  /// - Parameter place: The path or the name of the stream, for errors.
  init(_ descriptor: Int32, place: String) {
    self.descriptor = descriptor
    self.place = place
  }

  /// The first failure, also of calls that don't throw.
  var failure: OutputError? { firstFailure.withLock { $0 } }

  /// Writes all bytes.
  ///
  /// - Throws: ``OutputError``. After the first failure, each call throws that failure.
  func write(_ data: Data) throws {
    try firstFailure.withLock { failure in
      if let failure { throw failure }
      let code = data.withUnsafeBytes { Self.write($0, to: descriptor) }
      guard code != 0 else { return }
      let error = OutputError(place: place, code: code)
      failure = error
      throw error
    }
  }

  func write(_ text: String) throws {
    try write(Data(text.utf8))
  }

  /// Writes optional text, such as progress. An error is kept in ``failure``, which ends the command with exit code 1.
  func show(_ text: String) {
    try? write(text)
  }

  /// - Returns: 0, or the system's error number.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK:
        // The descriptor is non-blocking, because another process made the pipe or terminal so.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      // Some systems report EINVAL for a descriptor that is open for reading only.
      case EINVAL where fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY: return EBADF
      case let code: return code
      }
    }
    return 0
  }
}

extension OutputWriter {
  /// Opens closed standard descriptors in such a way that their use fails.
  ///
  /// Otherwise the next opened file, such as a database, would get the number, and output to the closed stream would go
  /// there. Must be called before any file is opened.
  static func occupyClosedDescriptors() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The system assigns the lowest free number, which is this one.
      _ = open("/dev/null", mode)
    }
  }
}
