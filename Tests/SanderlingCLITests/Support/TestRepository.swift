import Foundation

/// A git repository that a test makes with git commands, with fixed names and dates.
final class TestRepository: Sendable {
  let folder: TemporaryFolder
  let path: String

  init(_ options: String...) throws {
    folder = try TemporaryFolder()
    path = folder.file("repository")
    try Self.git(["init", "--quiet", "--initial-branch=main"] + options + [path], in: folder.path)
  }

  /// Makes a repository with the synthetic history of `make-history.sh`.
  init(commits: Int) throws {
    folder = try TemporaryFolder()
    path = folder.file("repository")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "make-history.sh").path
    let result = try Subcommand("/bin/sh", [script, path, String(commits)]).result()
    guard result.status == 0 else { throw Subcommand.Failure(description: result.errors) }
  }

  /// Runs git in the repository.
  ///
  /// - Returns: The output without the end of its last line.
  @discardableResult
  func git(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
    try Self.git(arguments, in: path, environment: environment)
  }

  func write(_ text: String, to file: String) throws {
    try write(Data(text.utf8), to: file)
  }

  func write(_ data: Data, to file: String) throws {
    let url = URL(filePath: path).appending(path: file)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// Commits all changes in the working tree.
  ///
  /// - Parameters:
  ///   - date: Seconds since 1970 and a time zone, as in `1000000000 +0000`.
  func commit(_ subject: String, by author: String = "Ada", at date: String = "1000000000 +0000") throws {
    try git("add", "--all")
    try git(
      "commit", "--quiet", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "--message", subject,
      environment: Self.identity(author, date))
  }

  static func identity(_ author: String, _ date: String) -> [String: String] {
    [
      "GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": "\(author.lowercased())@example.com", "GIT_AUTHOR_DATE": date,
      "GIT_COMMITTER_NAME": "Committer", "GIT_COMMITTER_EMAIL": "committer@example.com", "GIT_COMMITTER_DATE": date,
    ]
  }

  @discardableResult
  static func git(
    _ arguments: [String], in directory: String, environment: [String: String] = [:]
  ) throws -> String {
    let result = try Subcommand(
      "/usr/bin/env", ["git"] + arguments, environment: Self.environment.merging(environment) { $1 },
      directory: directory
    ).result()
    guard result.status == 0 else {
      throw Subcommand.Failure(description: "git \(arguments.joined(separator: " ")): \(result.errors)")
    }
    return result.output.hasSuffix("\n") ? String(result.output.dropLast()) : result.output
  }

  /// The environment for git, without the configuration of the user and the machine.
  static let environment = ProcessInfo.processInfo.environment.merging(
    [
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C", "GIT_AUTHOR_NAME": "Ada",
      "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Committer",
      "GIT_COMMITTER_EMAIL": "committer@example.com",
    ]
  ) { $1 }
}
