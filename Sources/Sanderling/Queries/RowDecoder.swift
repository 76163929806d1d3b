import Foundation

/// A decoder that reads a row by the names of its columns.
struct RowDecoder: Decoder {
  fileprivate let row: ResultRow
  fileprivate let columns: FoundColumns
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Decodes all rows of a running statement, whose columns are found once.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)``, which names missing, duplicate and superfluous columns.
  static func decodeAll<Value: Decodable>(_ type: Value.Type, from rows: ResultRows) throws -> [Value] {
    var columns: FoundColumns?
    var values: [Value] = []
    values.reserveCapacity(rows.expectedCount)
    try rows.forEach { row in
      let found = columns ?? FoundColumns(of: row, type: String(describing: type))
      columns = found
      values.append(try found.checking { try Value(from: RowDecoder(row: row, columns: found)) })
    }
    return values
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notARow }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notARow }

  private var notARow: StoreError {
    .invalidQuery(
      "\(columns.type) isn't decoded as a struct with a property for each column: read it with RawQuery(_:as:)")
  }

  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.columns.names.compactMap(Key.init(stringValue:)) }

    /// Returns false for a missing column. The request itself is recorded, so that ``FoundColumns`` reports the column
    /// even if its property is optional.
    func contains(_ key: Key) -> Bool {
      decoder.columns.place(of: key.stringValue) != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
      decoder.columns.place(of: key.stringValue).map(decoder.row.isNull) ?? true
    }

    private func value<Value: ColumnValue>(_ type: Value.Type, _ key: Key) throws -> Value {
      if let place = decoder.columns.place(of: key.stringValue) { return try decoder.row.value(at: place, as: type) }
      // The placeholder is never returned to the caller: decoding continues only to find all missing columns.
      if let value = FoundColumns.missingValues.lazy.compactMap({ try? Value.decode($0) }).first { return value }
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: [], debugDescription: "there is no such column"))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      guard let column = type as? any ColumnValue.Type, let value = try value(column, key) as? Value else {
        throw StoreError.invalidQuery(
          "the property \"\(key.stringValue)\" of \(decoder.columns.type) has the type \(type), which a column can't store: conform \(type) to ColumnValue"
        )
      }
      return value
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
      -> KeyedDecodingContainer<Nested>
    {
      throw decoder.notARow
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.notARow }
    func superDecoder() throws -> any Decoder { throw decoder.notARow }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.notARow }
  }
}

/// The columns of a running statement, and the columns that decoding requests.
private final class FoundColumns {
  let names: [String]
  /// The name of the type to which rows are decoded.
  let type: String
  /// The positions of the columns by their lowercased names, since SQL ignores case.
  private let places: [String: Int32]
  /// The positions of the columns by the requested names; nil for missing columns.
  private var found: [String: Int32?] = [:]
  /// The requested names, in the order of the requests.
  private var asked: [String] = []
  /// The number of requested names at the last successful check; nil before it.
  private var checkedCount: Int?

  /// Placeholders for missing values. One of them fits most types.
  static let missingValues: [StorageValue] = [
    .null, .integer(0), .real(0), .text(""), .blob(Data(count: 16)),
  ]

  init(of row: ResultRow, type: String) {
    names = row.columnNames
    self.type = type
    places = Dictionary(
      names.enumerated().map { ($1.asciiLowercased, Int32($0)) }, uniquingKeysWith: { first, _ in first })
  }

  func place(of name: String) -> Int32? {
    if let place = found[name] { return place }
    let place = places[name.asciiLowercased]
    found[name] = .some(place)
    asked.append(name)
    return place
  }

  /// Returns the decoded row, unless a requested column is missing or occurs twice, or a column has no property.
  func checking<Value>(_ decode: () throws -> Value) throws -> Value {
    let value: Value
    do {
      value = try decode()
    } catch {
      // Decoding stopped here, so that later properties aren't known.
      let missing = asked.filter { place(of: $0) == nil }
      throw ColumnNames.error(found: [], expected: missing, type: type) ?? error
    }
    // Each row may request other columns, by its type's own initializer.
    if checkedCount != asked.count {
      if let error = ColumnNames.error(found: names, expected: asked, type: type) { throw error }
      checkedCount = asked.count
    }
    return value
  }
}
