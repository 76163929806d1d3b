import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingCLI

struct WantedSearchTests {
  /// Runs the search's condition in a statement that would never end by itself.
  private static func run(_ wanted: WantedSearch, _ database: DatabaseQueue, limit: Int? = nil) throws -> Int? {
    let condition: Term = .raw(wanted.condition)
    guard case .raw(let fragments) = condition else { return nil }
    var sql = ""
    var arguments: [Int64] = []
    for fragment in fragments {
      switch fragment {
      case .sql(let text): sql += text.string
      case .value(.integer(let number)):
        sql += "?"
        arguments.append(number)
      default: Issue.record("the condition has a fragment that is neither SQL nor an integer")
      }
    }
    return try database.read { db in
      try Int.fetchOne(
        db,
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \(limit.map { "WHERE i < \($0)" } ?? ""))
          SELECT count(*) FROM n WHERE \(sql)
          """, arguments: StatementArguments(arguments))
    }
  }

  @Test func endingASearchInterruptsItsStatement() throws {
    let database = try DatabaseQueue()
    let wanted = WantedSearch(database)
    #expect(try Self.run(wanted, database, limit: 100) == 100)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      wanted.end()
    }
    #expect(throws: DatabaseError.self) { try Self.run(wanted, database) }
    // The next run is independent of the interrupted run.
    #expect(try Self.run(wanted, database, limit: 100) == 100)
  }
}
