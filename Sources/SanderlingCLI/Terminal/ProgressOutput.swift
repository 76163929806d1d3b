import Foundation

/// The output of progress: standard error, or nowhere.
enum ProgressOutput: Hashable, Sendable {
  case none
  /// One line that is rewritten.
  case terminal
  /// A new line each time.
  case lines

  /// The output for standard error: a rewritten line on a terminal, or lines.
  static var standardError: ProgressOutput {
    isatty(STDERR_FILENO) == 1 ? .terminal : .lines
  }

  /// The least time between two lines; nil if none is shown.
  var interval: Duration? {
    switch self {
    case .none: nil
    case .terminal: .milliseconds(100)
    case .lines: .seconds(5)
    }
  }

  func show(_ line: String) {
    switch self {
    case .none: break
    case .terminal: Self.write("\r\(line)\u{1B}[K")
    case .lines: Self.write("\(line)\n")
    }
  }

  /// Shows a line after the interval, unless the task is cancelled before.
  func showLater(_ line: String) async throws {
    guard let interval else { return }
    try await Task.sleep(for: interval)
    show(line)
  }

  func clear() {
    if self == .terminal { Self.write("\r\u{1B}[K") }
  }

  /// Writes a message to standard error, also if no progress is shown.
  static func write(_ text: String) {
    OutputWriter.standardError.show(text)
  }
}
