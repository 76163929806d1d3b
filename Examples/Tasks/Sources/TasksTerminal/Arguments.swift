import Foundation
import Sanderling
import TasksModel

/// The arguments of the command.
struct Arguments {
  static let usage = """
    Usage: tasks-terminal [FILE] [--import TODO.TXT | --samples COUNT] [--server URL --user NAME]

      FILE               the database; the user's own one unless given
      --import TODO.TXT  adds the tasks of a file, one a line: x Water the plants +Garden due:2026-12-24
      --samples COUNT    adds that many tasks to try the app with
      --server URL       synchronises with a Kinto server, such as http://127.0.0.1:8888/v1
      --user NAME        the user of the server; the password is in the variable TASKS_PASSWORD
    """

  struct Mistake: LocalizedError {
    let message: String
    var errorDescription: String? { message + "\n\n" + usage }
  }

  var location: StoreLocation?
  var drafts: [TaskDraft] = []
  var server: Server?
  var asksForHelp = false

  init(_ arguments: [String], environment: [String: String], today: LocalDay) throws {
    var (rest, url, user) = (arguments[...], URL?.none, String?.none)
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst(), !value.hasPrefix("--") else {
        throw Mistake(message: "\(option) needs a value.")
      }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": asksForHelp = true
      case "--import":
        let path = try value(of: argument)
        guard let data = FileManager.default.contents(atPath: path) else {
          throw Mistake(message: "There is no file \(path), or it can't be read.")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
          throw Mistake(message: "\(path) is no text in UTF-8.")
        }
        do { drafts = try TaskDraft.drafts(todoTxt: text) } catch { throw Mistake(message: "\(path): \(error)") }
      case "--samples":
        let text = try value(of: argument)
        guard let count = Int(text), (1...1_000_000).contains(count) else {
          throw Mistake(message: "--samples takes a number from 1 to 1000000, and not \(text).")
        }
        drafts = TaskDraft.samples(count, around: today)
      case "--server":
        let text = try value(of: argument)
        url = URL(string: text)
        guard url?.host() != nil else {
          throw Mistake(message: "\(text) is no address, such as http://127.0.0.1:8888/v1.")
        }
      case "--user": user = try value(of: argument)
      case _ where argument.hasPrefix("-"): throw Mistake(message: "There is no option \(argument).")
      case _ where location != nil: throw Mistake(message: "\(argument) is a second file. Name one database.")
      default: location = .path(argument)
      }
    }
    guard (url == nil) == (user == nil) else { throw Mistake(message: "--server and --user belong together.") }
    if let url, let user {
      guard user.wholeMatch(of: #/[A-Za-z0-9_-]+/#) != nil else {
        throw Mistake(message: "\(user) is no user name. Use letters, digits, - and _.")
      }
      guard let password = environment["TASKS_PASSWORD"], !password.isEmpty else {
        throw Mistake(message: "Set the variable TASKS_PASSWORD to the password of \(user).")
      }
      server = Server(url, user: user, password: password)
    }
  }
}
