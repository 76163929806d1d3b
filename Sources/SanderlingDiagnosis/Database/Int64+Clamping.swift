extension Int64 {
  /// The whole number towards zero, as near as an integer comes: the least or greatest one beyond their range, and 0 for NaN.
  /// Plain conversion ends the process there.
  init(clamping value: Double) {
    if value.isNaN {
      self = 0
    } else {
      self = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
  }
}
