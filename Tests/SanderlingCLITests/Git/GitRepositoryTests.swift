import Foundation
import Testing

@testable import SanderlingCLI

struct GitRepositoryTests {
  @Test func findsTheRepositoryOfSubfolder() async throws {
    let repository = try TestRepository()
    try repository.write("a", to: "deep/folder/a.txt")
    try repository.commit("Add a file")
    let found = try await GitRepository(at: repository.path + "/deep/folder")
    #expect(found.gitDirectory == repository.path + "/.git")
    #expect(try found.head == repository.git("rev-parse", "HEAD"))
    #expect(try await found.commitCount() == 1)
  }

  @Test func reportsMissingForeignAndEmptyFolders() async throws {
    let folder = try TemporaryFolder()
    await #expect(throws: GitError.noSuchDirectory(folder.file("none"))) {
      try await GitRepository(at: folder.file("none"))
    }
    await #expect(throws: GitError.notARepository(folder.path)) { try await GitRepository(at: folder.path) }
    let empty = try TestRepository()
    await #expect(throws: GitError.noCommits(empty.path)) { try await GitRepository(at: empty.path) }
  }

  @Test func showsTheWordsOfGitWhenItFails() async throws {
    let repository = try TestRepository()
    try repository.commit("First")
    let git = GitProcess(directory: repository.path)
    let error = await #expect(throws: GitError.self) { try await git.output(["log", "no-such-branch", "--"]) }
    #expect(
      error
        == .failed(command: "log", status: "exit code 128", message: "fatal: bad revision 'no-such-branch'"))
  }

  @Test func failureOfGitDuringAnImportIsAnError() async throws {
    let repository = try TestRepository()
    for number in 1...3 {
      try repository.write("\(number)", to: "a.txt")
      try repository.commit("Change \(number)")
    }
    // Removes a blob that the history needs.
    let blob = try repository.git("rev-parse", "HEAD~1:a.txt")
    try FileManager.default.removeItem(
      atPath: "\(repository.path)/.git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
    let folder = try TemporaryFolder()
    let error = await #expect(throws: GitError.self) {
      try await importHistory(of: repository.path, into: folder.file("store.sqlite"))
    }
    #expect(error?.description.contains("unable to read \(blob)") == true)
  }
}
