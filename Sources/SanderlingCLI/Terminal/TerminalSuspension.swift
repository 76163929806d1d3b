import Dispatch
import Foundation

/// Restores the terminal while Ctrl-Z suspends the process, and shows the screen again afterwards.
struct TerminalSuspension {
  private let source: any DispatchSourceSignal

  /// Begins to handle SIGTSTP.
  init() async {
    source = await Interruption.source(of: SIGTSTP) {
      TerminalScreen.leave()
      TerminalKeyboard.leave()
      // Returns once the process goes on.
      kill(getpid(), SIGSTOP)
      TerminalKeyboard.enter()
      TerminalScreen.enter()
    }
  }

  func end() { source.cancel() }
}
