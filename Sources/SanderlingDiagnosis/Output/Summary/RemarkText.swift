/// A remark on the whole database in one line: the command if it is clear enough by itself, and the gain.
struct RemarkText: Sendable {
  let command: String
  /// A description in words, if the command is too long.
  let summary: String
  let reason: String
  /// Whether the remark has a command to run, and not a description.
  let isCommand: Bool

  /// - Parameter printed: The fixes that are printed before the remark. No command is printed twice.
  init(_ finding: Finding, beside printed: [FixGroup] = []) {
    let isTried = if case .triedNotBetter = finding.outcome { true } else { false }
    let sql = finding.fix?.sql ?? []
    let isPrinted = !isTried && !sql.isEmpty && Set(sql).isSubset(of: printed.flatMap(\.sql))
    isCommand = !isPrinted && !isTried && sql.count == 1
    if isPrinted {
      command = "The same \(sql.contains(where: \.createsIndex) ? "index" : "command") as above"
      summary = command
    } else {
      summary = isTried ? finding.title : finding.fix?.summary ?? finding.title
      command = isCommand ? sql[0] : summary
    }
    reason = [isTried ? "tried, not better:" : "", Self.gain(finding), Self.purpose(finding.kind)]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The remark as an unfinished sentence: a command is followed by the reason alone, words by a colon and the reason.
  var sentence: String { isCommand ? "\(command)  \(reason)" : "\(command): \(reason)" }

  /// Returns the gain in the form `12×`, if it is worth showing. The gain from dropping an index is too small.
  private static func gain(_ finding: Finding) -> String {
    guard finding.isProven, let gain = FindingGain(finding.outcome), gain.ratio >= 1.95 else { return "" }
    return gain.text
  }

  private static func purpose(_ kind: FindingKind) -> String {
    switch kind {
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
  }
}

extension DiagnosisReport {
  /// The remarks that ask for a change. A remark without a fix is shown in the details only: another change already has
  /// its effect.
  var remarks: [Finding] {
    findings.filter { $0.isRemark && $0.fix != nil }
  }
}
