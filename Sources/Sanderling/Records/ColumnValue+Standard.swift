public import Foundation

// MARK: - Integers

extension FixedWidthInteger where Self: NumericColumnValue {
  /// The declared type of integers: INTEGER.
  public static var columnType: ColumnType { .integer }

  /// The stored form of the integer. Throws ``ValueError`` if it doesn't fit into 64 bits with a sign.
  @inlinable
  public static func encode(_ value: Self) throws -> StorageValue {
    try .integer(integer(value))
  }

  /// The stored integer. Throws ``ValueError`` if it doesn't fit into this type.
  public static func decode(_ stored: StorageValue) throws -> Self {
    guard case .integer(let integer) = stored else {
      throw ValueError.mismatch(expected: Self.self, found: stored.storageClassName)
    }
    guard let value = Self(exactly: integer) else { throw outOfRange }
    return value
  }

  /// Binds the integer. Throws ``ValueError`` if it doesn't fit into 64 bits with a sign.
  @inlinable
  public static func bind(_ value: Self, to parameters: ParameterBinder, at index: Int32) throws {
    try parameters.bind(integer: integer(value), at: index)
  }

  /// Reads the integer. Throws ``ValueError`` if it doesn't fit into this type.
  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Self {
    guard let value = try Self(exactly: row.integer(at: index, for: Self.self)) else {
      throw row.locating(outOfRange, at: index)
    }
    return value
  }

  @inlinable
  static func integer(_ value: Self) throws -> Int64 {
    guard let integer = Int64(exactly: value) else { throw outOfRange }
    return integer
  }

  @usableFromInline static var outOfRange: ValueError {
    ValueError("the integer doesn't fit: \(Self.self) and SQLite's 64-bit integers differ in range")
  }
}

extension Int: NumericColumnValue {}
extension Int8: NumericColumnValue {}
extension Int16: NumericColumnValue {}
extension Int32: NumericColumnValue {}
extension Int64: NumericColumnValue {}
extension UInt: NumericColumnValue {}
extension UInt8: NumericColumnValue {}
extension UInt16: NumericColumnValue {}
extension UInt32: NumericColumnValue {}
extension UInt64: NumericColumnValue {}

// MARK: - Bool

/// Stored as 0 or 1. Reading another integer fails: it would be true in Swift, but not equal to `true` in SQL.
extension Bool: SortableColumnValue {
  public static var columnType: ColumnType { .integer }

  public static func encode(_ value: Bool) -> StorageValue {
    .integer(value ? 1 : 0)
  }

  public static func decode(_ stored: StorageValue) throws -> Bool {
    guard case .integer(let integer) = stored else {
      throw ValueError.mismatch(expected: Bool.self, found: stored.storageClassName)
    }
    guard integer & 1 == integer else { throw neither }
    return integer == 1
  }

  @inlinable
  public static func bind(_ value: Bool, to parameters: ParameterBinder, at index: Int32) throws {
    try parameters.bind(integer: value ? 1 : 0, at: index)
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Bool {
    let integer = try row.integer(at: index, for: Bool.self)
    guard integer & 1 == integer else { throw row.locating(neither, at: index) }
    return integer == 1
  }

  @usableFromInline static var neither: ValueError {
    ValueError("expected 0 or 1 for a Bool, found another integer")
  }
}

// MARK: - Floating point

/// NaN can't be stored: encoding and binding it throw, since SQLite would store NULL.
extension Double: NumericColumnValue {
  public static var columnType: ColumnType { .real }

  public static func encode(_ value: Double) throws -> StorageValue {
    if value.isNaN { throw ValueError.notANumber }
    return .real(value)
  }

  public static func decode(_ stored: StorageValue) throws -> Double {
    try real(stored, for: Double.self)
  }

  @inlinable
  public static func bind(_ value: Double, to parameters: ParameterBinder, at index: Int32) throws {
    try parameters.bind(real: value, at: index)
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Double {
    try row.real(at: index, for: Double.self)
  }

  /// The stored real, or the real that equals the stored integer.
  static func real(_ stored: StorageValue, for type: Any.Type) throws -> Double {
    switch stored {
    case .real(let real):
      return real
    case .integer(let integer):
      guard let real = Double(exactly: integer) else { throw ValueError.inexact(type) }
      return real
    default:
      throw ValueError.mismatch(expected: type, found: stored.storageClassName)
    }
  }
}

/// Stored as the equal `Double`. Reading a real that equals no `Float` fails.
extension Float: NumericColumnValue {
  public static var columnType: ColumnType { .real }

  public static func encode(_ value: Float) throws -> StorageValue {
    try Double.encode(Double(value))
  }

  public static func decode(_ stored: StorageValue) throws -> Float {
    guard let value = try Float(exactly: Double.real(stored, for: Float.self)) else { throw inexact }
    return value
  }

