import Sanderling
import SanderlingTerminal
import Foundation

/// The terminal's alternate screen on standard output. Leaving it shows the former contents.
enum TerminalScreen {
  struct Size: Hashable, Sendable {
    var columns: Int
    var rows: Int
  }

  /// Guards whether the alternate screen is shown, and how often it was. The lock is held during each drawing, so that
  /// no drawing follows the control sequence that leaves the screen.
  private static let shown = Lock((isShown: false, number: 0))

  /// The number of times that the screen was shown. Each time, it begins empty.
  static var number: Int { shown.withLock(\.number) }

  /// Whether standard output is a terminal.
  static var isStandardOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard output is a terminal that can be drawn on.
  static func isAvailable(environment: [String: String]) -> Bool {
    isStandardOutput && environment["TERM"] != "dumb"
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
  ///
  /// Long lines are cut at the right edge. Otherwise a character that the terminal shows wider than Unicode's tables say
  /// would continue the line on the next row, and move all rows below.
  static func enter() {
    shown.withLock { shown in
      guard !shown.isShown else { return }
      shown = (true, shown.number + 1)
      write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }
  }

  /// Restores the main screen with its cursor. Can be called at any moment, from any thread.
  static func leave() {
    shown.withLock { shown in
      guard shown.isShown else { return }
      shown.isShown = false
      write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }
  }

  /// Draws lines over the screen's contents. Does nothing after the screen was left.
  static func draw(_ lines: [String]) {
    shown.withLock { shown in
      guard shown.isShown else { return }
      // Each line is cleared after its text, not before, which avoids flicker. After a text of the whole width, the
      // cursor stays on the last character, and clearing would remove that character.
      let size = size
      let cleared = lines.map { width(of: $0) < size.columns ? $0 + "\u{1B}[K" : $0 }
      write("\u{1B}[H" + cleared.joined(separator: "\r\n") + (lines.count < size.rows ? "\r\n\u{1B}[J" : ""))
    }
  }

  /// The width of a line without its styles.
  private static func width(of line: String) -> Int {
    (line.contains("\u{1B}") ? line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") : line).displayWidth
  }

  static func write(_ text: String) {
    OutputWriter.standardOutput.show(text)
  }
}
