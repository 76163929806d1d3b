import Foundation
import GRDB
import Sanderling

/// The commits with a searched text in their subjects or authors' names.
struct SubjectSearch: Sendable {
  let input: String
  /// Of commits by their subjects.
  let found: Int
  /// The best matches; among equal ones, the newest first.
  let commits: [NewestCommit]
  /// By their authors' names.
  let foundByAuthor: Int
  let query: DemoReport.Measurement
  let likeQuery: DemoReport.Measurement
  /// How many LIKE finds, in upper and lower case of ASCII only.
  let foundByLike: Int

  init(_ input: String, in store: Store) async throws {
    self.input = input
    // Commits that an earlier version imported wait to be indexed.
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

  /// Each word of the input anywhere, as people write it without an index.
  private static func countByLike(_ input: String, _ db: Database) throws -> Int {
    let words = input.split(whereSeparator: \.isWhitespace)
    let condition = words.map { _ in #""subject" LIKE '%' || ? || '%'"# }.joined(separator: " AND ")
    return try Int.fetchOne(
      db, sql: #"SELECT count(*) FROM "gitCommit""# + (words.isEmpty ? "" : " WHERE \(condition)"),
      arguments: StatementArguments(words.map { String($0) })) ?? 0
  }
}
