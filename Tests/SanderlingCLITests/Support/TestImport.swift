import Foundation
import Sanderling

@testable import SanderlingCLI

/// Imports a repository in the test's own process.
///
/// - Returns: The store, and the outcome of the import.
@discardableResult
func importHistory(
  of directory: String, into path: String
) async throws -> (store: Store, outcome: HistoryImporter.Outcome) {
  let repository = try await GitRepository(at: directory)
  let store = try await DemoStore.open(path)
  let outcome = try await HistoryImporter(
    repository: repository, store: store, progress: ImportProgress(output: .none)
  ).run()
  return (store, outcome)
}

/// The totals of a history, counted by git or in a store.
struct Totals: Equatable {
  var commits: Int
  var merges: Int
  /// Each author's number of commits and name, the largest number first.
  var authors: [String]

  /// Counts the history of HEAD with git.
  init(of directory: String) throws {
    func git(_ arguments: String...) throws -> String { try TestRepository.git(arguments, in: directory) }
    commits = Int(try git("rev-list", "--count", "HEAD")) ?? -1
    merges = Int(try git("rev-list", "--merges", "--count", "HEAD")) ?? -1
    authors = try git("shortlog", "-sn", "HEAD").split(separator: "\n").map {
      $0.drop { $0 == " " }.replacingOccurrences(of: "\t", with: " ")
    }
  }

  init(of store: Store) async throws {
    commits = try await store.count(GitCommit.query)
    merges = try await store.count(GitCommit.where { $0.isMerge })
    authors = try await store.fetch(AuthorSummary.top(1_000_000)).map { "\($0.commits) \($0.name)" }
  }
}
