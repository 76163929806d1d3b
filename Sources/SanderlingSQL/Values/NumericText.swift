/// The number at the beginning of a text, as SQLite reads it.
///
/// The extent of the number is decided here, by the rules of `sqlite3AtoF` and `sqlite3Atoi64`. The value of a number
/// with a fraction or an exponent is left to SQLite, because its algorithm differs between versions and from
/// `Double(_:)`.
package struct NumericText {
  /// The number and the spaces before it.
  package let number: UnsafeRawBufferPointer
  /// The whole number at the beginning of the text, clamped to 64 bits; 0 without digits.
  package let integer: Int64
  package let integerFits: Bool
  package let isNegative: Bool
  /// Whether a decimal point or an exponent with digits follows the whole number.
  package let isReal: Bool
  /// Whether the text consists of the number and spaces around it.
  package let isWellFormed: Bool

  /// - Parameter bytes: Must stay valid as long as the value is used.
  package init(_ bytes: UnsafeRawBufferPointer) {
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
}
