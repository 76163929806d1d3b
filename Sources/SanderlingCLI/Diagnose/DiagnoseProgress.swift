import Foundation
import Synchronization

/// The progress of a diagnosis, in one line on standard error that is rewritten.
final class DiagnoseProgress: Sendable {
  /// Guards the time of the last drawing; nil while no line is shown.
  private let lastShown = Mutex<ContinuousClock.Instant?>(nil)
  private let isShown: Bool

  init(isShown: Bool) {
    self.isShown = isShown
  }

  /// Shows a line, unless one was shown within the interval.
  func show(_ line: String) {
    guard isShown, let interval = ProgressOutput.terminal.interval else { return }
    lastShown.withLock { lastShown in
      let now = ContinuousClock.now
      if let lastShown, now - lastShown < interval { return }
      lastShown = now
      // A line that the terminal wraps can't be rewritten.
      ProgressOutput.terminal.show(line.printable.cut(toWidth: max(20, TerminalScreen.errorColumns - 1)))
    }
  }

  /// Clears the line of progress.
  func finish() {
    lastShown.withLock { lastShown in
      if lastShown != nil { ProgressOutput.terminal.clear() }
      lastShown = nil
    }
  }
}

extension TerminalScreen {
  /// The columns of the terminal on standard error. Standard output may be a file meanwhile.
  fileprivate static var errorColumns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
