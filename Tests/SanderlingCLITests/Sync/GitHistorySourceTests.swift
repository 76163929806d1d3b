import Foundation
import GRDB
import Sanderling
import SanderlingSync
import Testing

@testable import SanderlingCLI

@Suite struct GitHistorySourceTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func sync(
    _ repository: TestRepository, _ tables: Set<GitHistoryTable> = Set(GitHistoryTable.allCases),
    allowsMassDeletion: Bool = false
  ) async throws -> SyncReport {
    try await GitSync(
      directory: repository.path, database: folder.file("app.sqlite"), tables: tables, isStrict: true,
      allowsMassDeletion: allowsMassDeletion, output: .none
    ).run()
  }

  private func rows(_ sql: String) throws -> [String] {
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    return try DatabaseQueue(path: folder.file("app.sqlite"), configuration: configuration).read {
      try String.fetchAll($0, sql: sql)
    }
  }

  /// The history in git's own output: one line for each commit, and one for each file that it changed.
  private func expected(_ repository: TestRepository) throws -> [String] {
    try repository.git("log", "--format=%H|%aN|%ct|%s", "--no-diff-merges", "HEAD").split(separator: "\n").map(
      String.init
    )
    .sorted()
  }

  private let stored =
    "SELECT hash || '|' || author || '|' || committedAt || '|' || subject FROM \"commit\" ORDER BY hash"

  @Test func aHistoryComesWithAuthorsAndFiles() async throws {
    let repository = try TestRepository(commits: 300)
    let report = try await sync(repository)
    #expect(report.waiting == 0 && report.quarantine == 0)
    let commits = try expected(repository)
    #expect(try rows(stored) == commits)
    let numbers = try repository.git("log", "--numstat", "--format=", "--find-renames", "--no-diff-merges", "--root")
      .split(separator: "\n")
    #expect(try rows("SELECT count(*) FROM change") == [String(numbers.count)])
    let authors = try rows("SELECT count(DISTINCT author) FROM \"commit\"")
    #expect(try rows("SELECT count(*) FROM author") == authors)
    #expect(try rows("SELECT \"table\" FROM pragma_foreign_key_list('change')") == ["commit"])
    #expect(try await sync(repository).isUnchanged)
  }

  /// A shallow clone's last commit looks as if it had made all files.
  @Test func olderCommitsOfAShallowCloneCome() async throws {
    let repository = try TestRepository(commits: 20)
    let clone = folder.file("clone")
    // Most of the rows are the files of the last commit.
    func sync() async throws -> SyncReport {
      try await GitSync(
        directory: clone, database: folder.file("app.sqlite"), tables: Set(GitHistoryTable.allCases), isStrict: true,
        allowsMassDeletion: true, output: .none
      ).run()
    }
    try repository.git("clone", "--quiet", "--depth", "3", "file://\(repository.path)", clone)
    #expect(try await sync().counts.written > 0)
    #expect(try await sync().isUnchanged)
    try repository.git("-C", clone, "fetch", "--quiet", "--unshallow")
    _ = try await sync()
    let commits = try expected(repository)
    #expect(try rows(stored) == commits)
    let numbers = try repository.git("log", "--numstat", "--format=", "--find-renames", "--no-diff-merges", "--root")
      .split(separator: "\n")
    #expect(try rows("SELECT count(*) FROM change") == [String(numbers.count)])
    #expect(try await sync().isUnchanged)
  }

  @Test func whatWasCommittedSinceIsAdded() async throws {
    let repository = try TestRepository()
    try repository.write("a\n", to: "a")
    try repository.commit("first", by: "Ada")
    _ = try await sync(repository, [.commit])
    try repository.write("b\n", to: "b")
    try repository.commit("second", by: "Grace", at: "1000000100 +0000")
    let report = try await sync(repository, [.commit])
    #expect(report.counts.received == 1 && report.counts.written == 1)
    let commits = try expected(repository)
    #expect(try rows(stored) == commits)
    #expect(try rows("SELECT name FROM sqlite_schema WHERE name IN ('author', 'change')").isEmpty)
  }

  @Test func whatIsGoneFromARewrittenHistoryIsRemoved() async throws {
    let repository = try TestRepository()
    for number in 1...3 {
      try repository.write("\(number)\n", to: "file")
      try repository.commit("number \(number)", by: "Author \(number)", at: "100000000\(number) +0000")
    }
    _ = try await sync(repository)
    try repository.git("reset", "--quiet", "--hard", "HEAD~2")
    try repository.write("other\n", to: "other")
    try repository.commit("another", by: "Author 4", at: "1000000009 +0000")
    #expect(try await sync(repository).counts.removed > 0)
    let commits = try expected(repository)
    #expect(try rows(stored) == commits)
    #expect(try rows("SELECT path FROM change ORDER BY path") == ["file", "other"])
    #expect(try rows("SELECT name FROM author") == ["Author 1", "Author 4"])
  }

  /// A branch without a common commit, as a mistake leaves it, is no reason to remove a whole history.
  @Test func anotherHistoryRemovesNothingUnlessThatIsAllowed() async throws {
    let repository = try TestRepository()
    for number in 1...3 { try repository.commit("number \(number)", at: "100000000\(number) +0000") }
    _ = try await sync(repository, [.commit])
    let tree = try repository.git("rev-parse", "HEAD^{tree}")
    let other = try repository.git("commit-tree", tree, "-m", "another")
    try repository.git("update-ref", "refs/heads/main", other)
    for _ in 1...2 {
      await #expect(throws: SyncError.massDeletion(table: "commit", unnamed: 3, of: 3)) {
        try await sync(repository, [.commit])
      }
      #expect(try rows("SELECT count(*) FROM \"commit\"") == ["4"])
    }
    #expect(try await sync(repository, [.commit], allowsMassDeletion: true).counts.removed == 3)
    let commits = try expected(repository)
    #expect(try rows(stored) == commits)
  }

  @Test func rowsOfTheUserStayAndAnotherRepositoryIsRefused() async throws {
    try await DatabaseQueue(path: folder.file("app.sqlite")).write {
      try $0.execute(sql: "CREATE TABLE author (name TEXT PRIMARY KEY); INSERT INTO author VALUES ('mine')")
    }
    let repository = try TestRepository()
    try repository.commit("first")
    _ = try await sync(repository, [.author])
    #expect(try rows("SELECT name FROM author ORDER BY name") == ["Ada", "mine"])
    let other = try TestRepository()
    try other.commit("of another one")
    await #expect(
      throws: SyncCommandError.otherHistory(database: folder.file("app.sqlite"), directory: other.path)
    ) { try await sync(other, [.author]) }
  }

  /// From each cursor the rest comes, whatever was committed meanwhile.
  @Test func aRunGoesOnBehindAnyBatch() async throws {
    let repository = try TestRepository(commits: 4_000)
    func source() async throws -> GitHistorySource {
      GitHistorySource(repository: try await GitRepository(at: repository.path), tables: [.commit, .change])
    }
    func batches(after cursor: String?) async throws -> [SyncBatch] {
      var batches: [SyncBatch] = []
      for try await batch in try await source().batches(after: cursor) { batches.append(batch) }
      return batches
    }
    func keys(_ batches: some Sequence<SyncBatch>) -> Set<[StorageValue]> {
      Set(batches.flatMap(\.changes).filter { $0.record == "commit" }.map(\.key))
    }
    let all = try await batches(after: nil)
    #expect(all.filter(\.isCheckpoint).count == 1 && all.last?.isCheckpoint == true)
    #expect(all.filter(\.restarts).isEmpty)
    let parent = try repository.git("rev-parse", "HEAD")
    let tree = try repository.git("rev-parse", "HEAD^{tree}")
    let later = try repository.git("commit-tree", tree, "-p", parent, "-m", "later")
    try repository.git("update-ref", "refs/heads/main", later)
    // Behind a part of a batch of git's there is nothing to go on from.
    let places = all.indices.filter { all[$0].cursor != nil }
    try #require(places.count > 3)
    for place in [places[0], places[places.count / 2], places[places.count - 1]] {
      let rest = try await batches(after: all[place].cursor)
      #expect(rest.filter(\.restarts).isEmpty)
      let (before, after) = (keys(all[...place]), keys(rest))
      let isWhole = before.union(after) == keys(all).union([[.text(later)]])
      let isOnce = before.isDisjoint(with: after)
      #expect(isWhole && isOnce)
    }
  }

  /// Otherwise git would wait forever for a reader of the rest.
  @Test func gitEndsWithTheSequenceThatNobodyReadsAnyMore() async throws {
    let repository = try TestRepository(commits: 4_000)
    func isGitRunning() throws -> Bool {
      try Subcommand("/usr/bin/env", ["pgrep", "-f", "git -C \(repository.path) "]).result().status == 0
    }
    let source = GitHistorySource(
      repository: try await GitRepository(at: repository.path), tables: Set(GitHistoryTable.allCases))
    for try await _ in source.batches(after: nil) {
      let isRunning = try isGitRunning()
      #expect(isRunning)
      break
    }
    let end = ContinuousClock.now + .seconds(300)
    while try isGitRunning(), .now < end { try await Task.sleep(for: .milliseconds(20)) }
    let isLeft = try isGitRunning()
    #expect(!isLeft)
  }
}
