import Foundation
import Sanderling
import Testing

@testable import SanderlingCLI

/// An import stores the history as git describes it.
struct ImportTests {
  @Test func storesCommitsAuthorsAndChanges() async throws {
    let repository = try TestRepository()
    try repository.write("1\n2\n3\n", to: "a.txt")
    try repository.write(Data([0, 1, 2]), to: "image.png")
    try repository.commit("Add two files", by: "Ada", at: "1000000000 +0000")
    try repository.git("mv", "a.txt", "odd\tname\n.txt")
    try repository.commit("Rename one\n\nA text that is longer.", by: "Grace", at: "1000086400 -0800")
    try repository.commit("", by: "Ada", at: "1000172800 +0000")
    let (store, outcome) = try await importHistory(of: repository.path, into: repository.folder.file("store.sqlite"))

    #expect(outcome == HistoryImporter.Outcome(commitsAdded: 3))
    let commits = try await store.fetch(
      GitCommit.order { $0.committedAt }.select { ($0.subject, $0.author.name, $0.authoredDay, $0.isMerge) })
    #expect(commits.map(\.0) == ["Add two files", "Rename one", ""])
    #expect(commits.map(\.1) == ["Ada", "Grace", "Ada"])
    #expect(commits.map(\.2) == ["2001-09-09", "2001-09-09", "2001-09-11"])
    #expect(commits.map(\.3) == [false, false, false])
    let changes = try await store.fetch(FileChange.order { ($0.path, $0.linesAdded) })
    #expect(changes.map(\.path) == ["a.txt", "image.png", "odd\tname\n.txt"])
    #expect(changes.map(\.linesAdded) == [3, nil, 0])
    #expect(changes.map(\.linesDeleted) == [0, nil, 0])
    #expect(try await Totals(of: store) == Totals(of: repository.path))
  }

  @Test func summaryEqualsJoinedForm() async throws {
    let repository = try TestRepository(commits: 500)
    let (store, _) = try await importHistory(of: repository.path, into: repository.folder.file("store.sqlite"))
    let summary = try await store.fetch(AuthorSummary.top(1000))
    let joined = try await store.fetch(JoinedAuthorSummary.top(1000)).map { row in
      AuthorSummary(
        name: row.0, commits: row.1, merges: row.2, filesChanged: row.3, linesAdded: row.4, linesDeleted: row.5,
        firstDay: row.6, lastDay: row.7)
    }
    #expect(summary == joined)
    #expect(try await Totals(of: store) == Totals(of: repository.path))
    let lines = try repository.git("log", "--numstat", "--find-renames", "--format=").split(separator: "\n")
    let counts = lines.map { line in line.split(separator: "\t").prefix(2).map { Int64($0) ?? 0 } }
    #expect(try await store.count(FileChange.query) == counts.count)
    #expect(sum(summary.map { Int64($0.filesChanged) }) == Int64(counts.count))
    #expect(sum(summary.map(\.linesAdded)) == sum(counts.map { $0[0] }))
    #expect(sum(summary.map(\.linesDeleted)) == sum(counts.map { $0[1] }))
    #expect(sum(summary.map { Int64($0.merges) }) == 50)
  }

  /// Author names with different bytes are different authors, as in git and SQLite. Swift takes both forms of "é" as
  /// equal.
  @Test func namesWithDifferentBytesAreDifferentAuthors() async throws {
    let repository = try TestRepository()
    let (composed, decomposed) = ("Jos\u{E9}", "Jose\u{301}")
    for author in [composed, decomposed, composed] { try repository.commit("Change", by: author) }
    let path = repository.folder.file("store.sqlite")
    let (store, outcome) = try await importHistory(of: repository.path, into: path)
    #expect(outcome == HistoryImporter.Outcome(commitsAdded: 3))
    let summary = try await store.fetch(AuthorSummary.top(10))
    #expect(summary.map { Array($0.name.utf8) } == [composed, decomposed].map { Array($0.utf8) })
    #expect(summary.map(\.commits) == [2, 1])
    #expect(try await Totals(of: store) == Totals(of: repository.path))

    // An author with a new spelling is another author.
    try repository.write("\(decomposed) <\(composed.lowercased())@example.com>\n", to: ".mailmap")
    #expect(try await importHistory(of: repository.path, into: path).outcome.commitsReattributed == 2)
    #expect(try await store.fetch(AuthorSummary.top(10)).map { Array($0.name.utf8) } == [Array(decomposed.utf8)])
  }

