import Sanderling

/// The contributions of one author.
@Projection(of: Author.self)
struct AuthorSummary: Hashable, Sendable {
  var name: String
  var commits: Int
  var merges: Int
  var filesChanged: Int
  var linesAdded: Int64
  var linesDeleted: Int64
  var firstDay: String?
  var lastDay: String?

  static let commits = aggregate { $0.commits.count }
  static let merges = aggregate { $0.commits.filter { $0.isMerge }.count }
  static let filesChanged = aggregate { $0.commits.sum { $0.changes.count } }
  static let linesAdded = aggregate { $0.commits.sum { $0.changes.sum { $0.linesAdded } } }
  static let linesDeleted = aggregate { $0.commits.sum { $0.changes.sum { $0.linesDeleted } } }
  static let firstDay = aggregate { $0.commits.min { $0.authoredDay } }
  static let lastDay = aggregate { $0.commits.max { $0.authoredDay } }

  /// Returns the authors with most commits, in the order of `git shortlog -sn`.
  static func top(_ count: Int) -> Selection<AuthorSummary, AuthorSummary> {
    order { ($0.commits.descending, $0.name) }.limit(count)
  }
}
