import Foundation
import Synchronization

/// The current step of a diagnosis, in one line on standard error that is overwritten.
final class DiagnoseProgress: Sendable {
  /// Guards when the line was last shown; nil when there is none.
  private let lastShown = Mutex<ContinuousClock.Instant?>(nil)
  private let isShown: Bool

  init(isShown: Bool) {
    self.isShown = isShown
  }

  /// Shows a line, unless one was shown a moment ago.
  func show(_ line: String) {
    guard isShown, let interval = ProgressOutput.terminal.interval else { return }
    lastShown.withLock { lastShown in
      let now = ContinuousClock.now
      if let lastShown, now - lastShown < interval { return }
      lastShown = now
      // A line that the terminal breaks could not be written anew.
      ProgressOutput.terminal.show(line.printable.cut(toWidth: max(20, TerminalScreen.errorColumns - 1)))
    }
  }

  /// Clears the line, so that the following output stands alone.
  func finish() {
    lastShown.withLock { lastShown in
      if lastShown != nil { ProgressOutput.terminal.clear() }
      lastShown = nil
    }
  }
}

extension TerminalScreen {
  /// The columns of the terminal on standard error, which has the progress also where the report goes to a file.
  fileprivate static var errorColumns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
