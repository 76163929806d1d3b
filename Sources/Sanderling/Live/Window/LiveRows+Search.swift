extension LiveRows where Value: Identifiable {
  /// The position of the row with an `id`; nil where the window has none.
  ///
  /// A record is found by the hash of its key, at some nanoseconds for each row before it. Other elements are found by
  /// comparing the `id` of each row. O(rows).
  public func position(of id: Value.ID) -> Int? {
    if let record = Value.self as? any StoredRecord.Type, let key = record.rowKey(ofID: id),
      let position = stamps.position(of: key), self[position].id == id
    {
      return position
    }
    return firstIndex { $0.id == id }
  }

  /// The row with an `id`; nil where the window has none. Like ``position(of:)``.
  public subscript(id id: Value.ID) -> Value? {
    position(of: id).map { self[$0] }
  }
}

extension StoredRecord {
  /// The stored form of a key.
  static func rowKey(_ key: Key) throws -> RowKey {
    RowKey(try ParameterBinder.collecting(table.key.count) { try _bind(key: key, to: $0, from: 1) })
  }

  /// The stored form of an `id`; nil where it isn't a key of these records.
  fileprivate static func rowKey(ofID id: Any) -> RowKey? { (id as? Key).flatMap { try? rowKey($0) } }
}

extension RowStamps {
  /// The position of the row with a key. O(rows).
  func position(of key: RowKey) -> Int? {
    key.withEncoding { key in
      let hash = RowKey.hash(ofEncoding: key)
      for (index, chunk) in storage.chunks.enumerated() {
        guard let offset = chunk.offset(ofKey: key, hash: hash) else { continue }
        let position = storage.start(ofChunk: index) + offset
        // A key is at one position, which may be outside of this slice.
        return bounds.contains(position) ? position - bounds.lowerBound : nil
      }
      return nil
    }
  }
}
