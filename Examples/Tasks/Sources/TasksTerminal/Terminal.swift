import Foundation
import Observation

/// A terminal without line mode and echo, and with a screen of its own until it is closed.
@MainActor @Observable
final class Terminal {
  struct Missing: LocalizedError {
    var errorDescription: String? { "Standard input and output are no terminal. Start tasks-terminal in a terminal." }
  }

  private(set) var size = (columns: 80, rows: 24)
  /// The typed bytes. The stream ends when the terminal is closed or gone.
  let typed: AsyncStream<[UInt8]>
  private let (input, output): (Int32, Int32)
  private var former = termios()
  private var sources: [any DispatchSourceProtocol] = []

  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws {
    (self.input, self.output) = (input, output)
    let (typed, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    self.typed = typed
    guard isatty(output) == 1, tcgetattr(input, &former) == 0 else { throw Missing() }
    var raw = former
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(input, TCSANOW, &raw)
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    measure()
    let keyboard = DispatchSource.makeReadSource(fileDescriptor: input, queue: .main)
    keyboard.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(input, &bytes, bytes.count)
      if count > 0 { continuation.yield(Array(bytes[..<count])) } else { continuation.finish() }
    }
    keyboard.setCancelHandler { continuation.finish() }
    let window = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .main)
    window.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.measure() } }
    sources = [keyboard, window]
    keyboard.resume()
    window.resume()
  }

  /// Shows the former screen, and restores the former settings.
  func close() {
    guard !sources.isEmpty else { return }
    for source in sources { source.cancel() }
    sources = []
    write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(input, TCSANOW, &former)
  }

  /// Shows lines in place of the last ones. The terminal cuts lines that are too long.
  func show(_ lines: [String]) {
    guard !sources.isEmpty else { return }
    write("\u{1B}[H" + lines.prefix(size.rows).map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  private func measure() {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else { return }
    size = (Int(window.ws_col), Int(window.ws_row))
  }

  private func write(_ text: String) {
    // A terminal that is gone ends the stream of keys, and with it the program.
    try? FileHandle(fileDescriptor: output).write(contentsOf: Data(text.utf8))
  }
}
