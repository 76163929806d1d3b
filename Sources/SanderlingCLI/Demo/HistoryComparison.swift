import Foundation
import Sanderling

/// Compares a store with a history, and corrects the authors of stored commits.
///
/// Memory: one bit for each stored commit and 20 bytes for each missing commit.
struct HistoryComparison: Sendable {
  private let store: Store
  private let progress: ImportProgress
  private var authors: AuthorDirectory
  /// The stored commits that the history contains.
  private var reached = RowSet()
  private(set) var missing = HashList()
  private(set) var commitCount = 0
  /// The number of stored commits that got another author, because the mailmap changed.
  private(set) var reattributedCount = 0

  /// The number of hashes for each query.
  private static let pageSize = 500

  /// Compares a store with all commits that are reachable from the repository's head.
  init(of store: Store, with repository: GitRepository, progress: ImportProgress) async throws {
    self.store = store
    self.progress = progress
    authors = try await AuthorDirectory(of: store)
    var parser = AuthorLogParser()
    var page: [AuthorLogParser.Entry] = []
    try await repository.git.stream(AuthorLogParser.command(from: repository.head)) { buffer in
      try buffer.withUnsafeBytes { try parser.consume($0) { page.append($0) } }
      guard page.count >= Self.pageSize else { return }
      try await compare(page)
      page.removeAll(keepingCapacity: true)
    }
    try parser.finish()
    try await compare(page)
  }

  /// Whether the store and the history have any commit in common.
  var hasCommonCommits: Bool { reached.count > 0 }

  /// Returns the keys of the stored commits that the history no longer contains.
  func unreachedKeys() async throws -> [Int64] {
    try await store.read { transaction in
      var keys: [Int64] = []
      try transaction.forEach(GitCommit.select { $0.id }) { key in
        if !reached.contains(key) { keys.append(key) }
      }
      return keys
    }
  }

  private mutating func compare(_ entries: [AuthorLogParser.Entry]) async throws {
    for start in stride(from: 0, to: entries.count, by: Self.pageSize) {
      try await comparePage(entries[start..<min(start + Self.pageSize, entries.count)])
    }
    commitCount += entries.count
    progress.add(commits: entries.count, rows: entries.count)
  }

  private mutating func comparePage(_ entries: ArraySlice<AuthorLogParser.Entry>) async throws {
    let query = GitCommit.where { $0.hash.in(entries.map(\.hash)) }.select { ($0.hash, $0.id, $0.authorID) }
    var stored: [Data: (key: Int64, authorID: Int64)] = [:]
    for (hash, key, authorID) in try await store.fetch(query) {
      stored[hash] = (key, authorID)
    }
    var wronglyAttributed: [StorageValue: (authorName: String, keys: [Int64])] = [:]
    for entry in entries {
      guard let commit = stored[entry.hash] else {
        missing.append(entry.hash)
        continue
      }
      reached.insert(commit.key)
      if authors.key(of: entry.authorName) != commit.authorID {
        wronglyAttributed[.text(entry.authorName), default: (entry.authorName, [])].keys.append(commit.key)
      }
    }
    if !wronglyAttributed.isEmpty { try await attribute(Array(wronglyAttributed.values)) }
  }

  private mutating func attribute(_ commits: [(authorName: String, keys: [Int64])]) async throws {
    let authors = authors
    let written = try await store.writeWithCommit("correct authors", priority: .background) { transaction in
      var authors = authors
      var count = 0
      for (name, keys) in commits {
        let author = try authors.key(of: name, insertingIn: transaction)
        count += try transaction.update(GitCommit.where { $0.id.in(keys) }, .set(\.authorID, to: author))
      }
      return (authors, count)
    }
    self.authors = written.value.0
    reattributedCount += written.value.1
  }
}
