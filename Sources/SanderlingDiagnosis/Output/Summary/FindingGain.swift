import SanderlingTerminal

/// The gain of a fix: the cost of a statement before, as a multiple of its cost after.
struct FindingGain: Hashable, Sendable {
  enum Measure: String, Sendable {
    case time
    case steps
    case pages
  }

  let ratio: Double
  let measure: Measure
  /// Whether a budget ended the run before, so that the gain is a lower bound.
  let isLowerBound: Bool

  /// The gain with the bindings that save the most time. Nil without a measurement, or if no figure can be divided.
  init?(_ outcome: Finding.Outcome) {
    guard case .proven(let comparisons) = outcome, let comparison = Self.sorted(comparisons).first else { return nil }
    self.init(comparison)
  }

  /// Returns the comparisons by saved time, the greatest first.
  static func sorted(_ comparisons: [Comparison]) -> [Comparison] {
    comparisons.sorted { $0.savedTime > $1.savedTime }
  }

  /// The gain in time if it exceeds the noise, otherwise the greater of the gains in steps and in pages.
  init?(_ comparison: Comparison) {
    let (before, after) = (comparison.before, comparison.after)
    let time = Self.ratio(Figure.milliseconds(before.warmTime), Figure.milliseconds(after.warmTime))
    let counted = [
      (Self.ratio(Double(before.steps), Double(after.steps)), Measure.steps),
      (Self.ratio(Double(before.pages), Double(after.pages)), Measure.pages),
    ].compactMap { ratio, measure in ratio.map { (ratio: $0, measure: measure) } }
    isLowerBound = !before.isComplete
    if let time, before.warmTime >= .microseconds(100), time >= 1.05 {
      (ratio, measure) = (time, .time)
    } else if let best = counted.max(by: { $0.ratio < $1.ratio }), best.ratio >= 1.05 || time == nil {
      (ratio, measure) = (best.ratio, best.measure)
    } else if let time {
      (ratio, measure) = (time, .time)
    } else {
      return nil
    }
  }

  /// The gain in the form `128×`, `−34 %` or `≥ 4,210×`. The unit is named unless it is time.
  var text: String {
    let number = (isLowerBound ? "≥ " : "") + Figure.ratio(ratio)
    return measure == .time ? number : "\(number) \(measure.rawValue)"
  }

  private static func ratio(_ before: Double, _ after: Double) -> Double? {
    before > 0 && after > 0 ? before / after : nil
  }
}

extension Comparison {
  fileprivate var savedTime: Duration { before.warmTime - after.warmTime }
}
