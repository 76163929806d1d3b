import ArgumentParser
import Foundation
import GRDB
import Sanderling
import SanderlingTerminal

/// `sanderling browse`
struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Shows a table or a query of an SQLite database, however long it is, while other processes write.",
    discussion: """
      Scrolls through all rows with the arrow, page, home and end keys, and ? lists all keys. Enter shows a row as a record with whole \
      values: blobs as hexadecimal digits, and JSON indented. s sorts by the column that left and right choose, at once if an index has \
      that order. g goes to a row's number, and v to the first row that doesn't sort before a value. g waits until the rows before \
      that row are counted. The visible rows stay in place, and changes by other processes appear within a quarter of a second. The \
      rows of views and SELECTs have no key. On a terminal they are shown from a copy in a temporary file, which is made again when the \
      database has changed.

      / searches as you type. It shows the rows that have the text anywhere in one of their texts, without case, diacritics and \
      widths, and follows changes by other processes. Enter keeps the search, escape ends it. No index is used or made: each search \
      reads the texts of all rows once to show the first matches, and once more to count them. The next search ends it. Like any \
      reader, a search blocks the commits of other processes, unless the database has a write-ahead log. Numbers and blobs are not \
      searched.

      Into a pipe or a file, and with --csv, all rows are printed as comma-separated values (RFC 4180) that sanderling sync reads \
      into a table of the same columns. NULL is an empty field, an empty text is "", and a blob is X'0aff' without quotes. In a column \
      without a type, texts are always in quotes. A value of another type than the column, such as a text in a BLOB column, can't be \
      told from other values, and ends the command with 1.

      With --json, each row is a line that sanderling sync reads, also with such values. A blob is base64 in a column that is declared \
      BLOB, and an object {"base64": …} in others. A text in a BLOB column is an object {"text": …}. An infinity is 9e999. Texts that \
      aren't valid UTF-8 can be neither CSV nor JSON: they are printed with U+FFFD in place of bytes, and end the command with 1.

      A table or view that needs a function, a collation or a module of an app can't be read here; a message names it with the \
      reason. A column that can't be computed is left out, and a message names it.

      The database is opened for reading and never changed.

      Exit codes: 0 when the rows were shown, 1 when they can't be read or written, 64 for invalid arguments.
      """)

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"))
  var database: String

  @Argument(
    help: ArgumentHelp("A table, a view or a SELECT; needed if the database has several tables.", valueName: "table"))
  var table: String?

  @Option(
    help: ArgumentHelp(
      "A column to order by; with ' desc' after it, the greatest values come first. Can be given several times. (default: the key)",
      valueName: "column"))
  var order: [String] = []

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Only rows that satisfy this SQL condition.", valueName: "sql"))
  var condition: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only rows that have this text in any of their texts, without case, diacritics and widths.",
      valueName: "text"))
  var search: String?

  @Flag(help: "Print each row as a line of JSON.")
  var json = false

  @Flag(help: "Print the rows as comma-separated values, as into a pipe or a file.")
  var csv = false

  func validate() throws {
    if json, csv { throw ValidationError("Choose one of --json and --csv.") }
    if database.isEmpty { throw ValidationError("The database needs the path of a file.") }
    if order.contains(where: \.isEmpty) { throw ValidationError("--order needs the name of a column.") }
    if condition?.isEmpty == true { throw ValidationError("--where needs an SQL condition.") }
  }

  func run() async throws {
    let search = search.flatMap(BrowsedSearch.init)
    let browsed = try Browsed(databaseAt: database, table, orders: order, condition: condition)
    for note in browsed.notes { ProgressOutput.write("sanderling: \(note)\n") }
    let environment = ProcessInfo.processInfo.environment
    guard !json, !csv, TerminalScreen.isAvailable(environment: environment), TerminalKeyboard.isAvailable else {
      return try await RowPrinter(
        format: json ? .json : .csv, search: search, isForTerminal: TerminalScreen.isStandardOutput
      ).printRows(of: browsed)
    }
    do {
      try await Interruption.cancelling(on: [SIGINT, SIGTERM, SIGHUP]) {
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
        // The following ends only by an error.
        try await group.next()
      }
    }
  }
}
