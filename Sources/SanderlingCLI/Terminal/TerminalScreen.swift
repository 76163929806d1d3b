import Sanderling
import Foundation

/// The terminal's second screen, on standard output: drawn in place, and gone when it is left.
enum TerminalScreen {
  struct Size: Hashable, Sendable {
    var columns: Int
    var rows: Int
  }

  /// Guards whether the second screen is shown. Held while it is written to, so that nothing follows the sequence that
  /// leaves it.
  private static let isShown = Lock(false)

  /// Whether standard output is a terminal that can be drawn on.
  static func isAvailable(environment: [String: String]) -> Bool {
    isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The size as it is now; 80 columns and 24 rows where the terminal doesn't tell.
  static var size: Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Shows the second screen, without a cursor.
  static func enter() {
    isShown.withLock { isShown in
      guard !isShown else { return }
      isShown = true
      write("\u{1B}[?1049h\u{1B}[?25l")
    }
  }

  /// Shows the first screen again as it was, with its cursor. Can be called at any moment, from any thread.
  static func leave() {
    isShown.withLock { isShown in
      guard isShown else { return }
      isShown = false
      write("\u{1B}[?25h\u{1B}[?1049l")
    }
  }

  /// Draws lines over the screen's contents. Does nothing on a screen that was left.
  static func draw(_ lines: [String]) {
    isShown.withLock { isShown in
      guard isShown else { return }
      // Each line is cleared behind its text and never before, so that nothing flickers.
      write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }
  }

  static func write(_ text: String) {
    OutputWriter.standardOutput.show(text)
  }
}
