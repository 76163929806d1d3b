import ArgumentParser
import Foundation
import SanderlingDiagnosis
import SanderlingTerminal

/// The output options and exit code of `sanderling diagnose`.
struct DiagnoseOutput: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case terminal
    case json
    case markdown
  }

  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto
    case always
    case never
  }

  @Option(help: "The form of the report on standard output.")
  var format = Format.terminal

  @Option(help: ArgumentHelp("Also write the report as a self-contained HTML page.", valueName: "file"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Write the statements of all fixes, in order, as a script for the sqlite3 shell, with the reason beside each.",
      valueName: "file")
  )
  var apply: String?

  @Flag(help: "Show statements with the values in them. (default: values are left out)")
  var showValues = false

  @Option(
    help: ArgumentHelp(
      "End with exit code 2 when there is a finding of this severity or above: \(Self.severities).",
      valueName: "severity"),
    transform: Self.severity)
  var failOn: Severity?

  @Option(help: "Color the terminal's report; auto does if standard output is a terminal and NO_COLOR is not set.")
  var color = Color.auto

  @Flag(
    name: .shortAndLong,
    help: "Show plans, all figures and other trials in the terminal's report. (default: the fixes, in short)")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func validate() throws {
    if html?.isEmpty == true { throw ValidationError("--html needs the path of a file.") }
    if apply?.isEmpty == true { throw ValidationError("--apply needs the path of a file.") }
    if apply == "-" { throw ValidationError("--apply needs a file: standard output has the report of --format.") }
    if html == "-" { throw ValidationError("--html needs a file: standard output has the report of --format.") }
  }

  /// Writes the report to standard output.
  func write(_ report: DiagnosisReport, environment: [String: String]) throws {
    let text =
      switch format {
      case .terminal:
        TerminalReport(
          report, width: Self.width(environment: environment), isColored: isColored(environment: environment),
          showsValues: showValues, isVerbose: verbose
        ).text
      case .json: try JSONReport(report, showsValues: showValues).text
      case .markdown: MarkdownReport(report, showsValues: showValues).text
      }
    try OutputWriter.standardOutput.write(text)
  }

  func isColored(environment: [String: String], isTerminal: Bool = isatty(STDOUT_FILENO) == 1) -> Bool {
    switch color {
    case .always: true
    case .never: false
    case .auto: isTerminal && TextStyle(environment: environment).isColored && environment["TERM"] != "dumb"
    }
  }

  /// Returns the columns from the environment or the terminal; 100 if neither gives them.
  static func width(environment: [String: String], isTerminal: Bool = isatty(STDOUT_FILENO) == 1) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    return isTerminal ? TerminalScreen.size.columns : 100
  }

  private static let severities = Severity.allCases.map(\.rawValue).joined(separator: ", ")

  private static func severity(_ name: String) throws -> Severity {
    guard let severity = Severity(rawValue: name) else { throw ValidationError("The severities are \(severities).") }
    return severity
  }
}
