import Foundation

/// Where a run says what it does.
enum Console {
  /// Writes a line at once, so that it is there when the process crashes.
  static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
