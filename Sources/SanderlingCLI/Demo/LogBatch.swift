import Foundation

/// Commits, with their changes, that one transaction writes.
///
/// Paths are kept as bytes in one array. A commit of a million files takes tens of megabytes.
struct LogBatch: Sendable {
  private struct Change {
    let commit: Int
    let pathStart: Int
    let pathEnd: Int
    let linesAdded: Int64?
    let linesDeleted: Int64?
  }

  private(set) var commits: [LoggedCommit] = []
  private var entries: [Change] = []
  private var paths: [UInt8] = []

  var rowCount: Int { commits.count + entries.count }

  var isEmpty: Bool { commits.isEmpty }

  mutating func append(_ commit: LoggedCommit) {
    commits.append(commit)
  }

  /// Adds a change of the last commit.
  mutating func append(_ change: ChangeBytes) {
    let start = paths.count
    paths.append(contentsOf: change.path)
    entries.append(
      Change(
        commit: commits.count - 1, pathStart: start, pathEnd: paths.count, linesAdded: change.linesAdded,
        linesDeleted: change.linesDeleted))
  }

  /// The changes, each with the index of its commit. Each path becomes a text only when its element is read.
  var changes: some Sequence<(commit: Int, change: LoggedChange)> {
    entries.lazy.map { entry in
      let change = LoggedChange(
        path: String(decoding: paths[entry.pathStart..<entry.pathEnd], as: UTF8.self), linesAdded: entry.linesAdded,
        linesDeleted: entry.linesDeleted)
      return (entry.commit, change)
    }
  }
}
