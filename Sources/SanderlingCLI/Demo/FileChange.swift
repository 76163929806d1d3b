import Sanderling

/// A file that a commit changed.
///
/// The index holds all columns that are summed, so that sums never read the table.
@Record(indexes: [.on(\.commitID, \.linesAdded, \.linesDeleted)])
struct FileChange {
  var id: Int64?
  @References(GitCommit.self, onDelete: .cascade) var commitID: Int64
  var path: String
  /// The number of added lines; nil for a binary file.
  var linesAdded: Int64?
  /// The number of deleted lines; nil for a binary file.
  var linesDeleted: Int64?
}
