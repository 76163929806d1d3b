extension StoreMove {
  /// The result of a finished move.
  public struct Report: Hashable, Sendable {
    /// The rows of one entity of a table; of the whole table if it has no entities.
    public struct Entity: Hashable, Sendable {
      /// The table of the new database.
      public let table: String
      /// The name of the entity; nil if the table has one only.
      public let entity: String?
      /// The number of rows in the new database. Their contents were compared with the old store.
      public let rowCount: Int
    }

    /// The moved rows, in the order of the move.
    public let entities: [Entity]
    /// The number of rows that the old store has and the new database lacks.
    public let leftOutCount: Int
    /// The number of values that could not be moved.
    public let problemCount: Int
    /// The first 1,000 problems. ``StoreMove/problems(limit:)`` reads all of them from the new database.
    public let problems: [Problem]
    /// The number of external files whose contents are now in the new database.
    public let externalFileCount: Int
  }

  /// A value that could not be moved. The old store still has it.
  public struct Problem: Hashable, Sendable {
    /// The fate of the row.
    public enum Action: String, Hashable, Sendable {
      /// The column is NULL in the new database, and the row's other columns are moved.
      case setToNull = "set to NULL"
      /// The new database lacks the row.
      case leftOut = "row left out"
    }

    /// The table of the new database.
    public let table: String
    /// The key of the row, with the names of its columns: `id 7`.
    public let key: String
    /// The column of the new database.
    public let column: String
    /// The reason, which contains no stored value.
    public let reason: String
    /// The action of the move: see ``Action``.
    public let action: Action
  }
}

extension StoreMove.Report: CustomStringConvertible {
  public var description: String {
    var lines = entities.map { "\($0.entity ?? $0.table): \($0.rowCount) rows moved" }
    if problemCount > 0 {
      lines.append("\(problemCount) values could not be moved, and \(leftOutCount) rows were left out:")
    }
    lines += problems.map { "- \($0)" }
    if problemCount > problems.count { lines.append("- and \(problemCount - problems.count) more") }
    return lines.joined(separator: "\n")
  }
}

extension StoreMove.Problem: CustomStringConvertible {
  public var description: String { "\(table), \(key), \(column): \(reason); \(action.rawValue)" }
}
