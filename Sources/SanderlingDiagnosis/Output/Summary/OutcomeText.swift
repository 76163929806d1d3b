import SanderlingTerminal

/// The outcome for a statement, in sentences: its time, and the fixes that were tried.
struct OutcomeText: Sendable {
  /// The sentences, each with its period.
  let sentences: [String]

  var text: String { sentences.joined(separator: " ") }

  init(_ outcome: StatementOutcome, of statement: StatementReport) {
    let cost = Self.cost(of: statement)
    switch outcome {
    case .notMeasured(let reason):
      sentences = [reason]
    case .untried:
      sentences = ["No fix was tried: no time was left, and --budget allows more.", "It \(cost)."]
    case .nothingBetter(let tried, let isCutShort):
      let result =
        switch tried {
        case 0: "No fix suits it"
        case 1: "The one fix that was tried doesn't make it faster"
        default: "None of the \(Figure.count(tried)) fixes that were tried makes it faster"
        }
      let rest = isCutShort ? ["The time ended before all fixes were tried; --budget allows more."] : []
      sentences = ["\(result): it \(cost)."] + rest
    case .hasFixes(let count):
      sentences = ["It \(cost); \(count == 1 ? "one fix is" : "\(Figure.count(count)) fixes are") proven."]
    }
  }

  /// Returns the cost in the form `takes 12 ms and returns 1 row`.
  private static func cost(of statement: StatementReport) -> String {
    guard let longest = statement.measurements.map(\.measurement).max(by: { $0.warmTime < $1.warmTime }) else {
      return "was not measured"
    }
    let time = Figure.duration(longest.warmTime)
    guard longest.isComplete else { return "was stopped before its end, after \(time)" }
    let verb = statement.statement.isWrite ? "changes" : "returns"
    return "takes \(time) and \(verb) \(Figure.count(longest.rowsReturned, "row"))"
  }
}

extension StatementOutcome {
  /// The outcome in one or two words, for a table cell.
  var label: String {
    switch self {
    case .notMeasured: "not measured"
    case .untried: "no time to try a fix"
    case .nothingBetter(let tried, _): tried == 0 ? "no fix suits" : "nothing better"
    case .hasFixes: "has a fix"
    }
  }
}
