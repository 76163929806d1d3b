import Sanderling

/// The statements that bring some columns of a row to what a source says, and leave a row alone that has these values.
struct RowStatements: Sendable {
  /// How rows are written that may be there.
  enum Form: Int64, Sendable {
    /// One statement inserts or updates. Below its ON CONFLICT, the conflict clauses of triggers don't hold.
    case upsert
    /// One statement inserts, another updates. Of each page that a statement with triggers changes SQLite keeps a copy
    /// until it is done, in case a constraint is violated.
    case apart
    /// The same, without copies: what a statement did before a constraint was violated stays, and the transaction has
    /// to be rolled back. The conflict clauses of triggers don't hold; what they would have ignored or replaced is a
    /// violated constraint, too.
    case failing
  }

  /// Whether the columns are all of the record's.
  let isComplete: Bool
  /// Whether ``insert`` updates a row that is there.
  let isUpsert: Bool
  let insert: String
  /// Updates the row; nil where ``insert`` does, and where there is nothing to update.
  let update: String?

  /// - Parameter columns: The places of the columns besides the key's, ascending.
  init(_ table: SyncTable, _ columns: [Int], _ form: Form = .upsert) {
    let names = columns.map { table.table.columns[$0].name.quotedIdentifier }
    isComplete = columns.count + table.keyNames.count == table.table.columns.count
    isUpsert = isComplete && form == .upsert
    let conflict = form == .failing ? " OR FAIL" : ""
    let all = table.keyNames.map(\.quotedIdentifier) + names
    let values = (1...all.count).map { "?\($0)" }.joined(separator: ", ")
    let insertion = "INSERT\(conflict) INTO main.\(table.name) (\(all.joined(separator: ", "))) VALUES (\(values))"
    // Whatever the column's collation: other bytes are another value.
    func differences(_ value: (Int) -> String) -> String {
      names.indices.map { "\(table.name).\(names[$0]) IS NOT \(value($0)) COLLATE BINARY" }.disjunction
    }
    guard isUpsert else {
      insert = insertion
      let first = table.keyNames.count + 1
      let assignments = names.indices.map { "\(names[$0]) = ?\(first + $0)" }.joined(separator: ", ")
      let key = table.keyNames.indices.map { "\(table.keyNames[$0].quotedIdentifier) = ?\($0 + 1)" }
      update =
        names.isEmpty
        ? nil
        : "UPDATE\(conflict) main.\(table.name) SET \(assignments) WHERE \(key.joined(separator: " AND ")) "
          + "AND (\(differences { "?\(first + $0)" }))"
      return
    }
    update = nil
    let target = " ON CONFLICT (\(table.keyNames.quotedIdentifiers)) DO "
    if names.isEmpty {
      insert = insertion + target + "NOTHING"
      return
    }
    let assignments = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    insert = insertion + target + "UPDATE SET \(assignments) WHERE \(differences { "excluded.\(names[$0])" })"
  }
}

extension Collection<String> {
  /// The conditions with OR between them, as a tree: SQLite reads a chain as one within the other, and at most 1,000 deep.
  var disjunction: String {
    if count <= 8 { return joined(separator: " OR ") }
    return "(\(prefix(count / 2).disjunction)) OR (\(dropFirst(count / 2).disjunction))"
  }
}

/// The statements for each record and set of columns that came along, written once.
final class RowStatementCache: Sendable {
  private struct Shape: Hashable {
    let table: Int
    let columns: [Int]
    let form: RowStatements.Form
  }

  /// A source decides about the sets of columns: it can't have more of them kept.
  private static let limit = 256

  /// Guards the statements.
  private let statements = Lock<[Shape: RowStatements]>([:])

  func statements(
    _ table: SyncTable, number: Int, _ columns: [Int], _ form: RowStatements.Form
  ) -> RowStatements {
    let shape = Shape(table: number, columns: columns, form: form)
    return statements.withLock { known in
      if let found = known[shape] { return found }
      if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
      let made = RowStatements(table, columns, form)
      known[shape] = made
      return made
    }
  }
}
