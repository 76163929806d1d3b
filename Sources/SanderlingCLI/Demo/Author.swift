import Sanderling

/// An author of commits, under the name that the mailmap gives.
@Record(indexes: [.unique(on: \.name)])
struct Author {
  var id: Int64?
  @Searchable(.words) var name: String
  static let commits = hasMany(GitCommit.self, by: \.authorID)
}
