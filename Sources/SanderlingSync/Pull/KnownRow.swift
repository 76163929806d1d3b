import Sanderling

extension SyncTable {
  /// A source's row, divided into the record's columns and others.
  struct KnownRow {
    /// The positions of the columns outside the key, ascending.
    let columns: [Int]
    /// The key and the values of the columns.
    let values: [StorageValue]
    /// Values of columns that the record doesn't have.
    let unknown: [String: StorageValue]
    /// Values of columns that the table computes.
    let computed: [(column: String, value: StorageValue)]
  }

  /// - Throws: ``Misfit`` if the key is not a key of the record.
  func requireKey(_ change: SyncChange) throws {
    let key = change.key
    guard key.count == keyNames.count else {
      throw Misfit("its key has \(key.count) values, and the record's key has \(keyNames.count)")
    }
    for (place, value) in zip(table.key, key) {
      if let reason = value.isNull ? "it is NULL" : misfit(value, at: place, isField: change.isOfFields) {
        throw Misfit("the key doesn't fit the record: \(reason)", column: table.columns[place].name)
      }
    }
  }

  /// - Throws: ``Misfit`` if a column can't hold its value.
  func row(_ change: SyncChange, _ values: [String: StorageValue]) throws -> KnownRow {
    let key = change.key
    var columns: [Int] = []
    columns.reserveCapacity(values.count)
    var known = key
    known.reserveCapacity(key.count + values.count)
    var count = 0
    for (place, column) in table.columns.enumerated() {
      guard var value = values[column.name] else { continue }
      count += 1
      value = column.normalized(value)
      if let keyPlace = table.key.firstIndex(of: place) {
        if key[keyPlace] == value { continue }
        throw Misfit("the value differs from the key of the change", column: column.name)
      }
      if misfit(value, at: place) != nil {
        // When the field was read, the table may have lacked the column, or may have had another column of this name.
        if change.isOfFields, case .text(let text) = value { value = column.value(ofKeptField: text) }
        if let reason = misfit(value, at: place, isField: change.isOfFields) {
          throw Misfit(reason, column: column.name)
        }
      }
      columns.append(place)
      known.append(value)
    }
    // Most rows have no unknown columns.
    if count == values.count { return KnownRow(columns: columns, values: known, unknown: [:], computed: []) }
    return KnownRow(
      columns: columns, values: known, unknown: unknown(values),
      computed: computed(values, areFields: change.isOfFields)
    )
  }

  /// The values of columns that neither the record nor its table has.
  func unknown(_ values: [String: StorageValue]) -> [String: StorageValue] {
    values.filter { places[$0.key] == nil && generated[$0.key.folded] == nil }
  }

  private func computed(
    _ values: [String: StorageValue], areFields: Bool
  ) -> [(column: String, value: StorageValue)] {
    if generated.isEmpty { return [] }
    return values.compactMap { name, value in
      guard let column = generated[name.folded] else { return nil }
      if areFields, case .text(let text) = value { return (column.name, column.value(ofKeptField: text)) }
      return (column.name, value)
    }
  }
}
