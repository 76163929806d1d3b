import SanderlingTerminal

/// One line of a before-and-after table.
struct ComparedFigure: Sendable {
  let name: String
  let before: Double
  let after: Double
  let beforeText: String
  let afterText: String
  /// The gain in words; empty if it is unknown.
  let gain: String

  /// Returns the figures of a trial: times with warm and empty caches, steps and pages.
  static func all(_ comparison: Comparison) -> [ComparedFigure] {
    let (before, after) = (comparison.before, comparison.after)
    return [
      time("warm time", comparison, \.warmTime), time("cold time", comparison, \.coldTime),
      count("steps", comparison, \.steps), count("pages", comparison, \.pages),
      count("cold pages", comparison, \.coldPages),
    ].filter { $0.before != 0 || $0.after != 0 }
      + (before.sorts != after.sorts ? [count("sorts", comparison, \.sorts)] : [])
  }

  private static func time(
    _ name: String, _ comparison: Comparison, _ figure: (StatementMeasurement) -> Duration
  ) -> ComparedFigure {
    let times = (figure(comparison.before), figure(comparison.after))
    return ComparedFigure(
      name, comparison, (Figure.milliseconds(times.0), Figure.milliseconds(times.1)),
      (Figure.duration(times.0), Figure.duration(times.1)))
  }

  private static func count(
    _ name: String, _ comparison: Comparison, _ figure: (StatementMeasurement) -> Int64
  ) -> ComparedFigure {
    let counts = (figure(comparison.before), figure(comparison.after))
    return ComparedFigure(
      name, comparison, (Double(counts.0), Double(counts.1)), (Figure.count(counts.0), Figure.count(counts.1)))
  }

  private init(
    _ name: String, _ comparison: Comparison, _ values: (before: Double, after: Double),
    _ texts: (before: String, after: String)
  ) {
    self.name = name
    (before, after) = values
    beforeText = (comparison.before.isComplete ? "" : "≥ ") + texts.before
    afterText = (comparison.after.isComplete ? "" : "≥ ") + texts.after
    // Two lower bounds can't be compared, and neither can a lower bound before with a greater value after.
    let canCompare =
      before > 0 && after > 0 && comparison.after.isComplete && (comparison.before.isComplete || before >= after)
    gain = canCompare ? (comparison.before.isComplete ? "" : "≥ ") + Figure.ratio(before / after) : ""
  }
}
