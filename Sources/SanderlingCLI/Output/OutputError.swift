import SanderlingTerminal
import Foundation

/// The reason why the command's output couldn't be written.
enum OutputError: CommandError, Equatable {
  /// The reader of a pipe has ended, as `head` does after its last line.
  case readerIsGone(place: String)
  case notWritten(place: String, reason: String, remedy: Remedy)

  enum Remedy: String {
    case freeSpace = "Free some space there"
    case reopen = "Open it"
    case otherPlace = "Write to another place"
  }

  /// - Parameters:
  ///   - place: The path of a file, or the name of a standard stream.
  ///   - code: The system's error number.
  init(place: String, code: Int32) {
    guard code != EPIPE else {
      self = .readerIsGone(place: place)
      return
    }
    let remedy: Remedy =
      switch code {
      case ENOSPC, EDQUOT, EFBIG: .freeSpace
      case EBADF: .reopen
      default: .otherPlace
      }
    let reason = code == EBADF ? "it isn't open for writing" : String(cString: strerror(code))
    self = .notWritten(place: place, reason: reason, remedy: remedy)
  }

  /// The exit code of a command that ends by this error: 1, or the code of a process that SIGPIPE ended, as with `cat`
  /// and `grep`.
  var exitCode: Int32 {
    switch self {
    case .readerIsGone: 128 + SIGPIPE
    case .notWritten: 1
    }
  }

  var description: String {
    switch self {
    case .readerIsGone(let place): "The reader of \(place.printable) has ended."
    case .notWritten(let place, let reason, let remedy):
      "\(place.atBeginning.printable) can't be written: \(reason.printable). The output is incomplete. \(remedy.rawValue), and run this again."
    }
  }
}

extension String {
  /// Capitalizes the name of a standard stream at the beginning of a sentence. Paths stay unchanged.
  fileprivate var atBeginning: String { hasPrefix("standard ") ? capitalizedFirst : self }
}
