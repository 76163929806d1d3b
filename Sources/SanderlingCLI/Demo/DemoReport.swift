import Foundation
import Sanderling

/// The final report of the demo.
struct DemoReport: Sendable {
  /// The time that a query took.
  enum Measurement: Hashable, Sendable {
    case took(Duration)
    /// The query was cancelled after this time.
    case exceeded(Duration)
  }

  let repository: String
  let storePath: String
  let outcome: HistoryImporter.Outcome
  let importDuration: Duration
  let commits: Int
  let merges: Int
  let authors: Int
  let fileChanges: Int
  let newestCommits: [NewestCommit]
  let topAuthors: [AuthorSummary]
  let summaryQuery: Measurement
  let joinedQuery: Measurement
  /// The search's results; nil without a search.
  let search: SubjectSearch?
  let peakResidentBytes: Int

  /// Reads the figures of a store, and measures the summary queries.
  init(
    of store: Store, repository: GitRepository, outcome: HistoryImporter.Outcome, importDuration: Duration,
    searching input: String? = nil
  ) async throws {
    self.repository = repository.gitDirectory
    self.outcome = outcome
    self.importDuration = importDuration
    storePath = store.path
    // All figures are from one snapshot.
    (commits, merges, authors, fileChanges, newestCommits, topAuthors) = try await store.read { transaction in
      try (
        transaction.count(GitCommit.query), transaction.count(GitCommit.where { $0.isMerge }),
        transaction.count(Author.query), transaction.count(FileChange.query), transaction.fetch(NewestCommit.first(10)),
        transaction.fetch(AuthorSummary.top(10))
      )
    }
    summaryQuery = try await QueryTiming.median { _ = try await store.fetch(AuthorSummary.top(10)) }
    joinedQuery = try await QueryTiming.median { _ = try await store.fetch(JoinedAuthorSummary.top(10)) }
    search = if let input { try await SubjectSearch(input, in: store) } else { nil }
    peakResidentBytes = ProcessMemory.peak
  }
}
