import SanderlingSQL

/// The conversion of values by a column's affinity.
extension Affinity {
  /// The value that a column of the affinity stores for a given value.
  ///
  /// See [Type Affinity](https://www.sqlite.org/datatype3.html#type_affinity).
  package func stored(_ value: StorageValue) throws -> StorageValue {
    switch self {
    case .blob: value
    case .text: try value.asText()
    case .integer, .numeric: try value.asNumber().asIntegerWhereEqual
    case .real:
      if case .integer(let integer) = try value.asNumber() { .real(Double(integer)) } else { try value.asNumber() }
    }
  }
}

extension StorageValue {
  /// The value, with a number as text.
  func asText() throws -> StorageValue {
    switch self {
    case .integer(let integer): .text(String(integer))
    case .real(let real): .text(try SQLiteConversions.text(of: real))
    case .null, .text, .blob: self
    }
  }

  /// The value, with a text that is entirely a number as that number.
  func asNumber() throws -> StorageValue {
    guard case .text(var text) = self else { return self }
    return try text.withUTF8 { try NumericText(UnsafeRawBufferPointer($0)).affinityValue() } ?? self
  }

  /// The value as an operand of arithmetic: a number or NULL. A text or blob becomes the number that it begins with.
  ///
  /// See [Operators](https://www.sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes).
  func asOperand() throws -> StorageValue {
    switch self {
    case .null, .integer, .real: self
    case .text, .blob: try withTextBytes { try NumericText($0).arithmeticValue() }
    }
  }

  /// The value as a real; 0.0 for NULL.
  func asReal() throws -> Double {
    switch self {
    case .null: 0
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .text, .blob: try withTextBytes { try NumericText($0).real() }
    }
  }

  /// The value of `CAST(… AS INTEGER)`. A real is rounded towards zero and clamped. A text becomes the integer that it
  /// begins with.
  func asInteger() throws -> Int64 {
    switch self {
    case .null: 0
    case .integer(let integer): integer
    case .real(let real): Int64(clamping: real)
    case .text, .blob: try withTextBytes { NumericText($0).integer }
    }
  }

  /// Calls `body` with the bytes that SQLite's text functions read: those of the text, of a number's text, or of the
  /// blob itself.
  func withTextBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    switch self {
    case .blob(let data): return try data.withUnsafeBytes(body)
    case .text(var text): return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    case .null: return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    case .integer, .real: return try asText().withTextBytes(body)
    }
  }

  /// The value, with a real as the integer that equals it. As in SQLite, reals at the ends of the 64-bit range stay
  /// reals.
  fileprivate var asIntegerWhereEqual: StorageValue {
    guard case .real(let real) = self, let integer = Int64(exactly: real), integer != .min else { return self }
    return .integer(integer)
  }
}

extension Int64 {
  fileprivate init(clamping real: Double) {
    self = real >= 0x1p63 ? .max : real < -0x1p63 ? .min : Int64(real)
  }
}
