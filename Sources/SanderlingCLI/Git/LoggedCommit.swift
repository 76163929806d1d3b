import Foundation

/// A commit as `git log` prints it.
struct LoggedCommit: Hashable, Sendable {
  /// 20 bytes, or 32 in repositories that use SHA-256.
  var hash: Data
  var isMerge: Bool
  /// Seconds since 1970.
  var committedAt: Int64
  /// The day in the author's own time zone, as `yyyy-mm-dd`.
  var authoredDay: String
  /// The name that the mailmap gives.
  var authorName: String
  var subject: String
}

/// A file that a commit changed, as `git log --numstat` prints it.
struct LoggedChange: Hashable, Sendable {
  /// The path after the change. Invalid UTF-8 is replaced by U+FFFD.
  var path: String
  /// The number of added lines; nil for a binary file.
  var linesAdded: Int64?
  /// The number of deleted lines; nil for a binary file.
  var linesDeleted: Int64?
}
