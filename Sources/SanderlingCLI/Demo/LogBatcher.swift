import Foundation

/// Collects parsed commits into batches. A commit is never divided, so that each stored commit is complete.
struct LogBatcher {
  private var parser = CommitLogParser()
  private var batches = Batches()

  /// Adds output of git.
  mutating func consume(_ bytes: UnsafeRawBufferPointer) throws {
    try parser.consume(bytes, into: &batches)
  }

  /// The batches that are complete, which the caller takes over.
  mutating func takeFullBatches() -> [LogBatch] {
    defer { batches.full = [] }
    return batches.full
  }

  /// The last batch, after all output.
  mutating func finish() throws -> LogBatch {
    try parser.finish()
    return batches.current
  }

  private struct Batches: CommitLogReceiver {
    /// Transactions of this size cost little each, and little is lost when one is interrupted.
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