  private func sum(_ numbers: [Int64]) -> Int64 {
    numbers.reduce(0, +)
  }

  @Test func newestCommitsAreThoseOfGitLog() async throws {
    let repository = try TestRepository()
    // All commits have the same second.
    for number in 1...12 { try repository.commit("Change \(number)") }
    let (store, _) = try await importHistory(of: repository.path, into: repository.folder.file("store.sqlite"))
    let commits = try await store.fetch(NewestCommit.first(10))
    let hashes = commits.map(\.hash.hexadecimalText).joined(separator: "\n")
    #expect(try hashes == repository.git("log", "-10", "--format=%H"))
  }

  @Test func gitSettingsOfTheUserAreIgnored() async throws {
    let repository = try TestRepository()
    try repository.write("1\n2\n3\n", to: "folder/a.txt")
    try repository.commit("Add a file")
    try repository.git("mv", "folder/a.txt", "folder/b.txt")
    try repository.commit("Rename it")
    try repository.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    try repository.write("4\n", to: "c.txt")
    try repository.commit("Add another")
    try repository.git(
      "merge", "--quiet", "main", "-m", "Merge", environment: TestRepository.identity("Ada", "1000000001 +0000"))
    let plain = try await importHistory(of: repository.path, into: repository.folder.file("plain.sqlite")).store
    for (name, value) in [
      ("diff.renames", "false"), ("log.showRoot", "false"), ("log.showSignature", "true"),
      ("log.diffMerges", "combined"), ("diff.relative", "true"), ("color.ui", "always"), ("log.date", "relative"),
      ("format.pretty", "oneline"), ("log.decorate", "full"), ("core.pager", "false"),
      ("diff.algorithm", "patience"), ("log.mailmap", "false"), ("i18n.logOutputEncoding", "UTF-16"),
      ("diff.orderFile", "no-such-file"), ("diff.mnemonicPrefix", "true"),
      ("diff.external", "false"), ("log.abbrevCommit", "true"), ("core.quotePath", "true"),
    ] {
      try repository.git("config", name, value)
    }
    let configured = try await importHistory(
      of: repository.path + "/folder", into: repository.folder.file("configured.sqlite")
    ).store
    #expect(try await configured.fetch(AuthorSummary.top(10)) == plain.fetch(AuthorSummary.top(10)))
    #expect(try await configured.fetch(NewestCommit.first(10)) == plain.fetch(NewestCommit.first(10)))
    #expect(
      try await configured.fetch(FileChange.select { $0.path }) == plain.fetch(FileChange.select { $0.path }))
  }

  @Test func importsFromClonesWorktreesAndGitFolders() async throws {
    let source = try TestRepository(commits: 200)
    let folder = try TemporaryFolder()
    let clone = folder.file("clone")
    try TestRepository.git(["clone", "--quiet", source.path, clone], in: folder.path)
    try TestRepository.git(["checkout", "--quiet", "--detach", "HEAD~20"], in: clone)
    try TestRepository.git(["worktree", "add", "--quiet", "--detach", folder.file("tree"), "HEAD~20"], in: clone)
    try TestRepository.git(
      ["clone", "--quiet", "--depth=30", "file://\(source.path)", folder.file("shallow")], in: folder.path)
    for directory in [source.path, clone, folder.file("tree"), folder.file("shallow"), clone + "/.git"] {
      let (store, _) = try await importHistory(of: directory, into: folder.file("\(UUID().uuidString).sqlite"))
      #expect(try await Totals(of: store) == Totals(of: directory), "\(directory)")
    }
  }

  @Test func importsRepositoryOfSHA256() async throws {
    let repository = try TestRepository("--object-format=sha256")
    for number in 1...3 { try repository.commit("Change \(number)") }
    let path = repository.folder.file("store.sqlite")
    let (store, _) = try await importHistory(of: repository.path, into: path)
    #expect(try await store.fetch(GitCommit.select { $0.hash }).map(\.count) == [32, 32, 32])
    try repository.commit("Change 4")
    #expect(try await importHistory(of: repository.path, into: path).outcome.commitsAdded == 1)
  }
}
