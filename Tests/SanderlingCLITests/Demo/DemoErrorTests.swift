import Foundation
import Sanderling
import Testing

@testable import SanderlingCLI

/// Wrong input of `sanderling demo` ends with an exit code and a message with a remedy, and without output.
struct DemoErrorTests {
  let repository: TestRepository
  let folder: TemporaryFolder

  init() throws {
    repository = try TestRepository()
    try repository.commit("First")
    folder = repository.folder
  }

  private func expectFailure(
    _ message: String, repo: String? = nil, store: String? = nil,
    environment: [String: String] = TestRepository.environment, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try DemoRun.result(
      "--repo", repo ?? repository.path, "--store", store ?? folder.file("store.sqlite"), environment: environment)
    #expect(result.errors == "Error: \(message)\n", sourceLocation: sourceLocation)
    #expect(result.output == "", sourceLocation: sourceLocation)
    #expect(result.status == 1, sourceLocation: sourceLocation)
  }

  @Test func noGit() throws {
    try expectFailure(
      "git was not found in PATH. Install it (Debian: apt-get install git; macOS: xcode-select --install) and run again.",
      environment: TestRepository.environment.merging(["PATH": folder.path]) { $1 })
  }

  @Test func noDirectory() throws {
    let path = folder.file("none")
    try expectFailure("There is no directory \(path). Name a directory inside of a git repository.", repo: path)
    #expect(!FileManager.default.fileExists(atPath: folder.file("store.sqlite")))
  }

  @Test func noRepository() throws {
    let path = try TemporaryFolder()
    try expectFailure(
      "\(path.path) is not inside of a git repository. Name a directory inside of a repository, or run git init there.",
      repo: path.path)
  }

  @Test func emptyRepository() throws {
    let empty = try TestRepository()
    try expectFailure(
      "The repository at \(empty.path) has no commits: HEAD leads nowhere. "
        + "Commit a change, or check out a branch with commits.", repo: empty.path)
  }

  @Test func repositoryOfAnotherOwner() throws {
    // Git refuses a repository that it doesn't trust.
    let result = try DemoRun.result(
      "--repo", repository.path, "--store", folder.file("store.sqlite"),
      environment: TestRepository.environment.merging(["GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"]) { $1 })
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("Error: git rev-parse ended with exit code 128. It says:\nfatal: detected dubious"))
    #expect(result.errors.contains("safe.directory"))
  }

  @Test func foreignDatabase() throws {
    let path = folder.file("foreign.sqlite")
    try Store(path: path, schema: [Author.self]).close()
    let before = try Data(contentsOf: URL(filePath: path))
    try expectFailure(
      "\(path) is a database that sanderling demo did not make, and it was left alone. "
        + "Name another file with --store.", store: path)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.sorted() == ["foreign.sqlite", "repository"])
  }

  @Test(arguments: ["hello", String(repeating: "hello ", count: 100)])
  func noDatabase(text: String) throws {
    let path = folder.file("text.txt")
    try Data(text.utf8).write(to: URL(filePath: path))
    try expectFailure(
      "\(path) is no SQLite database, and it was left alone. Name another file with --store.", store: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func emptyFileIsFilled() throws {
    let path = folder.file("empty.sqlite")
    try Data().write(to: URL(filePath: path))
    #expect(try DemoRun.result("--repo", repository.path, "--store", path).status == 0)
  }

  @Test func folderInPlaceOfStore() throws {
    try expectFailure(
      "\(folder.path) is a folder. Name a file with --store; a missing file is created.", store: folder.path)
  }

  @Test func noFolderForStore() throws {
    let path = folder.file("none/store.sqlite")
    try expectFailure(
      "\(path) can't be made: there is no folder \(folder.file("none")). Make it, or name another file with --store.",
      store: path)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
  func unwritableFolder() throws {
    try expectFailure(
      "/proc/store.sqlite can't be used as the store: it can't be made. "
        + "Check the permissions of the file and of its folder, or name another file with --store.",
      store: "/proc/store.sqlite")
  }

  @Test(.enabled(if: getuid() != 0, "root may write everything"))
  func unwritableFile() throws {
    let path = folder.file("store.sqlite")
    #expect(try DemoRun.result("--repo", repository.path, "--store", path).status == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let result = try DemoRun.result("--repo", repository.path, "--store", path)
    #expect(result.status == 1)
    #expect(result.errors.hasSuffix("or name another file with --store.\n"))
  }

  @Test func storeOfAnotherVersion() async throws {
    let path = folder.file("store.sqlite")
    let store = try await DemoStore.open(path)
    try await store.write("change the schema") { try $0.execute("ALTER TABLE author RENAME COLUMN name TO title") }
    try store.close()
    try expectFailure(
      "\(path) was made by another version of sanderling demo. Delete it, or name another file with --store.",
      store: path)
  }

  @Test func storeIsPrivate() throws {
    let path = folder.file("store.sqlite")
    #expect(try DemoRun.result("--repo", repository.path, "--store", path).status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func otherRepository() throws {
    let path = folder.file("store.sqlite")
    #expect(try DemoRun.result("--repo", repository.path, "--store", path).status == 0)
    let other = try TestRepository()
    try other.commit("Other")
    try expectFailure(
      "\(path) holds the history of another repository, \(repository.path)/.git, and not the history of \(other.path)/.git. "
        + "Name another file with --store, or delete this one to start again.", repo: other.path, store: path)
  }

  @Test(arguments: [["--store", ""], ["--repo", ""], ["--bogus"], ["surplus"]])
  func usage(arguments: [String]) throws {
    let result = try Subcommand(DemoRun.executable, ["demo"] + arguments).result()
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.contains("Usage: sanderling demo"))
  }
}
