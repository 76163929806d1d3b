import Foundation
import TestPrograms
import Testing

@testable import SanderlingCLI

/// Misspelt arguments, and values that look like options, end the command with exit code 64 and a remedy.
struct ArgumentMistakeTests {
  private static func run(_ arguments: [String]) throws -> Subcommand.Result {
    let folder = try TemporaryFolder()
    try Data("id\n1\n".utf8).write(to: URL(filePath: folder.file("-dash.csv")))
    try Data().write(to: URL(filePath: folder.file("app.sqlite")))
    return try Subcommand(DemoRun.executable, arguments, directory: folder.path).result()
  }

  @Test(arguments: [
    (["brwse", "app.sqlite"], "There is no command brwse. Did you mean browse?\n"),
    (["help", "brwse"], "There is no command brwse. Did you mean browse?\n"),
    (["Sync"], "There is no command Sync. Did you mean sync?\n"),
    (
      ["frobnicate"],
      "There is no command frobnicate. The commands are demo, browse, diagnose, profile, records, sync, demo-sync"
    ),
    (["app.sqlite"], "app.sqlite is a file, and a command comes first, as in: sanderling browse app.sqlite\n"),
    (["browse", "app.sqlite", "--jsno"], "There is no option --jsno. Did you mean --json?\n"),
    (["browse", "app.sqlite", "-json"], "There is no option -json. Did you mean --json?\n"),
    (["sync", "x.csv", "--into", "a", "--recrod", "b"], "There is no option --recrod. Did you mean --record?\n"),
    (["sync", "x.csv", "--into", "a", "--recrod=b"], "There is no option --recrod. Did you mean --record?\n"),
    (["diagnose", "app.sqlite", "--budgte", "3"], "There is no option --budgte. Did you mean --budget?\n"),
    (
      ["demo", "--nothing-like-it"],
      "There is no option --nothing-like-it. Give values with a dash after --.\n"
    ),
    (
      ["sync", "-dash.csv", "--into", "a", "--record", "b"],
      "-dash.csv begins with a dash, as an option does. Name a file as ./-dash.csv, and give any other value after --.\n"
    ),
    (["sync", "-dash.csv"], "-dash.csv begins with a dash, as an option does. "),
    (["sync", "x.csv", "--into", "-h.sqlite", "--record", "b"], "-h.sqlite begins with a dash, as an option does. "),
    (["records", "-h.sqlite"], "-h.sqlite begins with a dash, as an option does. "),
    (["browse", "-h.sqlite"], "-h.sqlite begins with a dash, as an option does. "),
    (["diagnose", "-h.sqlite"], "-h.sqlite begins with a dash, as an option does. "),
    (["profile", "-h.sqlite"], "-h.sqlite begins with a dash, as an option does. "),
    (["profile", "app.sqlite", "--output", "-h.json"], "-h.json begins with a dash, as an option does. "),
    (["demo", "--store", "-h.sqlite"], "-h.sqlite begins with a dash, as an option does. "),
    (
      ["diagnose", "app.sqlite", "-- all\nSELECT 1"],
      "\"-- all\u{FFFD}SELECT 1\" begins with a dash, as an option does. Give values with a dash after --.\n"
    ),
  ])
  func theRemedyIsNamed(arguments: [String], message: String) throws {
    let result = try Self.run(arguments)
    #expect(result.status == 64 && result.output == "")
    #expect(result.errors.hasPrefix("Error: \(message)"), "\(result.errors)")
    #expect(result.errors.contains("--help' for more information.\n") || message.contains("is a file"))
  }

  /// The remedies work, and the other spellings of help are accepted.
  @Test(arguments: [
    ["sync", "./-dash.csv", "--into", "new.sqlite", "--record", "b"],
    ["sync", "--into", "new.sqlite", "--record", "b", "--", "-dash.csv"],
    ["sync", "--help"], ["sync", "-h"], ["sync", "-qh"], ["help", "sync"], ["--help"], ["help"], ["--version"],
    ["diagnose", "--help-hidden"], ["--generate-completion-script", "bash"], ["sync", "--experimental-dump-help"],
  ])
  func validArgumentsAreAccepted(arguments: [String]) throws {
    let result = try Self.run(arguments)
    #expect(result.status == 0 && !result.output.isEmpty, "\(result.errors)")
  }

  /// Conditions and searched texts may begin with a dash.
  @Test func valuesOfFreeText() throws {
    let command = try BrowseCommand.parse(["app.sqlite", "--where", "-id < 3", "--search", "-x"])
    #expect(command.condition == "-id < 3" && command.search == "-x")
  }
}
