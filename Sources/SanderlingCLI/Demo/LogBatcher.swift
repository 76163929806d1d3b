import Foundation

/// Collects parsed commits into batches. A commit is never divided, so stored commits are complete.
struct LogBatcher {
  private var parser = CommitLogParser()
  private var batches = Batches()

  /// Parses output of git.
  mutating func consume(_ bytes: UnsafeRawBufferPointer) throws {
    try parser.consume(bytes, into: &batches)
  }

  /// Returns and removes the full batches.
  mutating func takeFullBatches() -> [LogBatch] {
    defer { batches.full = [] }
    return batches.full
  }

  /// Returns the last batch, after all output.
  mutating func finish() throws -> LogBatch {
    try parser.finish()
    return batches.current
  }

  private struct Batches: CommitLogReceiver {
    /// The rows of a transaction: enough to make its own cost small, and few enough to lose little by an interruption.
    private static let size = 4000

    var current = LogBatch()
    var full: [LogBatch] = []

    mutating func receive(_ commit: LoggedCommit) {
      if current.rowCount >= Self.size {
        full.append(current)
        current = LogBatch()
      }
      current.append(commit)
    }

    mutating func receive(_ change: ChangeBytes) -> Bool {
      guard !current.isEmpty else { return false }
      current.append(change)
      return true
    }
  }
}
