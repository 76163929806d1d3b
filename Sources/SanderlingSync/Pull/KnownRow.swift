import Sanderling

extension SyncTable {
  /// What a source says of a row, by what the record knows.
  struct KnownRow {
    /// The places of the columns besides the key's, ascending.
    let columns: [Int]
    /// The key and the values of the columns.
    let values: [StorageValue]
    /// Of columns that the record doesn't have.
    let unknown: [String: StorageValue]
  }

  /// - Throws: ``Misfit`` where the key is none of the record's.
  func requireKey(_ key: [StorageValue]) throws {
    guard key.count == keyNames.count else {
      throw Misfit("its key has \(key.count) values, and the record's key has \(keyNames.count)")
    }
    for (place, value) in zip(table.key, key) {
      if let reason = value.isNull ? "it is NULL" : misfit(value, at: place) {
        throw Misfit("the key isn't one of the record's: \(reason)", column: table.columns[place].name)
      }
    }
  }

  /// - Throws: ``Misfit`` where a value is none of its column's.
  func row(_ key: [StorageValue], _ values: [String: StorageValue]) throws -> KnownRow {
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
        throw Misfit("it isn't what the change names as the key", column: column.name)
      }
      if let reason = misfit(value, at: place) { throw Misfit(reason, column: column.name) }
      columns.append(place)
      known.append(value)
    }
    // Most rows have none.
    let unknown = count == values.count ? [:] : values.filter { places[$0.key] == nil }
    return KnownRow(columns: columns, values: known, unknown: unknown)
  }
}
