import Foundation

/// The output of a run.
enum Console {
  /// Writes a line without buffering, so that it survives a crash of the process.
  static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
