import SanderlingSQL

extension NumericText {
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
