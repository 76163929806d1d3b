import Sanderling
import Foundation

/// The terminal's alternate screen on standard output. Leaving it shows the former contents.
enum TerminalScreen {
  struct Size: Hashable, Sendable {
    var columns: Int
    var rows: Int
  }

  /// Guards whether the alternate screen is shown. The lock is held during each drawing, so that no drawing follows the
  /// control sequence that leaves the screen.
  private static let isShown = Lock(false)

  /// Whether standard output is a terminal that can be drawn on.
  static func isAvailable(environment: [String: String]) -> Bool {
    isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The current size; 80 columns and 24 rows if the terminal doesn't report it.
  static var size: Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Shows the alternate screen, without a cursor.
  static func enter() {
    isShown.withLock { isShown in
      guard !isShown else { return }
      isShown = true
      write("\u{1B}[?1049h\u{1B}[?25l")
    }
  }

  /// Restores the main screen with its cursor. Can be called at any moment, from any thread.
  static func leave() {
    isShown.withLock { isShown in
      guard isShown else { return }
      isShown = false
      write("\u{1B}[?25h\u{1B}[?1049l")
    }
  }

  /// Draws lines over the screen's contents. Does nothing after the screen was left.
  static func draw(_ lines: [String]) {
    isShown.withLock { isShown in
      guard isShown else { return }
      // Each line is cleared after its text, not before, which avoids flicker.
      write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }
  }

  static func write(_ text: String) {
    OutputWriter.standardOutput.show(text)
  }
}
