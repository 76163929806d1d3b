import SanderlingSQL

extension NumericText {
  /// The number that a column of numeric affinity makes of the text; nil if the text isn't entirely a number.
  func affinityValue() throws -> StorageValue? {
    guard isWellFormed else { return nil }
    return try arithmeticValue()
  }

  /// The operand that arithmetic makes of the text: the number at its beginning, or 0 if there is none.
  func arithmeticValue() throws -> StorageValue {
    try isReal || !integerFits ? .real(real()) : .integer(integer)
  }

  /// The real at the beginning of the text, or 0.0 if there is none. A minus sign counts even alone, and makes -0.0.
  func real() throws -> Double {
    if !isReal, integerFits, integer.magnitude < 1 << 53 {
      return integer == 0 && isNegative ? -0.0 : Double(integer)
    }
    return try SQLiteConversions.real(ofText: number)
  }
}
