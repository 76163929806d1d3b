import ArgumentParser
import Foundation
import SanderlingDiagnosis

/// An unknown command or option, or a value that looks like an option, with the remedy.
///
/// The parser of arguments reads `-dash.csv` as the options `-d`, `-a`, `-s`, `-h` and so on, and `-h` asks for help.
/// For a misspelt required option, it reports only that the option is missing.
struct ArgumentMistake: Error, Equatable, CustomStringConvertible {
  let description: String

  /// - Returns: Nil for arguments without such a mistake. They may have other errors.
  init?(in arguments: [String]) {
    guard let help = Help.ofCommand, let first = arguments.first, !first.hasPrefix("-") else { return nil }
    let names = (help.subcommands ?? []).map(\.commandName)
    let isHelp = first == "help"
    guard let name = isHelp ? arguments.dropFirst().first : first, !name.hasPrefix("-") else { return nil }
    guard let command = help.subcommands?.first(where: { $0.commandName == name }) else {
      description = Self.unknownCommand(name, names)
      return
    }
    guard !isHelp, let message = Self.unknownOption(in: arguments.dropFirst(), of: command) else { return nil }
    let usage =
      SanderlingCommand.configuration.subcommands.first { $0._commandName == name }
      .map { "\nUsage: " + SanderlingCommand.usageString(for: $0) } ?? ""
    description = message + usage + "\n  See 'sanderling \(name) --help' for more information."
  }

  private static func unknownCommand(_ name: String, _ names: [String]) -> String {
    if FileManager.default.fileExists(atPath: name) {
      return "\(name.printable) is a file, and a command comes first, as in: sanderling browse \(name.printable)"
    }
    let nearest = NearestName.nearest(to: name, in: names)
    return "There is no command \(name.printable). "
      + (nearest.map { "Did you mean \($0)?" } ?? "The commands are \(names.joined(separator: ", ")).")
      + "\n  See 'sanderling --help' for more information."
  }

  private static func unknownOption(in arguments: ArraySlice<String>, of command: Help.Command) -> String? {
    let long = command.names(of: "long")
    let short = command.names(of: "short").union(["h"])
    var isValue = false
    for argument in arguments {
      if argument == "--" { return nil }
      defer { isValue = command.takesAnyValue(argument) }
      guard !isValue, argument.hasPrefix("-"), argument != "-", Double(argument) == nil else { continue }
      if argument.contains(where: \.isWhitespace) {
        return
          "\"\(String(argument.prefix(40)).printable)\" begins with a dash, as an option does. Give values with a dash after --."
      }
      let name = String(argument.drop { $0 == "-" }.prefix { $0 != "=" })
      if argument.hasPrefix("--") {
        if long.contains(name) || name == "help-hidden" || name.hasPrefix("experimental-")
          || name == "generate-completion-script"
        {
          continue
        }
        let nearest = NearestName.nearest(to: name, in: long.sorted())
        return "There is no option --\(name.printable). "
          + (nearest.map { "Did you mean --\($0)?" } ?? "Give values with a dash after --.")
      }
      if name.allSatisfy({ short.contains(String($0)) }) { continue }
      if long.contains(name) { return "There is no option -\(name.printable). Did you mean --\(name)?" }
      return
        "\(argument.printable) begins with a dash, as an option does. Name a file as ./\(argument.printable), and give any other value after --."
    }
    return nil
  }

  /// The names of commands and options, as the parser of arguments lists them.
  private struct Help: Decodable {
    struct Command: Decodable {
      struct Argument: Decodable {
        struct Name: Decodable {
          let kind: String
          let name: String
        }

        let kind: String
        let names: [Name]?
        let parsingStrategy: String?
      }

      let commandName: String
      let subcommands: [Command]?
      let arguments: [Argument]?

      func names(of kind: String) -> Set<String> {
        Set((arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == kind }.map(\.name))
      }

      /// Whether the argument is an option that takes any next argument as its value, even one with a dash.
      func takesAnyValue(_ argument: String) -> Bool {
        (arguments ?? []).contains {
          $0.kind == "option" && $0.parsingStrategy == "unconditional"
            && ($0.names ?? []).contains { $0.kind == "long" && "--" + $0.name == argument }
        }
      }
    }

    let command: Command

    static var ofCommand: Command? {
      try? JSONDecoder().decode(Help.self, from: Data(SanderlingCommand._dumpHelp().utf8)).command
    }
  }
}
