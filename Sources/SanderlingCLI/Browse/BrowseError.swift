import GRDB
import Sanderling
import SanderlingDiagnosis
import SanderlingTerminal

/// The reason why `sanderling browse` can't show a table.
enum BrowseError: CommandError, Equatable {
  case whichTable(String, [String], [UnusableObject])
  case noTable(String, [String])
  case unusable(UnusableObject, [String])
  case noColumn(String, of: String, [String])
  case hasNoKey(String)
  case noRows(reason: String)
  /// SQLite can't parse --where.
  case badCondition(reason: String, [String])
  /// SQLite can't parse the SELECT.
  case badQuery(reason: String)
  case selectsNothing
  case twoColumns(String)
  case invalidTexts(count: Int, column: String, row: Int)
  /// Values of another type than their columns, in comma-separated values.
  case ambiguous(count: Int, column: String, row: Int)

  var description: String {
    switch self {
    case .whichTable(let path, let names, let unusable) where names.isEmpty:
      unusable.isEmpty
        ? "\(path.printable) has no tables to show. Name another database."
        : "\(path.printable) has nothing that can be shown here: \(Self.list(unusable)). Open it in the app that made it."
    case .whichTable(let path, let names, let unusable):
      "\(path.printable) has several tables. Name one: \(Self.list(names))."
        + (unusable.isEmpty ? "" : " Of the others, \(Self.list(unusable)).")
    case .noTable(let name, let names):
      "There is no table \(name.printable). "
        + (NearestName.nearest(to: name, in: names).map { "Did you mean \($0.printable)? " } ?? "")
        + "Name one of \(Self.list(names))."
    case .unusable(let object, let names):
      "\(object.sentence.capitalizedFirst). "
        + (names.isEmpty ? "Open it in the app that made it." : "Name one of \(Self.list(names)).")
    case .noColumn(let name, let owner, let names):
      "\(owner.printable) has no column \(name.printable). Order by one of \(Self.list(names))."
    case .hasNoKey(let name):
      "\(name.printable) has no key that identifies its rows. Browse a table, or copy the rows into a table with a primary key."
    case .selectsNothing: "The query selects nothing. Browse a table, or write a SELECT."
    case .noRows(let reason): "The rows can't be read: \(reason.printable)"
    case .badCondition(let reason, let names):
      "--where can't be used: \(reason.printable). Write an SQL condition on the columns \(Self.list(names))."
    case .badQuery(let reason): "The query can't be used: \(reason.printable). Correct it, or name a table."
    case .twoColumns(let name):
      "The query has two columns \(name.printable), but a line of JSON can hold one member of that name. Rename one column with AS."
    case .invalidTexts(let count, let column, let row):
      "\(count == 1 ? "A text isn't" : "\(count.grouped) texts aren't") valid UTF-8, which JSON and CSV require: U+FFFD replaces the invalid bytes. The "
        + "first invalid text is in the column \(column.printable) of row \(row.grouped). Correct the text in the database, or read it with "
        + "hex(\(column.printable))."
    case .ambiguous(let count, let column, let row):
      "\(count == 1 ? "A value has" : "\(count.grouped) values have") another type than the column, which CSV can't express: a reader may "
        + "take a blob for a text, or a text for a blob or a number. The first such value is in the column \(column.printable) of row "
        + "\(row.grouped). Print the rows with --json."
    }
  }

  /// - Parameter error: The error of SQLite or of the store about the rows.
  static func noRows(_ error: any Error) -> BrowseError {
    switch error {
    case let error as DatabaseError: .noRows(reason: reason(error) + ".")
    case StoreError.database(_, let message, _): .noRows(reason: message + ".")
    case LongListError.hasNoPlaces(let reason):
      .noRows(
        reason: "they have no order to scroll in, since \(reason). Sort by another column, or print them into a pipe.")
    default: .noRows(reason: "\(error)".hasSuffix(".") ? "\(error)" : "\(error).")
    }
  }

  static func reason(_ error: DatabaseError) -> String {
    // GRDB's message addresses programmers in Swift.
    if error.resultCode == .SQLITE_MISUSE, error.message?.hasPrefix("Multiple statements") == true {
      return "it is several statements"
    }
    return error.message ?? error.resultCode.description
  }

  private static func list(_ names: [String]) -> String { names.map(\.printableName).joined(separator: ", ") }

  private static func list(_ objects: [UnusableObject]) -> String { objects.map(\.sentence).joined(separator: "; ") }
}
