extension StoreMove {
  /// The move of the rows of one table.
  ///
  /// ```swift
  /// StoreMove.Table(Book.self, from: "ZBOOK", ["id": "Z_PK", "title": "ZTITLE", "pagesCount": "ZPAGESCOUNT"])
  /// ```
  public struct Table: Sendable {
    let record: any StoredRecord.Type
    let source: String
    let entity: String?
    let columns: [(name: String, sql: String)]

    /// Describes the move of a table.
    ///
    /// - Parameters:
    ///   - record: The record that stores the rows in the new database.
    ///   - source: The table of the old store.
    ///   - entity: The column with the name of a row's entity, if the table has several. The rows of each entity are then counted and
    ///     compared for themselves.
    ///   - columns: The expression in SQL for each column of the record, over the columns of the old table. The function
    ///     `external_data(…)` reads the value of an attribute that allows external storage. Columns without an
    ///     expression must be optional or have a default.
    public init(
      _ record: any StoredRecord.Type, from source: String, entity: String? = nil,
      _ columns: KeyValuePairs<String, String>
    ) {
      (self.record, self.source, self.entity) = (record, source, entity)
      self.columns = columns.map { (name: $0.key, sql: $0.value) }
    }
  }

  /// The state of a running move.
  public struct Progress: Hashable, Sendable {
    /// A part of the move.
    public enum Phase: Hashable, Sendable {
      /// Rows are copied to the new file.
      case copying
      /// The rows of the finished file are read and compared.
      case checking
    }

    /// The present part of the move.
    public let phase: Phase
    /// The number of rows that the phase has done.
    public let rowCount: Int
    /// The number of all rows.
    public let total: Int
    /// The number of the attempt, from 1. Another one begins if the old store was written meanwhile.
    public let attempt: Int

    /// The finished part of the attempt, from 0 to 1. Two thirds are for copying.
    public var fraction: Double {
      let part = total == 0 ? 1 : min(1, Double(rowCount) / Double(total))
      return phase == .copying ? part * 2 / 3 : 2 / 3 + part / 3
    }
  }
}
