import Foundation
import Sanderling
import Testing

@testable import SanderlingCLI

/// A second import brings a store up to date, whatever happened to the history or to the first import.
struct ResumeTests {
  let repository: TestRepository
  let path: String

  init() throws {
    repository = try TestRepository()
    path = repository.folder.file("store.sqlite")
    for number in 1...5 {
      try repository.write("\(number)\n", to: "a.txt")
      try repository.commit("Change \(number)", by: number.isMultiple(of: 2) ? "Grace" : "Ada")
    }
  }

  /// Imports the history again, and checks that the store equals a newly imported store.
  private func update() async throws -> HistoryImporter.Outcome {
    let (store, outcome) = try await importHistory(of: repository.path, into: path)
    #expect(try await Totals(of: store) == Totals(of: repository.path))
    let fresh = try await importHistory(
      of: repository.path, into: repository.folder.file("\(UUID().uuidString).sqlite")
    ).store
    #expect(try await store.fetch(AuthorSummary.top(10)) == fresh.fetch(AuthorSummary.top(10)))
    #expect(try await store.count(FileChange.query) == fresh.count(FileChange.query))
    #expect(try await store.integrityCheck() == [])
    return outcome
  }

  @Test func addsNoCommitTwice() async throws {
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 5))
    #expect(try await update() == HistoryImporter.Outcome())
  }

  @Test func addsNewCommits() async throws {
    _ = try await update()
    try repository.write("6\n", to: "a.txt")
    try repository.commit("Change 6", by: "Barbara")
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 1))
  }

  @Test func replacesAmendedCommit() async throws {
    _ = try await update()
    try repository.git("commit", "--quiet", "--amend", "--message", "Another change 5")
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 1, commitsRemoved: 1))
  }

  @Test func removesCommitsThatHeadNoLongerReaches() async throws {
    _ = try await update()
    try repository.git("reset", "--quiet", "--hard", "HEAD~4")
    // Grace has no commits left.
    #expect(try await update() == HistoryImporter.Outcome(commitsRemoved: 4))
    let store = try await importHistory(of: repository.path, into: path).store
    #expect(try await store.fetch(Author.select { $0.name }) == ["Ada"])
  }

  @Test func replacesTheWholeHistory() async throws {
    _ = try await update()
    try repository.git("checkout", "--quiet", "--orphan", "other")
    try repository.commit("Start again")
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 1, commitsRemoved: 5))
  }

  @Test func followsTheMailmap() async throws {
    _ = try await update()
    try repository.write("Augusta <ada@example.com>\n", to: ".mailmap")
    try repository.commit("Add a mailmap", by: "Grace")
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 1, commitsReattributed: 3))
    try repository.write("Both <ada@example.com>\nBoth <grace@example.com>\n", to: ".mailmap")
    try repository.commit("Add to it", by: "Grace")
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 1, commitsReattributed: 6))
    try repository.git("rm", "--quiet", ".mailmap")
    try repository.commit("Remove it", by: "Grace")
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 1, commitsReattributed: 7))
  }

  @Test func completesAnInterruptedImport() async throws {
    _ = try await update()
    let store = try await DemoStore.open(path)
    // The newest commits are imported first.
    try await store.write("forget") { try $0.delete(GitCommit.where { $0.subject < "Change 4" }) }
    #expect(try await update() == HistoryImporter.Outcome(commitsAdded: 3))
  }

  @Test func acceptsCopyOfTheRepository() async throws {
    _ = try await update()
    let clone = repository.folder.file("clone")
    try TestRepository.git(["clone", "--quiet", repository.path, clone], in: repository.folder.path)
    #expect(try await importHistory(of: clone, into: path).outcome == HistoryImporter.Outcome())
  }

  @Test func refusesAnotherRepository() async throws {
    let (store, _) = try await importHistory(of: repository.path, into: path)
    let other = try TestRepository()
    try other.commit("Other")
    await #expect(
      throws: DemoStoreError.otherRepository(
        path: path, stored: repository.path + "/.git", current: other.path + "/.git")
    ) {
      try await importHistory(of: other.path, into: path)
    }
    #expect(try await Totals(of: store) == Totals(of: repository.path))
  }

  @Test func comparesManyPages() async throws {
    let large = try TestRepository(commits: 3000)
    let path = large.folder.file("store.sqlite")
    let (store, _) = try await importHistory(of: large.path, into: path)
    try await store.write("forget") { transaction in
      let keys = try transaction.fetch(GitCommit.select { $0.id }).filter { $0.isMultiple(of: 3) }
      for key in keys { try transaction.delete(GitCommit.self, key: key) }
    }
    #expect(try await importHistory(of: large.path, into: path).outcome.commitsAdded == 1000)
    #expect(try await Totals(of: store) == Totals(of: large.path))
    try large.git("update-ref", "HEAD", "HEAD~1500")
    let removed = try await importHistory(of: large.path, into: path).outcome.commitsRemoved
    #expect(try await store.count(GitCommit.query) == 3000 - removed)
    #expect(try await Totals(of: store) == Totals(of: large.path))
    #expect(try await store.integrityCheck() == [])
  }
}
