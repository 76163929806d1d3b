/// The columns of a record whose values a store keeps for each change.
///
/// ```swift
/// @Record
/// struct TodoTask {
///   var id: UUID
///   var title: String
///   var isCompleted = false
///   static let changeHistory = ChangeHistory<TodoTask>.allColumns
/// }
/// ```
///
/// Triggers of plain SQL write the history, so that it has the changes of every writer of the file: this store, another
/// process, and tools that don't know this library. ``Store/history(after:of:by:waits:)`` reads it. Live results of other
/// processes follow the changes row by row.
///
/// Each change keeps one copy of the columns as they were before. An update of one short row takes about 1.5 times as
/// many of SQLite's instructions as without a history. Leave out columns with large values: the history then says that
/// a row changed, and not from which value.
///
/// A record that no longer declares a history keeps its triggers until ``Store/removeHistory(of:)``.
public struct ChangeHistory<Owner: StoredRecord>: Sendable {
  /// The positions of the kept columns; nil for a record without a history.
  let columns: Set<Int>?

  /// No changes are kept. This is the default.
  public static var none: ChangeHistory { ChangeHistory(columns: nil) }

  /// The values of all columns are kept.
  public static var allColumns: ChangeHistory { ChangeHistory(columns: Set(Owner.table.columns.indices)) }

  /// Only the keys of changed rows are kept, and the time.
  public static var keys: ChangeHistory { ChangeHistory(columns: []) }

  /// The keys and the values of some columns are kept.
  ///
  /// ```swift
  /// static let changeHistory = ChangeHistory<Note>.columns(\.title, \.folderID)
  /// ```
  public static func columns<each Value>(
    _ columns: repeat KeyPath<Owner.Fields, Field<each Value>>
  ) -> ChangeHistory {
    var positions: Set<Int> = []
    for column in repeat each columns {
      guard case .column(let column) = Owner.fields[keyPath: column].term else {
        // A mistake in a declaration, which doesn't depend on data.
        preconditionFailure(
          "the history of \(Owner.self) can keep only columns, and names an expression: name stored properties")
      }
      positions.insert(column.index)
    }
    return ChangeHistory(columns: positions)
  }
}

extension StoredRecord {
  public static var changeHistory: ChangeHistory<Self> { .none }

  static var historyColumns: Set<Int>? { changeHistory.columns }
}
