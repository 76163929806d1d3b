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
    for (column, value) in zip(table.keyColumns, key) {
      if let reason = value.isNull ? "it is NULL" : column.misfit(value) {
        throw Misfit("the key isn't one of the record's: \(reason)", column: column.name)
      }
    }
  }

  /// - Throws: ``Misfit`` where a value is none of its column's.
  func row(_ key: [StorageValue], _ values: [String: StorageValue]) throws -> KnownRow {
    var known: [(column: Int, value: StorageValue)] = []
    known.reserveCapacity(values.count)
    var unknown: [String: StorageValue] = [:]
    for (name, value) in values {
      guard let place = places[name] else {
        unknown[name] = value
        continue
      }
      let column = table.columns[place]
      let value = column.normalized(value)
      if let keyPlace = table.key.firstIndex(of: place) {
        if key[keyPlace] == value { continue }
        throw Misfit("it isn't what the change names as the key", column: name)
      }
      if let reason = column.misfit(value) { throw Misfit(reason, column: name) }
      known.append((place, value))
    }
    known.sort { $0.column < $1.column }
    return KnownRow(columns: known.map(\.column), values: key + known.map(\.value), unknown: unknown)
  }
}
