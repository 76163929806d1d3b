import Foundation
import SanderlingSQLite

/// The primary key of a row, as stored, compared by bytes.
///
/// The one exception is `-0.0`, which is kept as `0.0`: a key has only one of the two, and SQLite doesn't print the
/// sign. The usual keys, one integer, one blob of 16 bytes or one text, are hashed and compared without allocation.
struct RowKey: Sendable {
  fileprivate enum Storage: Sendable {
    case integer(Int64)
    /// A blob of 16 bytes, in its own order.
    case uuid(UInt64, UInt64)
    case text(String)
    case values([StorageValue])
  }

  private let storage: Storage

  init(_ values: [StorageValue]) {
    storage = values.count == 1 ? Storage(values[0]) : .values(values.map(\.withoutSignOfZero))
  }

  init(_ value: StorageValue) {
    storage = Storage(value)
  }

  init(integer: Int64) {
    storage = .integer(integer)
  }

  init(text: String) {
    storage = .text(text)
  }

  init(uuid: UUID) {
    storage = withUnsafeBytes(of: uuid.uuid) { .uuid($0.loadUnaligned(as: UInt64.self), $0.halfAfter8) }
  }

  /// Reads the key from consecutive columns of a row.
  init(reading row: ResultRow, at firstColumn: Int32 = 0, count: Int) {
    if count == 1 {
      storage = Storage(row.storageValue(at: firstColumn))
    } else {
      storage = .values((0..<Int32(count)).map { row.storageValue(at: firstColumn + $0).withoutSignOfZero })
    }
  }

  /// The values of the key's columns, in the order of the table's key.
  var values: [StorageValue] {
    switch storage {
    case .integer(let integer): [.integer(integer)]
    case .uuid(let first, let second):
      [.blob(withUnsafeBytes(of: (first, second)) { Data($0) })]
    case .text(let text): [.text(text)]
    case .values(let values): values
    }
  }

  /// Whether a column of the key is NULL, so that the key identifies no row.
  var hasNull: Bool {
    if case .values(let values) = storage { values.contains(where: \.isNull) } else { false }
  }

  /// Binds the values to consecutive parameters.
  func bind(to parameters: ParameterBinder, from index: Int32) throws {
    switch storage {
    case .integer(let integer): try parameters.bind(integer: integer, at: index)
    case .uuid(let first, let second):
      try withUnsafeBytes(of: (first, second)) { try parameters.bind(blob: $0, at: index) }
    case .text(let text): try parameters.bind(text: text, at: index)
    case .values(let values):
      for (offset, value) in values.enumerated() { try parameters.bind(value, at: index + Int32(offset)) }
    }
  }
}

extension RowKey {
  /// Decodes a key from its encoded values; nil for a text that is not UTF-8, which no Swift string can hold.
  init?(decoding bytes: UnsafeRawBufferPointer) {
    var decoder = ValueDecoder(bytes)
    guard let first = decoder.next() else {
      storage = .values([])
      return
    }
    switch first {
    case .integer(let integer) where decoder.isAtEnd: storage = .integer(integer)
    case .blob(let blob) where decoder.isAtEnd && blob.count == 16:
      storage = .uuid(blob.loadUnaligned(as: UInt64.self), blob.halfAfter8)
    case .text(let text) where decoder.isAtEnd:
      guard let text = String(validating: text, as: UTF8.self) else { return nil }
      storage = .text(text)
    default:
      var values: [StorageValue] = []
      var current: EncodedValue? = first
      while let value = current {
        guard let value = value.validated else { return nil }
        values.append(value.withoutSignOfZero)
        current = decoder.next()
      }
      storage = .values(values)
    }
  }
}

extension RowKey {
  /// Decodes a key from its encoded values, with malformed UTF-8 repaired.
  init(reading encoding: UnsafeRawBufferPointer) {
    if let key = RowKey(decoding: encoding) {
      self = key
      return
    }
    var decoder = ValueDecoder(encoding)
    var values: [StorageValue] = []
    while let value = decoder.next() { values.append(value.value) }
    self.init(values)
  }

  /// Calls `body` with the encoded values, which are valid only during the call. Equal keys have the same encoding.
  func withEncoding<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try values.withEncoding(body)
  }

  /// A hash of an encoded key. O(bytes).
  static func hash(ofEncoding encoding: UnsafeRawBufferPointer, _ keys: RowHash.Keys = .random) -> UInt32 {
    var hash = RowHash(keys)
    hash.combine(encoding, tag: 0)
    return hash.half
  }
}

extension RowKey: Hashable {
  static func == (lhs: RowKey, rhs: RowKey) -> Bool {
    switch (lhs.storage, rhs.storage) {
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.uuid(let first, let second), .uuid(let otherFirst, let otherSecond)):
      first == otherFirst && second == otherSecond
    case (.text(let lhs), .text(let rhs)): StorageValue.text(lhs) == .text(rhs)
    case (.values(let lhs), .values(let rhs)): lhs == rhs
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch storage {
    case .integer(let integer): hasher.combine(integer)
    case .uuid(let first, let second):
      hasher.combine(first)
      hasher.combine(second)
    case .text(let text): StorageValue.text(text).hash(into: &hasher)
    case .values(let values): hasher.combine(values)
    }
  }
}

extension RowKey: CustomStringConvertible {
  var description: String {
    values.map(\.keyDescription).joined(separator: ", ")
  }
}

extension RowKey.Storage {
  fileprivate init(_ value: StorageValue) {
    self =
      switch value {
      case .integer(let integer): .integer(integer)
      case .text(let text): .text(text)
      case .blob(let data) where data.count == 16:
        data.withUnsafeBytes { .uuid($0.loadUnaligned(as: UInt64.self), $0.halfAfter8) }
      default: .values([value.withoutSignOfZero])
      }
  }
}

extension UnsafeRawBufferPointer {
  /// The eight bytes after the first eight.
  fileprivate var halfAfter8: UInt64 { loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
}

extension StorageValue {
  fileprivate var withoutSignOfZero: StorageValue {
    if case .real(0) = self { .real(0) } else { self }
  }

  fileprivate var keyDescription: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let data): data.withUnsafeBytes { $0.hexLiteral }
    }
  }
}
