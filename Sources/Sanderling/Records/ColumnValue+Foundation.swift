public import Foundation

/// Stored as the real number of seconds since 2001-01-01 00:00:00 UTC, as in a `Date` itself and in Core Data. Every
/// date is read back to the bit, and dates sort by time. For databases of other origin see ``DateTextCoding``,
/// ``ISO8601Coding``, ``UnixSecondsCoding`` and ``UnixMillisecondsCoding``.
extension Date: SortableColumnValue {
  public static var columnType: ColumnType { .real }

  public static func encode(_ value: Date) throws -> StorageValue {
    try Double.encode(value.timeIntervalSinceReferenceDate)
  }

  public static func decode(_ stored: StorageValue) throws -> Date {
    try Date(timeIntervalSinceReferenceDate: Double.real(stored, for: Date.self))
  }

  @inlinable
  public static func bind(_ value: Date, to parameters: ParameterBinder, at index: Int32) throws {
    try parameters.bind(real: value.timeIntervalSinceReferenceDate, at: index)
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Date {
    try Date(timeIntervalSinceReferenceDate: row.real(at: index, for: Date.self))
  }
}

/// Stored as 16 bytes, as in GRDB, and ordered by them. For identifiers that are stored as text see ``UUIDTextCoding``.
extension UUID: SortableColumnValue {
  public static var columnType: ColumnType { .blob }

  public static func encode(_ value: UUID) -> StorageValue {
    withUnsafeBytes(of: value.uuid) { .blob(Data($0)) }
  }

  public static func decode(_ stored: StorageValue) throws -> UUID {
    guard case .blob(let data) = stored else {
      throw ValueError.mismatch(expected: UUID.self, found: stored.storageClassName)
    }
    return try data.withUnsafeBytes { try uuid(from: $0) }
  }

  @inlinable
  public static func bind(_ value: UUID, to parameters: ParameterBinder, at index: Int32) throws {
    try withUnsafeBytes(of: value.uuid) { try parameters.bind(blob: $0, at: index) }
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> UUID {
    do {
      return try row.withBlob(at: index, for: UUID.self) { try uuid(from: $0) }
    } catch {
      throw row.locating(error, at: index)
    }
  }

  @inlinable
  static func uuid(from bytes: UnsafeRawBufferPointer) throws -> UUID {
    guard bytes.count == 16 else { throw ValueError("expected the 16 bytes of a UUID, found \(bytes.count)") }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

/// Stored as its absolute string, and ordered as text.
extension URL: SortableColumnValue {
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: URL) throws -> StorageValue {
    // A base URL is part of the value, and the text can't contain it.
    guard value.baseURL == nil else {
      throw ValueError("a URL with a base can't be stored: store its absoluteURL")
    }
    return .text(value.absoluteString)
  }

  public static func decode(_ stored: StorageValue) throws -> URL {
    guard let url = try URL(string: String.decode(stored)) else { throw ValueError("the stored text is no URL") }
    return url
  }
}

/// Stored as text without superfluous zeros, so that equal amounts are equal in SQL.
///
/// Text doesn't sort by amount, so `Decimal` is no ``SortableColumnValue``. Comparing or sorting by it is a
/// compile-time error.
extension Decimal: ColumnValue {
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: Decimal) throws -> StorageValue {
    if value.isNaN { throw ValueError.notANumber }
    return .text(value.description)
  }

  public static func decode(_ stored: StorageValue) throws -> Decimal {
    switch stored {
    case .integer(let integer):
      return Decimal(integer)
    case .text(let text):
      // Foundation would read the number at the beginning of any text.
      guard text.isDecimalNumber, let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
        throw ValueError("the stored text is no decimal number")
      }
      return value
    default:
      throw ValueError.mismatch(expected: Decimal.self, found: stored.storageClassName)
    }
  }
}

extension String {
  /// Whether the whole text is a number, such as `-12.50` or `1e3`.
  fileprivate var isDecimalNumber: Bool {
    var rest = self[...].utf8
    func skip(_ characters: StaticString) -> Bool {
      guard let first = rest.first, characters.withUTF8Buffer({ $0.contains(first) }) else { return false }
      rest.removeFirst()
      return true
    }
    func skipDigits() -> Int {
      let digits = rest.prefix { (48...57).contains($0) }
      rest.removeFirst(digits.count)
      return digits.count
    }
    _ = skip("+-")
    var count = skipDigits()
    if skip(".") { count += skipDigits() }
    guard count > 0 else { return false }
    if skip("eE") {
      _ = skip("+-")
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
