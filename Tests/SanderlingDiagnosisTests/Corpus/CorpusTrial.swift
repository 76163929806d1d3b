import Foundation
import SanderlingDiagnosis

/// Runs a statement on a copy, without or with a remedy, and undoes all changes.
struct CorpusTrial {
  let path: String

  /// The cost of all executions of a statement.
  struct Cost: CustomStringConvertible {
    var steps: Int64 = 0
    var pages: Int64 = 0
    var automaticIndexRows: Int64 = 0
    var executions: Int64 = 0
    var duration: Duration = .zero
    var rowCount = 0
    /// A hash of the rows, equal for the same rows in any order.
    var digest: UInt64 = 0

    /// The cost as one number that is the same on each run. It is the steps of the virtual machine, plus 50 for each
    /// requested page and each row put into an automatic index, plus 500 for each execution.
    ///
    /// Measured here: a step takes 5 to 15 ns. A page in the cache takes as long as 10 steps, a page read from the file
    /// as long as 150, so 50 stands for a cache that holds most pages. A row goes into an automatic index through pages
    /// that no counter counts. To start and end an execution (locks, change counter, rewinding) takes 5 to 10 µs.
    var cost: Double {
      Double(steps) + 50 * Double(pages + automaticIndexRows) + 500 * Double(executions)
    }

    var description: String {
      let milliseconds = Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1000
      return "steps \(steps) pages \(pages) rows \(rowCount) cost \(Int(cost)) "
        + String(format: "%.2f ms", milliseconds)
    }
  }

  /// The cost of a statement with a remedy. Each trial opens a connection of its own: after a rollback of ANALYZE, a
  /// connection still uses the statistics that it loaded.
  func cost(of statement: CorpusStatement, _ remedy: Remedy) throws -> Cost {
    let connection = try CorpusConnection(path: path)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -262144; BEGIN")
    for change in remedy.changes { try connection.execute(change) }
    let sql = remedy.replacement ?? statement.sql
    // A replacement that reads the rows of many keys at once has one more column than the statement: the key of each
    // row. The digest leaves out that column.
    let columns = statement.operation == nil ? nil : try connection.columnCount(statement.sql)
    var cost = Cost()
    for values in remedy.replacementExecutions ?? statement.executions {
      try connection.execute("SAVEPOINT execution")
      let execution = try connection.run(sql, values, columns: columns)
      try connection.execute("ROLLBACK TO execution; RELEASE execution")
      cost.steps += execution.steps
      cost.pages += execution.pages
      cost.automaticIndexRows += execution.automaticIndexRows
      cost.executions += 1
      cost.duration += execution.duration
      cost.rowCount += execution.rowCount
      cost.digest &+= execution.digest
    }
    try connection.execute("ROLLBACK")
    return cost
  }
}
