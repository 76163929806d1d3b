/// A remark on the whole database in a line: what to run where that says it, and what it gains.
struct RemarkText: Sendable {
  let command: String
  /// In words, where the command is too long.
  let summary: String
  let reason: String

  init(_ finding: Finding) {
    let gain = finding.isProven ? FindingGain(finding.outcome) : nil
    let isTried = if case .triedNotBetter = finding.outcome { true } else { false }
    let sql = finding.fix?.sql ?? []
    command = sql.count == 1 && !isTried ? sql[0] : finding.fix.flatMap { isTried ? nil : $0.summary } ?? finding.title
    summary = isTried ? finding.title : finding.fix?.summary ?? finding.title
    let what =
      switch finding.kind {
      case .redundantIndex: "another index begins with its columns"
      case .duplicateIndex: "another index is the same"
      case .unusedIndex: "no statement of the workload reads it"
      case .slowForeignKey: "for deleting parents"
      case .journalMode, .synchronousMode: "for small transactions"
      default: finding.kind.rawValue
      }
    // What dropping an index gains is too small to tell.
    let figure = gain.flatMap { $0.ratio >= 1.95 ? "\($0.text) " : nil } ?? ""
    reason = (isTried ? "tried, not better: " : "") + figure + what
  }
}

extension DiagnosisReport {
  /// The remarks that ask for something. One that was taken back, since another change does the same, is in the details only.
  var remarks: [Finding] {
    findings.filter { $0.isRemark && $0.fix != nil }
  }
}
