/// The forms that proven rewrites give to statements, with the indexes for them: what the plan of a report chooses from.
///
/// Belongs to the thread of the diagnosis.
final class RewriteLedger {
  struct Entry {
    /// As the finding's fix shows it.
    var shownSQL: String
    /// The rewritten statement in the place of the original, as measured without indexes of its own.
    var statement: AnalyzedStatement
    /// The indexes that it needs; nil where it needs none.
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

  /// The form that a finding proposes.
  func entry(of finding: Finding) -> Entry? {
    guard let id = finding.statement, let sql = finding.fix?.sql else { return nil }
    return entries[id]?.first { sql.contains($0.shownSQL) }
  }
}
