extension Double {
  /// Creates the double nearest to a decimal number; infinity beyond the range of doubles. Nil for other texts, such as
  /// hexadecimal numbers and words.
  package init?(decimal text: String) {
    // Digits, signs, points and the letter of an exponent. `Double` refuses such texts if they are no number.
    guard text.utf8.allSatisfy({ (43...57).contains($0) || $0 == 69 || $0 == 101 }), let value = Double(text) else {
      return nil
    }
    self = value
  }
}
