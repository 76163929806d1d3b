/// A column to sort rows by, as typed: its name, optionally followed by ` desc` or ` asc`.
struct BrowsedOrder {
  let name: String
  let isDescending: Bool

  /// The ascending order by a column.
  init(name: String) {
    (self.name, isDescending) = (name, false)
  }

  init(_ text: String) {
    let words = text.split(separator: " ")
    let direction = words.count > 1 ? words[words.count - 1].lowercased() : ""
    isDescending = direction == "desc"
    name = isDescending || direction == "asc" ? words.dropLast().joined(separator: " ") : text
  }

  /// Returns the index of the column among columns.
  ///
  /// - Parameter owner: The table or query that has the columns, for the error.
  func index(in columns: [String], of owner: String) throws -> Int {
    guard let index = columns.firstIndex(where: { $0.folded == name.folded }) else {
      throw BrowseError.noColumn(name, of: owner, columns)
    }
    return index
  }
}
