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
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue else {
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

  /// Of a shallow clone, which commits it ends with, as a hash: their own changes aren't known, and what came before isn't there. Nil for a
  /// whole history.
  func shallowEnd() async throws -> String? {
    guard try await git.output(["rev-parse", "--is-shallow-repository"]).withoutLastNewline == "true" else {
      return nil
    }
    let path = try await git.output(["rev-parse", "--git-path", "shallow"]).withoutLastNewline
    return try await git.output(["hash-object", "--", path]).withoutLastNewline
  }

  /// How many commits the history has.
  func commitCount() async throws -> Int? { try await commitCount(after: nil, upTo: head) }

  /// How many commits lead to one and not to another.
  func commitCount(after base: String?, upTo head: String) async throws -> Int? {
    let range = [head] + (base.map { ["^\($0)"] } ?? [])
    return Int(try await git.output(["rev-list", "--count"] + range + ["--"]).withoutLastNewline)
  }

  /// Whether a commit, in hexadecimal digits, is part of the history.
  func leadsToHead(_ commit: String) async throws -> Bool {
    do {
      _ = try await git.output(["merge-base", "--is-ancestor", commit, head])
      return true
    } catch GitError.failed {
      // Exit code 1, or 128 where there is no such commit any more.
      return false
    }
  }
}

extension String {
  fileprivate var withoutLastNewline: String {
    hasSuffix("\n") ? String(dropLast()) : self
  }
}
