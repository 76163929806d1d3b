extension StoredRecord {
  /// The record with a key, as a query. No row if the record's default scope has none.
  ///
  /// ```swift
  /// let task = try await store.fetchFirst(TodoTask.find(id))
  /// let live = store.liveValue(TodoTask.find(id).select { $0.title })
  /// ```
  ///
  /// - Complexity: O(log n) by the table's key, where the query runs.
  public static func find(_ key: Key) -> Selection<Self, Self> {
    let columns = table.key.map { Term.column(ColumnTerm(scope: .root, owner: RecordType(self), index: $0)) }
    let condition = Term.all(zip(columns, terms(of: key)).map { .binary(.equal, $0, $1) })
    return query.updating { $0.add(condition: condition ?? .literal(.integer(0))) }
  }
}
