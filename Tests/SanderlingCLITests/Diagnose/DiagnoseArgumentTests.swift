import ArgumentParser
import Foundation
import SanderlingDiagnosis
import Testing

@testable import SanderlingCLI

/// The arguments of `sanderling diagnose` set the library's options.
struct DiagnoseArgumentTests {
  @Test func omittedOptionsKeepTheLibrarysDefaults() throws {
    let options = try DiagnoseCommand.parse(["a.sqlite"]).limits.options()
    let defaults = Diagnosis.Options()
    #expect(options.timeBudget == defaults.timeBudget)
    #expect(options.statementBudget == defaults.statementBudget)
    #expect(options.diskBudget == defaults.diskBudget)
    #expect(options.maximumIndexes == defaults.maximumIndexes)
    #expect(options.temporaryFolder == nil)
    #expect(options.kinds == nil)
  }

  /// The time budget includes the reading of a long log. At least half of the budget remains for the diagnosis.
  @Test(arguments: [(0, 60), (2, 58), (25, 35), (50, 30)])
  func readingTimeIsTakenFromTheBudget(spent: Int, left: Int) throws {
    let limits = try DiagnoseCommand.parse(["a.sqlite", "--budget", "60"]).limits
    #expect(limits.options(afterWorking: .seconds(spent)).timeBudget == .seconds(left))
  }

  @Test func optionsReachTheLibrary() throws {
    let command = try DiagnoseCommand.parse([
      "a.sqlite", "SELECT 1", "SELECT 2", "--budget", "2.5", "--statement-budget", "0.5", "--disk", "300",
      "--max-indexes", "0", "--temporary-folder", "/var/tmp", "--only", "full-scan", "--only", "join-fan-out", "--log",
      "a.log", "--log", "-", "--fail-on", "wrong-result", "--format", "markdown", "--color", "never",
    ])
    #expect(command.database == "a.sqlite")
    #expect(command.sql == ["SELECT 1", "SELECT 2"])
    #expect(command.input.logs == ["a.log", "-"])
    #expect(command.output.failOn == .wrongResult)
    #expect(command.output.format == .markdown)
    let options = command.limits.options()
    #expect(options.timeBudget == .milliseconds(2_500))
    #expect(options.statementBudget == .milliseconds(500))
    #expect(options.diskBudget == 300_000_000)
    #expect(options.maximumIndexes == 0)
    #expect(options.temporaryFolder?.path == "/var/tmp")
    #expect(options.kinds == [.fullScan, .joinFanOut])
  }

  @Test(arguments: [
    ([""], "The database needs the path of a file."),
    (["-"], "The database must be a file: standard input can't be copied."),
    (["a", " "], "A statement is empty."),
    (["a", "--log", ""], "--log, --trace and --sql-file need the path of a file."),
    (["a", "--log", "-", "--trace", "-"], "Standard input can be read only once."),
    (["a", "--html", "-"], "--html needs a file: standard output has the report of --format."),
    (["a", "--budget", "0"], "--budget needs a number of seconds above 0."),
    (["a", "--budget", "inf"], "--budget needs a number of seconds above 0."),
    (["a", "--statement-budget", "nan"], "--statement-budget needs a number of seconds above 0."),
    (["a", "--disk", "9223372036854775807"], "--disk needs a number of megabytes above 0."),
    (["a", "--max-indexes", "-1"], "--max-indexes needs 0 or more."),
    (["a", "-"], "--sql-file - reads statements from standard input"),
    (["a", "--temporary-folder", ""], "--temporary-folder needs the path of a folder."),
    (["a", "--fail-on", "fatal"], "The severities are note, warning, error, wrong-result."),
    (["a", "--only", "slow"], "The kinds are join-fan-out, join-order, multiplied-aggregate,"),
  ])
  func invalidArgumentsAreRefused(arguments: [String], message: String) {
    // A negative number is the value of its option here, and not another option.
    let joined = arguments.joined(separator: "\u{0}").replacing("--max-indexes\u{0}", with: "--max-indexes=")
    let arguments = joined.split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init)
    do {
      _ = try DiagnoseCommand.parse(arguments)
      Issue.record("the arguments are accepted")
    } catch {
      #expect(DiagnoseCommand.fullMessage(for: error).contains(message))
      #expect(DiagnoseCommand.exitCode(for: error) == .validationFailure)
    }
  }

  @Test func colorsOnTerminalsUnlessAskedNotTo() throws {
    func isColored(_ arguments: [String], _ environment: [String: String], isTerminal: Bool) throws -> Bool {
      try DiagnoseCommand.parse(["a"] + arguments).output.isColored(environment: environment, isTerminal: isTerminal)
    }
    #expect(try isColored([], [:], isTerminal: true))
    #expect(try !isColored([], [:], isTerminal: false))
    #expect(try !isColored([], ["NO_COLOR": "1"], isTerminal: true))
    #expect(try isColored([], ["NO_COLOR": ""], isTerminal: true))
    #expect(try !isColored([], ["TERM": "dumb"], isTerminal: true))
    #expect(try isColored(["--color", "always"], ["NO_COLOR": "1"], isTerminal: false))
    #expect(try !isColored(["--color", "never"], [:], isTerminal: true))
  }

  @Test func widthIsThatOfTheEnvironmentOr100() {
    #expect(DiagnoseOutput.width(environment: ["COLUMNS": "72"], isTerminal: true) == 72)
    #expect(DiagnoseOutput.width(environment: ["COLUMNS": "wide"], isTerminal: false) == 100)
    #expect(DiagnoseOutput.width(environment: ["COLUMNS": "-3"], isTerminal: false) == 100)
    #expect(DiagnoseOutput.width(environment: [:], isTerminal: false) == 100)
  }
}
