import Foundation
import Testing

/// Tries each index of one and of two columns, and each index of all columns that a statement names. A fine statement
/// must not gain, and no such index may be much better than the listed best index. Takes minutes, and runs only if
/// `SANDERLING_CORPUS_BRUTE_FORCE` is set.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SANDERLING_CORPUS_BRUTE_FORCE"] != nil))
struct CorpusBruteForceTests {
  @Test func noSmallOrCoveringIndexHelpsAStatementThatNeedsNoFix() async throws {
    let only = ProcessInfo.processInfo.environment["SANDERLING_CORPUS_ONLY"]
    for schema in Corpus.schemas where only == nil || only == schema.name {
      let path = try await CorpusFolder.shared.copy(of: schema)
      defer { try? FileManager.default.removeItem(atPath: path) }
      for statement in schema.statements where statement.operation == nil { try check(statement, path) }
    }
  }

  private func check(_ statement: CorpusStatement, _ path: String) throws {
    let trial = CorpusTrial(path: path)
    let before = try trial.cost(of: statement, Remedy()).cost
    var least = (cost: before, index: "")
    for index in try candidates(statement, path) {
      let cost = try trial.cost(of: statement, .index(index)).cost
      if cost < least.cost { least = (cost, index) }
    }
    let share = 1 - least.cost / before
    switch statement.verdict {
    case .none:
      print(statement.id, "fine", Int(before), "→", Int(least.cost), least.index)
      #expect(
        share <= 0.2 || before - least.cost < CorpusScore.leastDifference,
        "\(statement.id): \(least.index) saves \(share)")
    case .fix(_, let best, _, _):
      guard best.isMeasurable else { break }
      let known = try trial.cost(of: statement, best).cost
      if least.cost < 0.7 * known, known - least.cost > CorpusScore.leastDifference {
        print(statement.id, "best", Int(known), "of", Int(before), "but", Int(least.cost), least.index)
      }
    }
  }

  /// The indexes to try, made of the columns that the statement names; other columns can't help. They are single
  /// columns, pairs, and each column followed by all others.
  private func candidates(_ statement: CorpusStatement, _ path: String) throws -> [String] {
    let connection = try CorpusConnection(path: path)
    let words = Set(statement.sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { $0.lowercased() })
    let columns = try connection.run(
      """
      SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1, c.cid
      """, keepsRows: true
    ).rows.compactMap { row -> (table: String, column: String)? in
      guard case .text(let table) = row[0], case .text(let column) = row[1] else { return nil }
      return words.contains(table.lowercased()) && words.contains(column.lowercased()) ? (table, column) : nil
    }
    var targets: [String] = []
    for first in columns {
      targets.append("\(first.table) (\(quoted(first.column)))")
      for second in columns where second.table == first.table && second.column != first.column {
        targets.append("\(first.table) (\(quoted(first.column)), \(quoted(second.column)))")
      }
      let others = columns.filter { $0.table == first.table && $0.column != first.column }.map(\.column)
      if others.count > 1 {
        targets.append("\(first.table) (\(([first.column] + others).map(quoted).joined(separator: ", ")))")
      }
    }
    return targets
  }

  /// The column as a quoted identifier, since some programs have columns that are keywords.
  private func quoted(_ column: String) -> String { "\"\(column)\"" }
}
