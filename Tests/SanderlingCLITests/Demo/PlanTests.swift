import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingCLI

/// The queries of the demo use the indexes that were made for them.
struct PlanTests {
  @Test func summaryScansOnlyAuthors() async throws {
    let plan = try await plan(of: AuthorSummary.top(10))
    #expect(plan.contains("USING COVERING INDEX fileChange_on_commitID_linesAdded_linesDeleted (commitID=?)"))
    #expect(scans(plan).subtracting(["SCAN author", "SCAN chosen"]) == [])
  }

  @Test func newestCommitsAreReadInTheOrderOfAnIndex() async throws {
    let plan = try await plan(of: NewestCommit.first(10))
    #expect(plan.contains("gitCommit_on_committedAt_desc"))
    #expect(!plan.contains("TEMP B-TREE"))
  }

  @Test func commitsAreFoundByHash() async throws {
    let hashes = (0..<500).map { Data(repeating: UInt8($0 % 256), count: 20) + [UInt8($0 / 256)] }
    let query = GitCommit.where { $0.hash.in(hashes) }.select { ($0.hash, $0.id, $0.authorID) }
    #expect(try await plan(of: query).contains("USING INDEX gitCommit_on_hash (hash=?)"))
  }

  private func plan<Root, Output>(of query: Selection<Root, Output>) async throws -> String {
    let store = try Store(inMemory: DemoSchema.records)
    let sql = try query.sql
    return try await store.read { transaction in
      let arguments = StatementArguments(sql.arguments.map { _ in 1 })
      let rows = try Row.fetchAll(transaction.database, sql: "EXPLAIN QUERY PLAN " + sql.sql, arguments: arguments)
      return rows.map { $0["detail"] as String }.joined(separator: "\n")
    }
  }

  private func scans(_ plan: String) -> Set<String> {
    Set(
      plan.split(separator: "\n").filter { $0.hasPrefix("SCAN") }.map {
        $0.split(separator: " ").prefix(2).joined(separator: " ")
      })
  }
}
