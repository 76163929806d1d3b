import Foundation
import Synchronization

/// Writes bytes to a file descriptor: all of them, or an error that names the place.
///
/// Everything that the command writes goes through this type: standard output, standard error, and the files of reports.
///
/// The first failure is kept. Nothing is written after a failure, since output with a gap would look complete.
final class OutputWriter: Sendable {
  static let standardOutput = OutputWriter(STDOUT_FILENO, place: "standard output")
  static let standardError = OutputWriter(STDERR_FILENO, place: "standard error")

  private let descriptor: Int32
  private let place: String
  /// Guards the first failure. Held while bytes are written, so that lines of several threads don't mix.
  private let firstFailure = Mutex<OutputError?>(nil)

  /// - Parameter place: The path or the name of the stream, for errors.
  init(_ descriptor: Int32, place: String) {
    self.descriptor = descriptor
    self.place = place
  }

  /// The first failure, which also writers that throw nothing leave here.
  var failure: OutputError? { firstFailure.withLock { $0 } }

  /// Writes all bytes.
  ///
  /// - Throws: ``OutputError``, from the first failure on.
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

  /// Writes text that the command can do without, such as progress. ``failure`` has the error, which ends the command with exit code 1.
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
        // Another process has made the pipe or terminal non-blocking.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      // Some systems say so of a descriptor that is open for reading only.
      case EINVAL where fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY: return EBADF
      case let code: return code
      }
    }
    return 0
  }
}

extension OutputWriter {
  /// Opens the standard descriptors that are closed so that using them fails.
  ///
  /// Otherwise the next file that is opened, such as a database, takes the number, and output to the closed stream goes there or vanishes. To be
  /// called before any file is opened.
  static func occupyClosedDescriptors() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The system assigns the lowest free number, which is this one.
      _ = open("/dev/null", mode)
    }
  }
}
