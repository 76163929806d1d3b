import Foundation

/// Where progress is written: standard error, or nowhere.
enum ProgressOutput: Hashable, Sendable {
  case none
  /// One line that is written anew.
  case terminal
  /// A line each time.
  case lines

  /// The kind of output for standard error: a terminal's, or lines.
  static var standardError: ProgressOutput {
    isatty(STDERR_FILENO) == 1 ? .terminal : .lines
  }

  /// The least time between two lines; nil when none is shown.
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

  /// Shows a line about slow work after a while, unless its task is cancelled before.
  func showLater(_ line: String) async throws {
    guard let interval else { return }
    try await Task.sleep(for: interval)
    show(line)
  }

  func clear() {
    if self == .terminal { Self.write("\r\u{1B}[K") }
  }

  /// Writes to standard error, whatever the form of progress.
  static func write(_ text: String) {
    OutputWriter.standardError.show(text)
  }
}
