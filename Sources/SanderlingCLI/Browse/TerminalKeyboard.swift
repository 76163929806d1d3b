import Foundation
import Sanderling

/// A key of a terminal, or a pasted text.
enum TerminalKey: Hashable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace, tab
  case character(Character)
  /// A pasted text, without line breaks.
  case paste(String)
}

/// The keyboard of a terminal, read key by key and without an echo until it is left.
enum TerminalKeyboard {
  /// Guards the terminal's former settings; nil while they are in effect.
  private static let settings = Lock<termios?>(nil)

  /// Whether standard input is a terminal.
  static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 }

  /// Turns off line mode and echo. Ctrl-C still sends its signal. The terminal marks pasted texts, so that their
  /// letters don't act as commands.
  static func enter() {
    settings.withLock { settings in
      var now = termios()
      guard settings == nil, tcgetattr(STDIN_FILENO, &now) == 0 else { return }
      settings = now
      now.c_lflag &= ~tcflag_t(ICANON | ECHO)
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &now)
      TerminalScreen.write("\u{1B}[?2004h")
    }
  }

  /// Restores the terminal's settings. Can be called at any moment, from any thread.
  static func leave() {
    settings.withLock { settings in
      guard var before = settings.take() else { return }
      TerminalScreen.write("\u{1B}[?2004l")
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
  }

  /// The pressed keys, in groups as they arrive. The stream ends when the terminal is gone. The thread that reads the
  /// keys ends at the latest 100 milliseconds after the stream.
  static var keys: AsyncStream<[TerminalKey]> {
    AsyncStream { continuation in
      let isOver = Lock(false)
      continuation.onTermination = { _ in isOver.withLock { $0 = true } }
      Thread.detachNewThread {
        var decoder = KeyDecoder()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while !isOver.withLock({ $0 }) {
          var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
          guard poll(&waiting, 1, 100) > 0 else { continue }
          let count = read(STDIN_FILENO, &bytes, bytes.count)
          guard count > 0 else { break }
          let keys = decoder.keys(bytes[..<count])
          if !keys.isEmpty { continuation.yield(keys) }
        }
        continuation.finish()
      }
    }
  }
}
