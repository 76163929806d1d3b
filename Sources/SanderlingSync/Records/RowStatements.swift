import Sanderling

/// The statements that set some columns of a row to a source's values, and leave a row with these values unchanged.
struct RowStatements: Sendable {
  /// The ways to write a row that may exist.
  enum Form: Int64, Sendable {
    /// One statement inserts or updates. Inside its ON CONFLICT, the conflict clauses of triggers are ignored.
    case upsert
    /// One statement inserts, another updates. While a statement with triggers runs, SQLite keeps a copy of each
    /// changed page, in case a constraint is violated.
    case apart
    /// The same without copies: after a violated constraint the statement's changes stay, so the transaction must be
    /// rolled back. The conflict clauses of triggers are ignored: cases that they would have ignored or replaced are
    /// violations, too.
    case failing
  }

  /// Whether the columns are all of the record's.
  let isComplete: Bool
  /// Whether ``insert`` updates an existing row.
  let isUpsert: Bool
  let insert: String
  /// Updates the row; nil if ``insert`` does, or if there is nothing to update.
  let update: String?

  /// - Parameter columns: The positions of the columns outside the key, ascending.
  init(_ table: SyncTable, _ columns: [Int], _ form: Form = .upsert) {
    let names = columns.map { table.table.columns[$0].name.quotedIdentifier }
    isComplete = columns.count + table.keyNames.count == table.table.columns.count
    isUpsert = isComplete && form == .upsert
    let conflict = form == .failing ? " OR FAIL" : ""
    let all = table.keyNames.map(\.quotedIdentifier) + names
    let values = (1...all.count).map { "?\($0)" }.joined(separator: ", ")
    let insertion = "INSERT\(conflict) INTO main.\(table.name) (\(all.joined(separator: ", "))) VALUES (\(values))"
    // Compares independently of the column's collation: other bytes are another value.
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
  /// The conditions joined by OR, as a tree: SQLite parses a chain as nested expressions, with a depth of at most
  /// 1,000.
  var disjunction: String {
    if count <= 8 { return joined(separator: " OR ") }
    return "(\(prefix(count / 2).disjunction)) OR (\(dropFirst(count / 2).disjunction))"
  }
}

/// The statements for each record and each set of columns that occurred, built once.
final class RowStatementCache: Sendable {
  private struct Shape: Hashable {
    let table: Int
    let columns: [Int]
    let form: RowStatements.Form
  }

  /// The source chooses the sets of columns, so their number is limited.
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
