extension Int64 {
  /// Rounds towards zero and clamps to the range of the type; NaN becomes 0. The standard conversion would trap in
  /// these cases.
  init(clamping value: Double) {
    if value.isNaN {
      self = 0
    } else {
      self = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
  }
}
