/// Why `sanderling browse` can't show a table.
enum BrowseError: CommandError, Equatable {
  case whichTable(String, [String])
  case noTable(String, [String])
  case noColumn(String, of: String, [String])
  case hasNoKey(String)
  case noRows(String)
  case selectsNothing

  var description: String {
    switch self {
    case .whichTable(let path, let names) where names.isEmpty: "\(path.printable) has no tables to show."
    case .whichTable(let path, let names): "\(path.printable) has several tables. Name one: \(Self.list(names))."
    case .noTable(let name, let names): "There is no table \(name.printable). Name one of \(Self.list(names))."
    case .noColumn(let name, let owner, let names):
      "\(owner.printable) has no column \(name.printable). Order by one of \(Self.list(names))."
    case .hasNoKey(let name):
      "\(name.printable) has no key by which its rows are known. Browse a table, or copy it into one with a primary key."
    case .selectsNothing: "The query selects nothing. Browse a table, or write a SELECT."
    case .noRows(let reason): "The rows can't be read: \(reason.printable)."
    }
  }

  private static func list(_ names: [String]) -> String { names.map(\.printable).joined(separator: ", ") }
}
