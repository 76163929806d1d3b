/// An index that would save a query from sorting its rows. A store reports it while it has a listener.
public struct MissingIndex: Hashable, Sendable, CustomStringConvertible {
  /// The operation in which the query ran; nil outside of any.
  public let operation: StoreOperation?
  /// The table that lacks the index.
  public let table: String
  /// The query as SQL, without its values.
  public let query: String
  /// The index as the record declares it: `@Record(indexes: [.on(\.projectID, .descending(\.dueAt))])`.
  public let declaration: String
  /// The statement that creates the index.
  public let sql: String

  public var description: String {
    "No index serves the order of a query of table \(table), whose rows are all read and sorted for each page. Declare "
      + "\(declaration), which is \(sql). The query: \(query)"
  }
}
