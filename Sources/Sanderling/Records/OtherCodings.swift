public import Foundation

/// A coding that adds `nil`, stored as NULL, to another coding.
public enum OptionalCoding<Wrapped: ColumnCoding>: ColumnCoding {
  public typealias Value = Wrapped.Value?

  public static var columnType: ColumnType { Wrapped.columnType }
  public static var acceptsNull: Bool { true }

  public static func encode(_ value: Value) throws -> StorageValue {
    try value.map(Wrapped.encode) ?? .null
  }

  public static func decode(_ stored: StorageValue) throws -> Value {
    try stored.isNull ? nil : Wrapped.decode(stored)
  }

  public static func bind(_ value: Value, to parameters: ParameterBinder, at index: Int32) throws {
    guard let value else { return try parameters.bindNull(at: index) }
    try Wrapped.bind(value, to: parameters, at: index)
  }

  public static func read(_ row: ResultRow, at index: Int32) throws -> Value {
    try row.isNull(at: index) ? nil : Wrapped.read(row, at: index)
  }
}

/// A coding of any `Codable` value as JSON text with sorted keys, so that equal values are equal texts.
///
/// Dates in the value are stored as JSONEncoder does by default, as seconds since 2001.
public enum JSONCoding<Value: Codable & Sendable>: ColumnCoding {
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: Value) throws -> StorageValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      throw ValueError("the \(Value.self) can't be encoded as JSON: \(reason(for: error))")
    }
  }

  public static func decode(_ stored: StorageValue) throws -> Value {
    let data: Data
    switch stored {
    case .text(let text): data = Data(text.utf8)
    case .blob(let blob): data = blob
    default: throw ValueError.mismatch(expected: Value.self, found: stored.storageClassName)
    }
    do {
      return try JSONDecoder().decode(Value.self, from: data)
    } catch {
      throw ValueError("the stored JSON is no \(Value.self): \(reason(for: error))")
    }
  }
}

extension JSONCoding {
  /// A description of the error. Foundation's own descriptions repeat values, which may be private.
  private static func reason(for error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "there is no \"\(key.stringValue)\""
    case DecodingError.valueNotFound(let type, _): "there is a null in place of a \(type)"
    case DecodingError.typeMismatch(let type, _): "there is another value in place of a \(type)"
    case DecodingError.dataCorrupted: "a value is malformed"
    case EncodingError.invalidValue(let value, _): "a \(Swift.type(of: value)) in it has no form in JSON"
    default: String(describing: type(of: error))
    }
  }
}

/// A coding whose texts are JSON.
package protocol JSONText {
  /// The JSON of another writer, rewritten as this coding writes the value; nil if the JSON is no value of it.
  static func rewritten(_ text: String) -> StorageValue?
}

extension JSONCoding: JSONText {
  package static func rewritten(_ text: String) -> StorageValue? {
    (try? decode(.text(text))).flatMap { try? encode($0) }
  }
}

/// A coding of dates as GRDB writes them, `2026-11-21 08:30:00.123` in UTC. The texts sort by time, and keep only
/// milliseconds.
public enum DateTextCoding: ColumnCoding {
  public typealias Value = Date
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: Date) throws -> StorageValue {
    try .text(CivilTime(value).text(separator: " ", fraction: 3, suffix: ""))
  }

  public static func decode(_ stored: StorageValue) throws -> Date {
    try CivilTime(parsing: String.decode(stored)).date
  }
}

/// A coding of dates as ISO 8601 text with milliseconds, `2026-11-21T08:30:00.123Z`. The texts sort by time, and keep
/// only milliseconds. The coding also reads texts without a fraction or with any offset, which don't sort with the
/// written texts.
public enum ISO8601Coding: ColumnCoding {
  public typealias Value = Date
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: Date) throws -> StorageValue {
    try .text(CivilTime(value).text(separator: "T", fraction: 3, suffix: "Z"))
  }

  public static func decode(_ stored: StorageValue) throws -> Date {
    try CivilTime(parsing: String.decode(stored)).date
  }
}

/// A coding of dates as the real number of seconds since 1970. The numbers sort by time, and round to about 0.2 µs.
public enum UnixSecondsCoding: ColumnCoding {
  public typealias Value = Date
  public static var columnType: ColumnType { .real }

