import SanderlingSQLite

/// Decodes a row by the names of its columns.
struct RowDecoder: Decoder {
  private let row: ResultRow
  private let type: String
  private let columns: Columns
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// What is known of the columns, and was asked of them.
  private final class Columns {
    let names: [String]
    /// The places of the names, which SQL doesn't tell from each other by case.
    let places: [String: Int32]
    var asked: Set<String> = []

    init(_ names: [String]) {
      self.names = names
      places = Dictionary(
        names.enumerated().map { ($1.withASCIICase(.lower), Int32($0)) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// - Throws: ``StoreError/invalidQuery(_:)`` that names the columns that are missing, there twice, or too many.
  static func decode<Value: Decodable>(_ type: Value.Type, from row: ResultRow) throws -> Value {
    let names = (0..<sqlite3_column_count(row.statement)).map { index in
      sqlite3_column_name(row.statement, index).map { String(cString: $0) } ?? ""
    }
    let decoder = RowDecoder(row: row, type: String(describing: type), columns: Columns(names))
    let value: Value
    do {
      value = try Value(from: decoder)
    } catch DecodingError.keyNotFound(let key, _) {
      // The properties after it are not known.
      throw ColumnNames.error(found: [], expected: [key.stringValue], type: decoder.type) ?? decoder.notARow
    }
    if let error = ColumnNames.error(found: names, expected: decoder.columns.asked.sorted(), type: decoder.type) {
      throw error
    }
    return value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notARow }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notARow }

  private var notARow: StoreError {
    .invalidQuery("\(type) is no struct with a property for each column: read it with RawQuery(_:as:)")
  }

  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.columns.names.compactMap(Key.init(stringValue:)) }

    /// Says so of a column that is missing, too, so that a property that is optional doesn't hide it.
    func contains(_ key: Key) -> Bool {
      decoder.columns.asked.insert(key.stringValue)
      return place(of: key) != nil
    }

    private func place(of key: Key) -> Int32? {
      decoder.columns.places[key.stringValue.withASCIICase(.lower)]
    }

    private func existingPlace(of key: Key) throws -> Int32 {
      decoder.columns.asked.insert(key.stringValue)
      if let place = place(of: key) { return place }
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: [], debugDescription: "there is no such column"))
    }

    func decodeNil(forKey key: Key) throws -> Bool {
      decoder.row.isNull(at: try existingPlace(of: key))
    }

    private func value<Value: ColumnValue>(_ type: Value.Type, _ key: Key) throws -> Value {
      try decoder.row.value(at: existingPlace(of: key), as: type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      guard let column = type as? any ColumnValue.Type, let value = try value(column, key) as? Value else {
        throw StoreError.invalidQuery(
          "the property \"\(key.stringValue)\" of \(decoder.type) has the type \(type), which no column holds: conform it to ColumnValue"
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
