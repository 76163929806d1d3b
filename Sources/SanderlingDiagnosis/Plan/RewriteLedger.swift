/// The proven rewrites of statements, with their indexes. The plan of a report chooses from these.
///
/// Belongs to the thread of the diagnosis.
final class RewriteLedger {
  struct Entry {
    /// The SQL that the finding's fix shows.
    var shownSQL: String
    /// The rewritten statement in place of the original, as measured without its own indexes.
    var statement: AnalyzedStatement
    /// The indexes that the rewrite needs; nil if it needs none.
    var advice: StatementAdvice?
    var comparisons: [Comparison]

    var work: Double { comparisons.workAfter }
  }

  private(set) var entries: [Int: [Entry]] = [:]

  func note(_ result: RewriteTrial.Result, shownAs sql: String) {
    guard result.doubt == nil, let statement = result.statement else { return }
    entries[statement.statement.id, default: []].append(
      Entry(shownSQL: sql, statement: statement, advice: result.advice, comparisons: result.comparisons))
  }

  /// The rewrite that a finding proposes.
  func entry(of finding: Finding) -> Entry? {
    guard let id = finding.statement, let sql = finding.fix?.sql else { return nil }
    return entries[id]?.first { sql.contains($0.shownSQL) }
  }
}
