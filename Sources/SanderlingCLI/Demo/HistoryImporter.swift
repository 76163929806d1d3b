import Foundation
import Sanderling

/// Updates a store to the history of a repository.
///
/// Each step is a transaction that leaves a consistent store. The next run can continue after any step.
struct HistoryImporter: Sendable {
  /// The changes of an import.
  struct Outcome: Hashable, Sendable {
    var commitsAdded = 0
    var commitsRemoved = 0
    var commitsReattributed = 0
  }

  let repository: GitRepository
  let store: Store
  let progress: ImportProgress
  /// Receives each transaction that imported commits, and the time when it began to commit.
  var onCommit: (@Sendable (Commit, ContinuousClock.Instant) -> Void)?

  /// - Throws: ``GitError``, ``DemoStoreError/otherRepository(path:stored:current:)``, ``StoreError``, `CancellationError`.
  func run() async throws -> Outcome {
    let outcome = try await store.exists(GitCommit.query) ? update() : importAll()
    try await store.write("remove authors", priority: .background) { transaction in
      try transaction.delete(Author.where { $0.commits.isEmpty })
    }
    return outcome
  }

  private var writer: CommitWriter {
    CommitWriter(store: store, git: repository.git, progress: progress, onCommit: onCommit)
  }

  private func importAll() async throws -> Outcome {
    try await remember()
    // Counting reads the whole history once more. It runs beside the import, and only if progress is shown.
    async let counting: Void = showShare()
    progress.begin("Importing")
    try await writer.importCommits(listedBy: CommitLogFormat.all(from: repository.head))
    await counting
    return Outcome(commitsAdded: progress.commitCount)
  }

  private func showShare() async {
    guard progress.wantsTotal, let count = try? await repository.commitCount() else { return }
    progress.setTotal(count)
  }

  private func update() async throws -> Outcome {
    progress.begin("Comparing")
    let comparison = try await HistoryComparison(of: store, with: repository, progress: progress)
    try await checkIdentity(comparison)
    try await remember()

    let unreached = try await comparison.unreachedKeys()
    progress.begin("Removing", total: unreached.count)
    try await remove(unreached)

    if comparison.missing.count > 0 {
      progress.begin("Importing", total: comparison.missing.count)
      try await writer.importCommits(listedBy: CommitLogFormat.listed, input: comparison.missing.lines)
    }
    return Outcome(
      commitsAdded: comparison.missing.count, commitsRemoved: unreached.count,
      commitsReattributed: comparison.reattributedCount)
  }

  /// Refuses a store of another repository, before anything is removed from it. A moved or copied repository has common
  /// commits and is accepted.
  private func checkIdentity(_ comparison: HistoryComparison) async throws {
    let stored = try await store.fetch(ImportedRepository.self, key: ImportedRepository.onlyKey)
    guard let stored, !comparison.hasCommonCommits,
      !stored.gitDirectory.utf8.elementsEqual(repository.gitDirectory.utf8)
    else { return }
    throw DemoStoreError.otherRepository(
      path: store.path, stored: stored.gitDirectory, current: repository.gitDirectory)
  }

  private func remember() async throws {
    let imported = ImportedRepository(id: ImportedRepository.onlyKey, gitDirectory: repository.gitDirectory)
    try await store.write("remember the repository", priority: .background) { try $0.upsert(imported) }
  }

  /// Removes commits with their changes.
  private func remove(_ keys: [Int64]) async throws {
    let pageSize = 500
    for start in stride(from: 0, to: keys.count, by: pageSize) {
      let page = keys[start..<min(start + pageSize, keys.count)]
      try await store.write("remove commits", priority: .background) { transaction in
        try transaction.delete(GitCommit.where { $0.id.in(page) })
      }
      progress.add(commits: page.count, rows: page.count)
    }
  }
}
