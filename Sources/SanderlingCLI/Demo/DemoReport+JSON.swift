import Foundation

extension DemoReport {
  /// The report as one JSON object.
  var json: String {
    get throws {
      try JSON(self, store: storePath).jsonText
    }
  }

  struct JSON: Encodable {
    let repository: String
    /// The path of the store; nil if the store is temporary.
    let store: String?
    let commits: Int
    let merges: Int
    let authors: Int
    let fileChanges: Int
    let commitsAdded: Int
    let commitsRemoved: Int
    let commitsReattributed: Int
    let seconds: Double
    let peakResidentBytes: Int
    let summarySeconds: Double?
    /// The duration of the joined query; nil if it was cancelled.
    let joinedSeconds: Double?
    private let topAuthors: [TopAuthor]
    private let newestCommits: [Newest]
    private let search: Search?

    init(_ report: DemoReport, store: String?) {
      repository = report.repository
      self.store = store
      commits = report.commits
      merges = report.merges
      authors = report.authors
      fileChanges = report.fileChanges
      commitsAdded = report.outcome.commitsAdded
      commitsRemoved = report.outcome.commitsRemoved
      commitsReattributed = report.outcome.commitsReattributed
      seconds = report.importDuration.seconds
      peakResidentBytes = report.peakResidentBytes
      summarySeconds = report.summaryQuery.seconds
      joinedSeconds = report.joinedQuery.seconds
      topAuthors = report.topAuthors.map(TopAuthor.init)
      newestCommits = report.newestCommits.map(Newest.init)
      search = report.search.map(Search.init)
    }
  }

  private struct TopAuthor: Encodable {
    let name: String
    let commits: Int
    let merges: Int
    let filesChanged: Int
    let linesAdded: Int64
    let linesDeleted: Int64
    let firstDay: String?
    let lastDay: String?

    init(_ author: AuthorSummary) {
      name = author.name
      commits = author.commits
      merges = author.merges
      filesChanged = author.filesChanged
      linesAdded = author.linesAdded
      linesDeleted = author.linesDeleted
      firstDay = author.firstDay
      lastDay = author.lastDay
    }
  }

  private struct Newest: Encodable {
    let hash: String
    let day: String
    let author: String
    let subject: String

    init(_ commit: NewestCommit) {
      hash = commit.hash.hexadecimalText
      day = commit.authoredDay
      author = commit.author
      subject = commit.subject
    }
  }
}

extension DemoReport {
  private struct Search: Encodable {
    let input: String
    let found: Int
    let foundByAuthor: Int
    let foundByLike: Int
    let seconds: Double?
    let likeSeconds: Double?
    private let commits: [Newest]

    init(_ search: SubjectSearch) {
      input = search.input
      found = search.found
      foundByAuthor = search.foundByAuthor
      foundByLike = search.foundByLike
      seconds = search.query.seconds
      likeSeconds = search.likeQuery.seconds
      commits = search.commits.map(Newest.init)
    }
  }
}

extension DemoReport.Measurement {
  fileprivate var seconds: Double? {
    if case .took(let duration) = self { duration.seconds } else { nil }
  }
}
