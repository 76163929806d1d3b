/// One problem: its place, evidence, fix, and the gain of the fix on a copy.
public struct Finding: Sendable {
  /// The kind of problem.
  public var kind: FindingKind
  /// The importance of the problem.
  public var severity: Severity
  /// The statement's number in the workload; nil for findings about the whole database.
  public var statement: Int?
  /// The node of the statement's plan.
  public var node: Int?
  /// The code that runs the statement, if a log names it.
  public var caller: String?
  /// The problem in one line, with the figure that matters.
  public var title: String
  /// The problem and its cause, in a few sentences.
  public var explanation: String
  /// The figures that show the problem.
  public var evidence: [Evidence]
  /// The change that solves the problem; nil if none is known.
  public var fix: Fix?
  /// The result of the trial of the fix on a copy.
  public var outcome: Outcome
  /// The limits of the finding: a stand-in for an app's function, a budget that ran out.
  public var limits: [String]
  /// Whether the finding concerns the database as a whole, independent of the statements: a setting, a superfluous
  /// index. Each remark is one line of a report, and makes no run fail.
  public var isRemark: Bool
  /// The evidence that the fix's rewrite returns the same rows. Nil for a fix that leaves the statement unchanged, and
  /// if nothing was compared.
  public var formProof: FormProof?
  /// Another fix with about the same gain: an index in place of a rewrite, or vice versa.
  var alternative: String?
  /// The statements that a fix of the whole database makes faster.
  var improved: [Int] = []

  public init(
    kind: FindingKind, severity: Severity, statement: Int? = nil, node: Int? = nil, caller: String? = nil,
    title: String, explanation: String, evidence: [Evidence] = [], fix: Fix? = nil, outcome: Outcome,
    limits: [String] = [], isRemark: Bool? = nil, formProof: FormProof? = nil
  ) {
    self.kind = kind
    self.severity = severity
    self.statement = statement
    self.node = node
    self.caller = caller
    self.title = title
    self.explanation = explanation
    self.evidence = evidence
    self.fix = fix
    self.outcome = outcome
    self.limits = limits
    self.isRemark = isRemark ?? (statement == nil && kind.isAboutDatabase)
    self.formProof = formProof
  }

  /// The result of the measurements of the fix.
  public enum Outcome: Sendable {
    /// The fix was applied to a copy and was better.
    case proven([Comparison])
    /// The fix was applied to a copy and was not better.
    case triedNotBetter([Comparison])
    /// The finding concerns correctness or a setting, or no trial was possible. The reason says which.
    case notMeasured(reason: String)
  }
}

/// The importance of a finding. Ordered, least first.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// Worth knowing.
  case note
  /// Costs time or space that a fix saves.
  case warning
  /// Costs most of a statement's time, or grows unnecessarily with the data.
  case error
  /// The statement returns wrong results.
  case wrongResult = "wrong-result"

  public static func < (one: Severity, other: Severity) -> Bool {
    allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)!
  }
}

/// A figure that shows a problem.
public struct Evidence: Hashable, Sendable {
  /// The name of the counted quantity, in words: `"rows read"`.
  public var name: String
  /// The figure, in `unit`.
  public var value: Double
  /// `"rows"`, `"steps"`, `"pages"`, `"bytes"`, `"s"`, or empty for a plain number.
  public var unit: String
  /// The calculation of the value, if a formula explains it: `"114 × 281 × 4"`.
  public var formula: String?

  public init(name: String, value: Double, unit: String, formula: String? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.formula = formula
  }
}

/// The change that solves the problem, in the words of each library. It contains values of the database only if
/// `showValues` was set.
public struct Fix: Sendable {
  /// The effect of the fix, in one line: `"Index task by project and date"`.
  public var summary: String
  /// The SQL to run: DDL, a statement that replaces the old one, or a PRAGMA.
  public var sql: [String]
  /// The fix as code for GRDB, if there is any.
  public var grdb: String?
  /// The fix as code for Sanderling, if there is any.
  public var sanderling: String?
  /// The fix for Core Data, if there is any.
  public var coreData: String?

  public init(
    summary: String, sql: [String], grdb: String? = nil, sanderling: String? = nil, coreData: String? = nil
  ) {
    self.summary = summary
    self.sql = sql
    self.grdb = grdb
    self.sanderling = sanderling
    self.coreData = coreData
  }
}