  @inlinable
  public static func bind(_ value: Float, to parameters: ParameterBinder, at index: Int32) throws {
    try parameters.bind(real: Double(value), at: index)
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Float {
    guard let value = try Float(exactly: row.real(at: index, for: Float.self)) else {
      throw row.locating(inexact, at: index)
    }
    return value
  }

  @usableFromInline static var inexact: ValueError {
    ValueError("a Float can't hold the real exactly, but a Double can")
  }
}

// MARK: - Text and data

/// Ordered by UTF-8 bytes, in SQL and in evaluation in Swift. Swift's `<` has another order.
extension String: SortableColumnValue {
  public static var columnType: ColumnType { .text }

  public static func encode(_ value: String) -> StorageValue {
    .text(value)
  }

  public static func decode(_ stored: StorageValue) throws -> String {
    guard case .text(let text) = stored else {
      throw ValueError.mismatch(expected: String.self, found: stored.storageClassName)
    }
    return text
  }

  @inlinable
  public static func bind(_ value: String, to parameters: ParameterBinder, at index: Int32) throws {
    try parameters.bind(text: value, at: index)
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> String {
    try row.text(at: index, for: String.self)
  }
}

/// Ordered by bytes.
extension Data: SortableColumnValue {
  public static var columnType: ColumnType { .blob }

  public static func encode(_ value: Data) -> StorageValue {
    .blob(value)
  }

  public static func decode(_ stored: StorageValue) throws -> Data {
    guard case .blob(let data) = stored else {
      throw ValueError.mismatch(expected: Data.self, found: stored.storageClassName)
    }
    return data
  }

  @inlinable
  public static func bind(_ value: Data, to parameters: ParameterBinder, at index: Int32) throws {
    try value.withUnsafeBytes { try parameters.bind(blob: $0, at: index) }
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Data {
    try row.withBlob(at: index, for: Data.self) { Data($0) }
  }
}

// MARK: - Optionals

/// Stored with NULL for `nil`. NULL sorts before every value unless an ordering places it.
extension Optional: ColumnCoding where Wrapped: ColumnValue {
  public static var columnType: ColumnType { Wrapped.columnType }
  public static var acceptsNull: Bool { true }

  public static func encode(_ value: Wrapped?) throws -> StorageValue {
    try value.map(Wrapped.encode) ?? .null
  }

  public static func decode(_ stored: StorageValue) throws -> Wrapped? {
    try stored.isNull ? nil : Wrapped.decode(stored)
  }

  @inlinable
  public static func bind(_ value: Wrapped?, to parameters: ParameterBinder, at index: Int32) throws {
    guard let value else { return try parameters.bindNull(at: index) }
    try Wrapped.bind(value, to: parameters, at: index)
  }

  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Wrapped? {
    try row.isNull(at: index) ? nil : Wrapped.read(row, at: index)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {}
extension Optional: SortableColumnValue where Wrapped: SortableColumnValue {}
extension Optional: ArithmeticColumnValue where Wrapped: NumericColumnValue {
  public typealias Quotient = Wrapped?
}

// MARK: - Raw values

extension RawRepresentable where Self: ColumnValue, RawValue: ColumnValue {
  /// The declared type of the raw values.
  public static var columnType: ColumnType { RawValue.columnType }

  /// The stored form of the raw value.
  public static func encode(_ value: Self) throws -> StorageValue {
    try RawValue.encode(value.rawValue)
  }

  /// The value with the stored raw value. Throws ``ValueError`` for an unknown raw value, unless the type is an
  /// ``OpenColumnValue``.
  public static func decode(_ stored: StorageValue) throws -> Self {
    let rawValue = try RawValue.decode(stored)
    guard let value = Self(rawValue: rawValue), value.isStored(as: rawValue) else { return try valueForUnknown() }
    return value
  }

  /// Binds the raw value.
  @inlinable
  public static func bind(_ value: Self, to parameters: ParameterBinder, at index: Int32) throws {
    try RawValue.bind(value.rawValue, to: parameters, at: index)
  }

  /// Reads the value with the stored raw value. Throws ``ValueError`` for an unknown raw value, unless the type is an
  /// ``OpenColumnValue``.
  @inlinable @inline(__always)
  public static func read(_ row: ResultRow, at index: Int32) throws -> Self {
    let rawValue = try RawValue.read(row, at: index)
    guard let value = Self(rawValue: rawValue), value.isStored(as: rawValue) else {
      do { return try valueForUnknown() } catch { throw row.locating(error, at: index) }
    }
    return value
  }

  /// Whether the value's raw value equals the stored one, byte by byte for texts. Swift finds the case of a text by
  /// canonical equivalence, where the composed and the decomposed "é" are equal. SQL distinguishes them, and would not
  /// find the row by the case.
  @inlinable @inline(__always)
  func isStored(as stored: RawValue) -> Bool {
    guard let stored = stored as? String, let own = rawValue as? String else { return true }
    return own.utf8.elementsEqual(stored.utf8)
  }

  /// The value for an unknown raw value: see ``OpenColumnValue``.
  @usableFromInline
  static func valueForUnknown() throws -> Self {
    // Only unknown values reach the cast, so that it costs nothing for known values.
    if let value = (Self.self as? any OpenColumnValue.Type)?.unknownValue as? Self { return value }
    throw ValueError("the stored value is no case of \(Self.self)")
  }
}
