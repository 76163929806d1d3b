// swift-format-ignore-file
// The records of GitHub.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum GitHub {
  @Record("commits", indexes: [.on(\.repoID), .on(\.authorID)])
  struct CommitRecord {
    // SQLite allows NULL here, and no row has it.
    @PrimaryKey var sha: String
    var message: String?
    @Stored("author_date") var authorDate: String?
    @Stored("committer_date") var committerDate: String?
    @References(Repo.self) @Stored("repo") var repoID: Int64?
    @References(User.self) @Stored("author") var authorID: Int64?
    static let repo = belongsTo(Repo.self, by: \.repoID)
    static let author = belongsTo(User.self, by: \.authorID)
  }

  // The table commits_fts is a virtual table: read it by SQL with RawQuery, or state its key with @Record(view:).

  @Record("issue_comments", indexes: [.on(\.issueID), .on(\.userID)])
  struct IssueComment {
    @Stored("html_url") var htmlURL: String?
    @Stored("issue_url") var issueURL: String?
    var id: Int64?
    @Stored("node_id") var nodeID: String?
    @References(User.self) @Stored("user") var userID: Int64?
    @Stored("created_at") var createdAt: String?
    @Stored("updated_at") var updatedAt: String?
    @Stored("author_association") var authorAssociation: String?
    var body: String?
    @References(Issue.self) @Stored("issue") var issueID: Int64?
    static let user = belongsTo(User.self, by: \.userID)
    static let issue = belongsTo(Issue.self, by: \.issueID)
  }

  @Record("issues", indexes: [.on(\.repoID), .on(\.userID)])
  struct Issue {
    var id: Int64?
    @Stored("node_id") var nodeID: String?
    var number: Int?
    var title: String?
    @References(User.self) @Stored("user") var userID: Int64?
    var state: String?
    var locked: Int?
    var comments: Int?
    @Stored("created_at") var createdAt: String?
    @Stored("updated_at") var updatedAt: String?
    @Stored("closed_at") var closedAt: String?
    @Stored("author_association") var authorAssociation: String?
    var body: String?
    @References(Repo.self) @Stored("repo") var repoID: Int64?
    var type: String?
    static let user = belongsTo(User.self, by: \.userID)
    static let repo = belongsTo(Repo.self, by: \.repoID)
    static let issueComments = hasMany(IssueComment.self, by: \.issueID)
  }

  // The table issues_fts is a virtual table: read it by SQL with RawQuery, or state its key with @Record(view:).

  @Record("repos")
  struct Repo {
    var id: Int64?
    @Stored("node_id") var nodeID: String?
    var name: String?
    @Stored("full_name") var fullName: String?
    var `private`: Int?
    @References(User.self) @Stored("owner") var ownerID: Int64?
    var description: String?
    var topics: String?
    @Stored("stargazers_count") var stargazersCount: Int?
    static let owner = belongsTo(User.self, by: \.ownerID)
    static let commits = hasMany(CommitRecord.self, by: \.repoID)
    static let issues = hasMany(Issue.self, by: \.repoID)
    static let stars = hasMany(Star.self, by: \.repoID)
    static let users = hasMany(User.self, through: stars, using: Star.user)
  }

  @Record("stars", indexes: [.on(\.repoID), .on(\.userID)])
  struct Star {
    // SQLite allows NULL here, and no row has it.
    @PrimaryKey @References(User.self) @Stored("user") var userID: Int64
    // SQLite allows NULL here, and no row has it.
    @PrimaryKey @References(Repo.self) @Stored("repo") var repoID: Int64
    @Stored("starred_at") var starredAt: String?
    static let user = belongsTo(User.self, by: \.userID)
    static let repo = belongsTo(Repo.self, by: \.repoID)
  }

  @Record("users")
  struct User {
    var login: String?
    var id: Int64?
    @Stored("node_id") var nodeID: String?
    @Stored("avatar_url") var avatarURL: String?
    @Stored("html_url") var htmlURL: String?
    var type: String?
    @Stored("site_admin") var siteAdmin: Int?
    var name: String?
    static let commits = hasMany(CommitRecord.self, by: \.authorID)
    static let issueComments = hasMany(IssueComment.self, by: \.userID)
    static let issues = hasMany(Issue.self, by: \.userID)
    static let repos = hasMany(Repo.self, by: \.ownerID)
    static let stars = hasMany(Star.self, by: \.userID)
    static let reposThroughStars = hasMany(Repo.self, through: stars, using: Star.repo)
  }

  static let schema: [any StoredRecord.Type] = [CommitRecord.self, IssueComment.self, Issue.self, Repo.self, Star.self, User.self]
}
