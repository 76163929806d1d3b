extension StoredRecord {
  /// The query for the record with a key.
  static func query(key: Key) -> Selection<Self, Self> {
    let columns = table.key.map { Term.column(ColumnTerm(scope: .root, owner: RecordType(self), index: $0)) }
    let condition = Term.all(zip(columns, terms(of: key)).map { .binary(.equal, $0, $1) })
    return query.updating { $0.add(condition: condition ?? .literal(.integer(0))) }
  }
}
