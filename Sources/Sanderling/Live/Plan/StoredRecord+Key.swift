extension StoredRecord {
  /// The query for the record with a key.
  static func query(key: Key) -> Selection<Self, Self> {
    let condition: Term
    do {
      let values = try ParameterBinder.collecting(table.key.count) { try _bind(key: key, to: $0, from: 1) }
      condition =
        Term.all(
          zip(table.key, values).map { index, value in
            .binary(.equal, .column(ColumnTerm(scope: .root, owner: RecordType(self), index: index)), .constant(value))
          }) ?? .literal(.integer(0))
    } catch {
      condition = .invalid((error as? ValueError)?.message ?? String(describing: error))
    }
    return query.updating { $0.add(condition: condition) }
  }
}
