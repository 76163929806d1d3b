extension Double {
  /// The double that is nearest to a decimal, infinity beyond its range. Hexadecimal digits and words are none.
  package init?(decimal text: String) {
    // Digits, signs, points and the letter of an exponent. Double refuses texts of these that are no number.
    guard text.utf8.allSatisfy({ (43...57).contains($0) || $0 == 69 || $0 == 101 }), let value = Double(text) else {
      return nil
    }
    self = value
  }
}
