/// A text as SQLite reads a number in it.
///
/// Which characters make a number is decided here, by the rules of `sqlite3AtoF` and `sqlite3Atoi64`. What real a
/// number with a fraction or an exponent stands for is left to SQLite itself (``SQLiteConversions``): its algorithm
/// differs from version to version and is not that of `Double(_:)`.
struct NumericText {
  /// The number and the spaces before it.
  private let number: UnsafeRawBufferPointer
  /// The whole number at the text's beginning, clamped to 64 bits; 0 where there is none.
  let integer: Int64
  private let integerFits: Bool
  private let isNegative: Bool
  /// Whether the number goes on after its digits: a decimal point, or an exponent that has digits.
  private let isReal: Bool
  /// Whether the whole text is the number, spaces around it aside.
  private let isWellFormed: Bool

  /// - Parameter bytes: Valid as long as the value is used.
  init(_ bytes: UnsafeRawBufferPointer) {
    var position = bytes.startIndex
    func peek() -> UInt8? { position < bytes.endIndex ? bytes[position] : nil }
    func skip(while condition: (UInt8) -> Bool) -> Int {
      let start = position
      while let byte = peek(), condition(byte) { position += 1 }
      return position - start
    }
    func skip(_ characters: UInt8...) -> UInt8? {
      guard let byte = peek(), characters.contains(byte) else { return nil }
      position += 1
      return byte
    }

    _ = skip(while: \.isSpace)
    isNegative = skip(UInt8(ascii: "-"), UInt8(ascii: "+")) == UInt8(ascii: "-")
    let firstDigit = position
    var magnitude: UInt64 = 0
    var overflows = false
    while let byte = peek(), byte.isDigit {
      let (product, productOverflows) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      overflows = overflows || productOverflows || sumOverflows
      magnitude = sum
      position += 1
    }
    let integerDigits = position - firstDigit
    if overflows || magnitude > (isNegative ? 1 << 63 : UInt64(Int64.max)) {
      integer = isNegative ? .min : .max
      integerFits = false
    } else {
      integer = isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
      integerFits = true
    }

    var fractionDigits = 0
    let hasPoint = skip(UInt8(ascii: ".")) != nil
    if hasPoint { fractionDigits = skip(while: \.isDigit) }
    let hasDigits = integerDigits + fractionDigits > 0
    var exponentIsValid = true
    let hasExponent = skip(UInt8(ascii: "e"), UInt8(ascii: "E")) != nil
    if hasExponent {
      _ = skip(UInt8(ascii: "-"), UInt8(ascii: "+"))
      exponentIsValid = skip(while: \.isDigit) > 0
    }
    number = UnsafeRawBufferPointer(rebasing: bytes[..<position])
    _ = skip(while: \.isSpace)
    isReal = hasDigits && (hasPoint || (hasExponent && exponentIsValid))
    isWellFormed = position == bytes.endIndex && hasDigits && exponentIsValid
  }

  /// The number that a column of numeric affinity makes of the text; nil when the text is not a number as a whole.
  func affinityValue() throws -> StorageValue? {
    guard isWellFormed else { return nil }
    return try arithmeticValue()
  }

  /// The operand that arithmetic makes of the text: the number at its beginning, or else 0.
  func arithmeticValue() throws -> StorageValue {
    try isReal || !integerFits ? .real(real()) : .integer(integer)
  }

  /// The real at the text's beginning, or else 0.0. A minus counts even alone: it makes -0.0.
  func real() throws -> Double {
    if !isReal, integerFits, integer.magnitude < 1 << 53 {
      return integer == 0 && isNegative ? -0.0 : Double(integer)
    }
    return try SQLiteConversions.real(ofText: number)
  }
}

extension UInt8 {
  /// As `sqlite3Isspace` has it.
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
