import SanderlingDiagnosis

/// A statement whose best fix is known. The fix was written down from knowledge of SQLite, before any tool was asked.
struct CorpusStatement: Sendable {
  /// The schema's name and a number: `"mail-07"`.
  let id: String
  let sql: String
  /// The sets of values with which the statement runs; one empty set if it has no parameters.
  let executions: [[CorpusValue]]
  /// Whether a tool receives the values. Without them, it must find some in the data.
  let logsValues: Bool
  /// The operation in which all of `executions` ran one after the other, for a statement that runs once per row.
  let operation: String?
  let verdict: Verdict

  enum Verdict: Sendable {
    /// No change pays. Findings of the `tolerated` kinds may explain why, but must propose no change.
    case none(reason: String, tolerated: Set<FindingKind>)
    /// A change pays. A tool has found the problem if it names one of `kinds`; `alternatives` are about as good as
    /// `best`.
    case fix(kinds: Set<FindingKind>, best: Remedy, alternatives: [Remedy], reason: String)
  }

  /// The best fix and its alternatives.
  var remedies: [Remedy] {
    if case .fix(_, let best, let alternatives, _) = verdict { [best] + alternatives } else { [] }
  }

  /// Whether the best remedy is a change of design, so that only naming the problem counts.
  var isOfDesign: Bool {
    if case .fix(_, let best, _, _) = verdict { !best.isMeasurable } else { false }
  }

  var isFine: Bool {
    if case .none = verdict { true } else { false }
  }
}
