/// A remark on the whole database in a line: what to run where that says it, and what it gains.
struct RemarkText: Sendable {
  let command: String
  /// In words, where the command is too long.
  let summary: String
  let reason: String

  /// - Parameter printed: The fixes that stand before it: no command stands twice.
  init(_ finding: Finding, beside printed: [FixGroup] = []) {
    let gain = finding.isProven ? FindingGain(finding.outcome) : nil
    let isTried = if case .triedNotBetter = finding.outcome { true } else { false }
    let sql = finding.fix?.sql ?? []
    let isPrinted = !isTried && !sql.isEmpty && Set(sql).isSubset(of: printed.flatMap(\.sql))
    command =
      if isPrinted {
        "The same index as above"
      } else if sql.count == 1 && !isTried {
        sql[0]
      } else {
        finding.fix.flatMap { isTried ? nil : $0.summary } ?? finding.title
      }
    summary = isPrinted ? command : isTried ? finding.title : finding.fix?.summary ?? finding.title
    let what =
      switch finding.kind {
      case .redundantIndex: "another index begins with its columns"
      case .duplicateIndex: "another index is the same"
      case .unusedIndex: "no statement of the workload reads it"
      case .slowForeignKey: "for deleting parents"
      case .journalMode, .synchronousMode: "for small transactions"
      case .pageSize: "with pages of another size"
      case .cacheSize: "for statements whose pages don't fit into the cache"
      case .autoVacuum, .fragmentation: "for the size and the order of the file"
      case .missingStatistics, .staleStatistics: "for the choice of indexes"
      case .harmfulIndex: "without the index"
      default: "for the whole workload"
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