  public static func encode(_ value: Date) throws -> StorageValue {
    try Double.encode(value.timeIntervalSince1970)
  }

  public static func decode(_ stored: StorageValue) throws -> Date {
    try Date(timeIntervalSince1970: Double.real(stored, for: Date.self))
  }
}

/// A coding of dates as the integer number of milliseconds since 1970, rounded to the nearest. The numbers sort by
/// time.
public enum UnixMillisecondsCoding: ColumnCoding {
  public typealias Value = Date
  public static var columnType: ColumnType { .integer }

  public static func encode(_ value: Date) throws -> StorageValue {
    let milliseconds = (value.timeIntervalSince1970 * 1000).rounded()
    guard let integer = Int64(exactly: milliseconds) else {
      throw ValueError("the date is too far from 1970 to count its milliseconds")
    }
    return .integer(integer)
  }

  public static func decode(_ stored: StorageValue) throws -> Date {
    try Date(timeIntervalSince1970: Double.real(stored, for: Date.self) / 1000)
  }
}

/// A coding of decimals as numbers of SQLite, as Core Data stores them. A column declares them DECIMAL there.
///
/// The numbers have 15 significant digits, as SQLite prints them. A decimal with more digits is an error on writing. To
/// keep all digits, leave `@Stored(as:)` out, so that the column holds texts.
///
/// Core Data's numbers may be off by some 1e-15 of their value. The coding reads the exact decimals, but a condition
/// such as `$0.price == price` compares the stored numbers and may miss rows.
public enum DecimalNumberCoding: ColumnCoding {
  public typealias Value = Decimal
  public static var columnType: ColumnType { .real }

  public static func encode(_ value: Decimal) throws -> StorageValue {
    if value.isNaN { throw ValueError.notANumber }
    guard let real = Double(value.description), try decimal(of: real) == value else {
      throw ValueError("the decimal has more digits than a floating-point number keeps")
    }
    return .real(real)
  }

  public static func decode(_ stored: StorageValue) throws -> Decimal {
    switch stored {
    case .integer(let integer): Decimal(integer)
    case .real(let real): try decimal(of: real)
    default: throw ValueError.mismatch(expected: Decimal.self, found: stored.storageClassName)
    }
  }

  private static func decimal(of real: Double) throws -> Decimal {
    let text = String(format: "%.15g", real)
    let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    // Foundation reads the beginning of other texts, and has a smaller range than a Double.
    guard let value, Double(value.description) == Double(text) else {
      throw ValueError("the stored number is out of the range of a Decimal")
    }
    return value
  }
}

/// A coding of UUIDs as upper-case text, as `UUID.uuidString` returns it. Reads both cases.
public enum UUIDTextCoding: ColumnCoding {
  public typealias Value = UUID
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: UUID) -> StorageValue {
    .text(value.uuidString)
  }

  public static func decode(_ stored: StorageValue) throws -> UUID {
    guard let uuid = try UUID(uuidString: String.decode(stored)) else { throw ValueError("the stored text is no UUID") }
    return uuid
  }
}

/// A coding of UUIDs as lower-case text, as most servers write it. Reads both cases.
public enum LowercaseUUIDTextCoding: ColumnCoding {
  public typealias Value = UUID
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: UUID) -> StorageValue {
    .text(value.uuidString.lowercased())
  }

  public static func decode(_ stored: StorageValue) throws -> UUID {
    try UUIDTextCoding.decode(stored)
  }
}

/// A coding of optional values without NULL, such as the result of `coalesce`.
enum UnwrappedCoding<Base: ColumnCoding, Value: Sendable>: ColumnCoding where Base.Value == Value? {
  static var columnType: ColumnType { Base.columnType }

  static func encode(_ value: Value) throws -> StorageValue {
    try Base.encode(value)
  }

  static func decode(_ stored: StorageValue) throws -> Value {
    guard let value = try Base.decode(stored) else {
      throw ValueError.mismatch(expected: Value.self, found: stored.storageClassName)
    }
    return value
  }
}

extension ColumnCoding {
  /// The coding of the values that aren't NULL.
  static func unwrapped<Wrapped: Sendable>(as type: Wrapped.Type) -> any ColumnCoding<Wrapped>.Type
  where Value == Wrapped? {
    UnwrappedCoding<Self, Wrapped>.self
  }
}
