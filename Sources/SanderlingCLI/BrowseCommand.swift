import ArgumentParser
import Foundation
import GRDB
import Sanderling
import SanderlingTerminal

/// `sanderling browse`
struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Shows a table or a query of an SQLite database, however long it is, while others write.",
    discussion: """
      Scrolls through all rows with the arrow, page, home and end keys; g goes to a position, v to the first row that doesn't \
      sort before a value. Holds what is looked at, and notices what other processes write within a quarter of a second. \
      Where standard output is no terminal, and with --json, all rows are printed. The rows of views and SELECTs have no key: on a \
      terminal they are shown from a copy in a temporary file, which is made again when the database has changed.

      / searches while you type: the rows stay that have the text anywhere in one of their texts, whatever its case, its diacritics \
      and its width, and what others write comes and goes with them. Enter keeps the search, escape ends it. No index is used or \
      made: each search looks at the texts of all rows once to show the first ones that are found, and once more to count them. It \
      ends when another one begins. As any reader it keeps others from committing meanwhile, unless the database has a write-ahead \
      log. Numbers and blobs are not searched.

      With --json, each row is a line that sanderling sync reads into a table of the same columns: a blob is base64, and an object {"base64": …} outside of a column that is declared \
      BLOB; a text in such a column is an object {"text": …}; an infinity is 9e999. Texts that aren't valid UTF-8 can't be JSON: they are printed with \
      U+FFFD in place of bytes, and end the command with 1.

      A table or view that needs a function, a collation or a module of an app can't be read here, and is named with the reason. A column that can't \
      be computed is left out, and named.

      The database is opened for reading and never changed.

      Exit codes: 0 when the rows were shown, 1 when they can't be read or written, 64 for arguments that make no sense.
      """)

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"))
  var database: String

  @Argument(help: ArgumentHelp("A table, a view or a SELECT; needed where there are several.", valueName: "table"))
  var table: String?

  @Option(
    help: ArgumentHelp(
      "A column to order by, with ' desc' behind it for the greatest first. Can be given several times. (default: the key)",
      valueName: "column"))
  var order: [String] = []

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Rows that satisfy this SQL condition only.", valueName: "sql"))
  var condition: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rows that have this text only, in any of their texts, whatever its case, diacritics and width.",
      valueName: "text"))
  var search: String?

  @Flag(help: "Print each row as a line of JSON.")
  var json = false

  func validate() throws {
    if database.isEmpty { throw ValidationError("The database needs the path of a file.") }
    if order.contains(where: \.isEmpty) { throw ValidationError("--order needs the name of a column.") }
    if condition?.isEmpty == true { throw ValidationError("--where needs an SQL condition.") }
  }

  func run() async throws {
    let search = search.flatMap(BrowsedSearch.init)
    let browsed = try Browsed(databaseAt: database, table, orders: order, condition: condition)
    for note in browsed.notes { ProgressOutput.write("sanderling: \(note)\n") }
    let environment = ProcessInfo.processInfo.environment
    guard !json, TerminalScreen.isAvailable(environment: environment), TerminalKeyboard.isAvailable else {
      return try await RowPrinter(isJSON: json, search: search).printRows(of: browsed)
    }
    do {
      try await Interruption.cancelling {
        try await Self.browse(browsed, search, TextStyle(environment: environment))
      }
    } catch let interruption as Interruption {
      throw ExitCode(interruption.exitCode)
    }
  }

  private static func browse(_ browsed: Browsed, _ search: BrowsedSearch?, _ style: TextStyle) async throws {
    switch browsed.content {
    case .table(let table):
      try await Browser(table, title: BrowsedRow.table.name.printable, search: search, style: style).run()
    case .query(let query):
      do {
        try await query.refresh()
      } catch let error as DatabaseError {
        throw BrowseError.noRows(error)
      }
      let table = try BrowsedTable(copyOf: query)
      try await withThrowingTaskGroup { group in
        group.addTask { try await query.follow() }
        group.addTask { try await Browser(table, title: "query", search: search, style: style).run() }
        defer { group.cancelAll() }
        // Following ends by an error only.
        try await group.next()
      }
    }
  }
}
