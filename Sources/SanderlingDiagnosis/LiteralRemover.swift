/// Takes literals out of what a report proposes: conditions of partial indexes have those of the statements.
struct LiteralRemover {
  func hideLiterals(in report: inout DiagnosisReport) {
    for place in report.findings.indices {
      guard var fix = report.findings[place].fix, hasLiterals(fix.sql) else { continue }
      fix.sql = fix.sql.map(text)
      fix.grdb = fix.grdb.map(text)
      fix.sanderling = fix.sanderling.map(text)
      fix.coreData = fix.coreData.map(text)
      fix.summary = text(fix.summary)
      report.findings[place].fix = fix
      report.findings[place].limits.append(Self.remark)
    }
    guard var advice = report.indexAdvice, hasLiterals(advice.migrationSQL) else { return }
    advice.migrationSQL = advice.migrationSQL.map(text)
    advice.migrationGRDB = text(advice.migrationGRDB)
    advice.migrationSanderling = text(advice.migrationSanderling)
    for place in advice.create.indices { advice.create[place].sql = text(advice.create[place].sql) }
    for place in advice.drop.indices { advice.drop[place].sql = text(advice.drop[place].sql) }
    report.indexAdvice = advice
    report.notes.append("The indexes for all statements: " + Self.remark)
  }

  private static let remark = "Literals are hidden, as ?: --show-values shows them."

  private func hasLiterals(_ statements: [String]) -> Bool { statements.contains { text($0) != $0 } }

  /// The text with `?` for its strings in single quotes. Numbers stay: they are flags and limits.
  private func text(_ text: String) -> String {
    let text = SQLText(text)
    var rewriter = SQLRewriter(text)
    for token in SQLTokenizer(text) where token.kind == .string && token.range.count > 2 {
      // A word in double quotes is a name, or a string of Swift.
      if text[token.range].hasPrefix("'") { rewriter.replace(token.range, with: "?") }
    }
    return rewriter.rewritten()
  }
}
