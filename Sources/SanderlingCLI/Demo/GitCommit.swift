import Foundation
import Sanderling

/// A commit that is reachable from HEAD.
@Record
struct GitCommit {
  var id: Int64?
  var hash: Data
  @References(Author.self) var authorID: Int64
  var isMerge: Bool
  @Stored(as: .unixSeconds) var committedAt: Date
  /// The day in the author's own time zone, as `yyyy-mm-dd`.
  var authoredDay: String
  @Searchable(.words) var subject: String

  static let author = belongsTo(Author.self, by: \.authorID)
  static let changes = hasMany(FileChange.self, by: \.commitID)

  static let indexes: [Index<GitCommit>] = [
    .unique(on: .ascending(\.hash)),
    .on(.ascending(\.authorID), .ascending(\.authoredDay)),
    .on(.ascending(\.authorID)).where { $0.isMerge },
    .on(.descending(\.committedAt)),
  ]
}
