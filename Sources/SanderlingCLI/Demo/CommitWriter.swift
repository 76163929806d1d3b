import Foundation
import Sanderling

/// Writes git's output into a store while git runs.
struct CommitWriter: Sendable {
  let store: Store
  let git: GitProcess
  let progress: ImportProgress
  /// Receives each transaction, and the time when it began to commit.
  var onCommit: (@Sendable (Commit, ContinuousClock.Instant) -> Void)?

  /// Imports the commits that a git command lists.
  ///
  /// Each batch is read while the previous batch is written. If git fails, the task is cancelled or the process ends,
  /// each commit is stored with all its changes or not at all.
  ///
  /// - Parameter input: The command's standard input.
  func importCommits(
    listedBy arguments: [String], input: some Sequence<[UInt8]> & Sendable = EmptyCollection<[UInt8]>()
  ) async throws {
    var authors = try await AuthorDirectory(of: store)
    var batcher = LogBatcher()
    try await withThrowingTaskGroup(of: AuthorDirectory.self) { group in
      try await git.stream(arguments, input: input) { buffer in
        try buffer.withUnsafeBytes { try batcher.consume($0) }
        for batch in batcher.takeFullBatches() {
          if let known = try await group.next() { authors = known }
          group.addTask { [authors] in try await write(batch, authors) }
        }
      }
      if let known = try await group.next() { authors = known }
      let last = try batcher.finish()
      if !last.isEmpty { _ = try await write(last, authors) }
    }
  }

  /// - Returns: The authors that are known after the batch.
  private func write(_ batch: LogBatch, _ authors: AuthorDirectory) async throws -> AuthorDirectory {
    let written = try await store.writeWithCommit("import commits", priority: .background) { transaction in
      var authors = authors
      let commits = try batch.commits.map { commit in
        GitCommit(
          hash: commit.hash, authorID: try authors.key(of: commit.authorName, insertingIn: transaction),
          isMerge: commit.isMerge, committedAt: Date(timeIntervalSince1970: Double(commit.committedAt)),
          authoredDay: commit.authoredDay, subject: commit.subject)
      }
      let keys = try transaction.insert(contentsOf: commits).assignedKeys
      try transaction.insert(
        contentsOf: batch.changes.lazy.map { commit, change in
          FileChange(
            commitID: keys[commit], path: change.path, linesAdded: change.linesAdded, linesDeleted: change.linesDeleted)
        })
      return (authors, ContinuousClock.now)
    }
    onCommit?(written.commit, written.value.1)
    progress.add(commits: batch.commits.count, rows: batch.rowCount)
    return written.value.0
  }
}
