import Foundation
import GRDB
import Sanderling

/// The commits whose subjects or authors' names match a search.
struct SubjectSearch: Sendable {
  let input: String
  /// The number of commits with a matching subject.
  let found: Int
  /// The best matches. Equal matches are sorted by time, the newest first.
  let commits: [NewestCommit]
  /// The number of commits with a matching author's name.
  let foundByAuthor: Int
  let query: DemoReport.Measurement
  let likeQuery: DemoReport.Measurement
  /// The number of commits that LIKE finds, which ignores case only of ASCII letters.
  let foundByLike: Int

  init(_ input: String, in store: Store) async throws {
    self.input = input
    // Commits that an earlier version imported may still wait for their index.
    try await store.searchIndexed()
    let (matching, best) = (Self.matching(input), Self.best(10, matching: input))
    (found, commits, foundByAuthor, foundByLike) = try await store.read { transaction in
      try (
        transaction.count(matching), transaction.fetch(best),
        transaction.count(GitCommit.where { $0.author.name.matches(input) }),
        Self.countByLike(input, transaction.database)
      )
    }
    query = try await QueryTiming.median { _ = try await store.fetch(best) }
    likeQuery = try await QueryTiming.median { _ = try await store.read { try Self.countByLike(input, $0.database) } }
  }

  static func matching(_ input: String) -> Selection<GitCommit, GitCommit> {
    GitCommit.where { $0.subject.matches(input) }
  }

  static func best(_ count: Int, matching input: String) -> Selection<GitCommit, NewestCommit> {
    matching(input).order { ($0.subject.relevance(of: input).descending, $0.committedAt.descending, $0.id) }
      .limit(count).select(NewestCommit.self)
  }

  /// Counts the subjects that contain each word of the input, as a query without an index does.
  private static func countByLike(_ input: String, _ db: Database) throws -> Int {
    let words = input.split(whereSeparator: \.isWhitespace)
    let condition = words.map { _ in #""subject" LIKE '%' || ? || '%'"# }.joined(separator: " AND ")
    return try Int.fetchOne(
      db, sql: #"SELECT count(*) FROM "gitCommit""# + (words.isEmpty ? "" : " WHERE \(condition)"),
      arguments: StatementArguments(words.map { String($0) })) ?? 0
  }
}
