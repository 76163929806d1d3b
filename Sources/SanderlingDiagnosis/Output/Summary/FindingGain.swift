import SanderlingTerminal

/// How much a fix gained: what a statement cost before, as a multiple of what it costs after.
struct FindingGain: Hashable, Sendable {
  enum Measure: String, Sendable {
    case time
    case steps
    case pages
  }

  let ratio: Double
  let measure: Measure
  /// Whether the run before was cut off by a budget, so that it gained at least so much.
  let isLowerBound: Bool

  /// The gain of the bindings that save the most time. Nil when nothing was measured, or nothing that can be divided.
  init?(_ outcome: Finding.Outcome) {
    guard case .proven(let comparisons) = outcome, let comparison = Self.sorted(comparisons).first else { return nil }
    self.init(comparison)
  }

  /// Comparisons with those first that save the most time.
  static func sorted(_ comparisons: [Comparison]) -> [Comparison] {
    comparisons.sorted { $0.savedTime > $1.savedTime }
  }

  /// The gain in time where it can be told from noise, else the greater one of those in steps and in pages.
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

  /// `128×`, `−34 %`, `≥ 4,210×`; what was counted is named unless it is time.
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
