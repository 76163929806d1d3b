import ArgumentParser
import Foundation
import SanderlingDiagnosis

/// The limits of `sanderling diagnose`, and the kinds of problems to look for.
struct DiagnoseLimits: ParsableArguments {
  @Option(
    help: ArgumentHelp("The time for the diagnosis, after the database is copied. (default: 60)", valueName: "seconds"))
  var budget: Double?

  @Option(
    help: ArgumentHelp(
      "The time for each statement and its fixes. (default: a share of the budget, at least 2)",
      valueName: "seconds"))
  var statementBudget: Double?

  @Option(
    name: .customLong("disk"),
    help: ArgumentHelp("The space that copies may take at the same time.", valueName: "megabytes"))
  var megabytes: Int64?

  @Option(help: ArgumentHelp("The most indexes that are proposed for the workload.", valueName: "number"))
  var maxIndexes: Int?

  @Option(help: ArgumentHelp("The folder for copies. (default: the system's temporary folder)", valueName: "folder"))
  var temporaryFolder: String?

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp("Look for one kind of finding. Can be given several times.", valueName: "kind"),
    transform: Self.kind)
  var kinds: [FindingKind] = []

  func validate() throws {
    try Self.check(seconds: budget, of: "--budget")
    try Self.check(seconds: statementBudget, of: "--statement-budget")
    try Self.check(megabytes: megabytes, of: "--disk")
    if let maxIndexes, maxIndexes < 0 { throw ValidationError("--max-indexes needs 0 or more.") }
    if temporaryFolder?.isEmpty == true { throw ValidationError("--temporary-folder needs the path of a folder.") }
  }

  static func check(seconds: Double?, of name: String) throws {
    // The limit is a year. A duration could hold more, but a sum of durations might overflow.
    if let seconds, !(seconds > 0 && seconds <= 31_536_000) {
      throw ValidationError("\(name) needs a number of seconds above 0.")
    }
  }

  static func check(megabytes: Int64?, of name: String) throws {
    if let megabytes, !(1...Int64.max / 1_000_000).contains(megabytes) {
      throw ValidationError("\(name) needs a number of megabytes above 0.")
    }
  }

  /// Returns the library's options. Options that were not given keep their defaults.
  ///
  /// - Parameter spent: The time that the command has already worked, which is seconds for long logs. At least half of
  ///   the budget is left.
  func options(afterWorking spent: Duration = .zero) -> Diagnosis.Options {
    var options = Diagnosis.Options()
    if let budget { options.timeBudget = .seconds(budget) }
    options.timeBudget = max(options.timeBudget - spent, options.timeBudget / 2)
    if let statementBudget { options.statementBudget = .seconds(statementBudget) }
    if let megabytes { options.diskBudget = megabytes * 1_000_000 }
    if let maxIndexes { options.maximumIndexes = maxIndexes }
    if let temporaryFolder { options.temporaryFolder = URL(filePath: temporaryFolder, directoryHint: .isDirectory) }
    if !kinds.isEmpty { options.kinds = Set(kinds) }
    return options
  }

  private static func kind(_ name: String) throws -> FindingKind {
    guard let kind = FindingKind(rawValue: name) else {
      let names = FindingKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("The kinds are \(names).")
    }
    return kind
  }
}
