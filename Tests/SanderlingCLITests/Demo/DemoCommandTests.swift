import Foundation
import Sanderling
import Testing

@testable import SanderlingCLI

/// The built command `sanderling demo`, run as a program.
struct DemoCommandTests {
  @Test func printsReport() throws {
    let repository = try TestRepository()
    try repository.write("1\n2\n", to: "a.txt")
    try repository.commit("Add a file\u{1B}[31m", by: "Ada", at: "1000000000 +0000")
    try repository.commit("Nothing", by: "山田太郎", at: "1000086400 +0900")
    let path = repository.folder.file("store.sqlite")
    let result = try DemoRun.result("--repo", repository.path, "--store", path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    let first = try repository.git("rev-parse", "--short=10", "HEAD~1")
    let second = try repository.git("rev-parse", "--short=10", "HEAD")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("\(repository.path)/.git: added 2 commits in "))
    #expect(
      lines[1..<15].joined(separator: "\n") == """

          Commits  Merges  Authors  File changes
                2       0        2             1

        Newest commits (each day in its author's time zone)
          Commit      Day         Author    Subject
          \(second)  2001-09-10  山田太郎  Nothing
          \(first)  2001-09-09  Ada       Add a file\u{FFFD}[31m

        Authors with most commits
          Author    Commits  Merges  Files changed  Lines added  Lines deleted  First day   Last day
          Ada             1       0              1            2              0  2001-09-09  2001-09-09
          山田太郎        1       0              0            0              0  2001-09-10  2001-09-10

        """)
    #expect(lines[15].hasPrefix("The authors' figures took "))
    #expect(lines[16...] == ["Store: \(path)", "Run again to add new commits.", ""])
    let again = try DemoRun.result("--repo", repository.path, "--store", path)
    #expect(again.output.hasPrefix("\(repository.path)/.git: nothing to do in "))
  }

  @Test func searchesSubjects() throws {
    let repository = try TestRepository()
    try repository.commit("Mend the Café door", by: "Ada", at: "1000000000 +0000")
    try repository.commit("CAFETERIA opens, door mended", by: "Zoë Door", at: "1000086400 +0000")
    try repository.commit("Nothing", by: "山田太郎", at: "1000172800 +0900")
    let path = repository.folder.file("store.sqlite")
    let result = try DemoRun.result("--repo", repository.path, "--store", path, "--search", "door cafe")
    #expect(result.status == 0)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[2].hasPrefix("2 commits have “door cafe” in the subject, 0 in the author's name. The best ten took "))
    #expect(lines[2].hasSuffix(" and finds 1."))
    #expect(result.output.contains("Mend the Café door"))
    #expect(!result.output.contains("Nothing"))
    let other = try DemoRun.result(
      "--repo", repository.path, "--store", path, "--search", "-cafe \"door mended", "--json")
    struct Output: Decodable {
      struct Search: Decodable { let input: String, found: Int, foundByAuthor: Int }
      let search: Search
    }
    let search = try JSONDecoder().decode(Output.self, from: Data(other.output.utf8)).search
    #expect(search.input == "-cafe \"door mended" && search.found == 1)
    #expect(search.foundByAuthor == 0)
    let both = try DemoRun.result("--repo", repository.path, "--live", "--search", "a")
    #expect(both.status == 64)
    #expect(both.errors.contains("--search looks into one store, and --live makes two: leave one option out."))
  }

  @Test func printsOneObjectOfJSON() throws {
    let repository = try TestRepository(commits: 300)
    let result = try DemoRun.result("--repo", repository.path, "--store", repository.folder.file("s"), "--json")
    #expect(result.status == 0)
    struct Output: Decodable {
      struct Author: Decodable {
        let name: String
        let commits, merges, filesChanged, linesAdded, linesDeleted: Int
        let firstDay, lastDay: String
      }
      let commits, merges, authors, fileChanges, peakResidentBytes: Int
      let seconds: Double
      let topAuthors: [Author]
    }
    let output = try JSONDecoder().decode(Output.self, from: Data(result.output.utf8))
    let totals = try Totals(of: repository.path)
    #expect(output.commits == totals.commits)
    #expect(output.merges == totals.merges)
    #expect(output.authors == totals.authors.count)
    #expect(output.topAuthors.map { "\($0.commits) \($0.name)" } == Array(totals.authors.prefix(10)))
    #expect(output.seconds > 0)
    #expect((1_000_000..<150_000_000).contains(output.peakResidentBytes))
  }

  @Test func resumesInItsDefaultFile() throws {
    let repository = try TestRepository(commits: 20)
    let folder = try TemporaryFolder()
    let environment = TestRepository.environment.merging(["TMPDIR": folder.path]) { $1 }
    let first = try DemoRun.result("--repo", repository.path, environment: environment)
    #expect(first.output.contains("added 20 commits"))
    #expect(first.output.contains("Store: \(folder.path)/sanderling-demo-repository-"))
    let second = try DemoRun.result(environment: environment, directory: repository.path)
    #expect(second.output.contains("nothing to do"))
  }

  @Test func ignoresTheEnvironmentOfGitHooks() throws {
    let repository = try TestRepository(commits: 20)
    let other = try TestRepository()
    let environment = TestRepository.environment.merging(
      ["GIT_DIR": other.path + "/.git", "GIT_WORK_TREE": other.path, "GIT_INDEX_FILE": "none"]
    ) { $1 }
    let result = try DemoRun.result(
      "--repo", repository.path, "--store", repository.folder.file("s"), environment: environment)
    #expect(result.output.contains("added 20 commits"))
  }

  @Test func logsStatementsOnRequest() throws {
    let repository = try TestRepository(commits: 20)
    let silent = try DemoRun.result("--repo", repository.path, "--store", repository.folder.file("a"))
    #expect(silent.errors == "")
    let flagged = try DemoRun.result(
      "--repo", repository.path, "--store", repository.folder.file("b"), "--log-statements")
    #expect(flagged.errors.contains("INSERT INTO \"gitCommit\""))
    #expect(flagged.errors.contains("operation=import commits"))
    let environment = TestRepository.environment.merging(["SANDERLING_LOG": "debug"]) { $1 }
    let asked = try DemoRun.result(
      "--repo", repository.path, "--store", repository.folder.file("c"), environment: environment)
    #expect(asked.errors.contains("INSERT INTO \"gitCommit\""))
  }
}
