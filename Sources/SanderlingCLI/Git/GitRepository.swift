import Foundation

/// A repository, and the commit whose history is imported.
struct GitRepository: Sendable {
  let git: GitProcess
  /// The absolute path of the repository's git folder; of a worktree, the worktree's own folder.
  let gitDirectory: String
  /// The commit of HEAD when the repository was opened, in hexadecimal digits.
  let head: String

  /// Finds the repository of a directory.
  ///
  /// - Throws: ``GitError`` if git, the directory, the repository or a commit is missing.
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

  /// Returns the number of commits in the history.
  func commitCount() async throws -> Int? {
    Int(try await git.output(["rev-list", "--count", head, "--"]).withoutLastNewline)
  }
}

extension String {
  fileprivate var withoutLastNewline: String {
    hasSuffix("\n") ? String(dropLast()) : self
  }
}
