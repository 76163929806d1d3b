import Foundation
import Sanderling

/// A commit as a list shows it.
@Projection(of: GitCommit.self)
struct NewestCommit: Hashable, Sendable {
  var hash: Data
  var authoredDay: String
  var author: String
  var subject: String

  static let author = aggregate { $0.author.name }

  /// Returns the latest commits. Commits of one second are in the order of `git log` at the import.
  static func first(_ count: Int) -> Selection<GitCommit, NewestCommit> {
    GitCommit.order { ($0.committedAt.descending, $0.id) }.limit(count).select(NewestCommit.self)
  }
}
