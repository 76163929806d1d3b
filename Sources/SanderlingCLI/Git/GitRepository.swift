import Foundation

/// A repository, and the commit whose history is imported.
struct GitRepository: Sendable {
  let git: GitProcess
  /// The absolute path of the folder that git keeps the repository in; for a worktree, of the worktree's own.
  let gitDirectory: String
  /// The commit that HEAD led to when the repository was opened, in hexadecimal digits.
  let head: String

  /// Finds the repository that a directory belongs to.
  ///
  /// - Throws: ``GitError`` when there is no git, no such directory, no repository, or no commit in it.
  init(at directory: String) async throws {
    guard FileKind(at: directory) == .folder else {
      throw GitError.noSuchDirectory(directory)
    }
    git = GitProcess(directory: directory)
    do {
      gitDirectory = try await git.output(["rev-parse", "--absolute-git-dir"]).withoutLastNewline
    } catch GitError.failed(_, _, let message) where message.contains("not a git repository") {
      throw GitError.notARepository(directory)
    }
    do {
      head = try await git.output(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]).withoutLastNewline
    } catch GitError.failed(_, _, let message) where message.isEmpty {
      throw GitError.noCommits(directory)
    }
  }

  /// How many commits the history has.
  func commitCount() async throws -> Int? {
    Int(try await git.output(["rev-list", "--count", head, "--"]).withoutLastNewline)
  }
}

extension String {
  fileprivate var withoutLastNewline: String {
    hasSuffix("\n") ? String(dropLast()) : self
  }
}
