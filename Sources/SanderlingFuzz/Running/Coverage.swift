import Sanderling

/// The number of times that each action ran and that each construct was checked.
final class Coverage: Sendable {
  private struct Counts {
    var queries: [Construct: Int] = [:]
    var checks: [Construct: Int] = [:]
    var writes: [WriteKind: Int] = [:]
    var steps: [StepKind: Int] = [:]
    var lives: [LifeKind: Int] = [:]
    var faults: [Fault.Operation: Int] = [:]
    var shapes: [OpenStyle.Shape: (checks: Int, rows: Int)] = [:]
    var pages: (checks: Int, rows: Int) = (0, 0)
    /// The number of comparisons of folds while rows were waiting to be folded, and the number of these rows.
    var pending: (checks: Int, rows: Int) = (0, 0)
    /// The number of comparisons of full-text indexes with the texts, and of counts of their documents.
    var indexChecks = 0
    var documentChecks = 0
    var battery: [Construct: Int] = [:]
    var batteryCount = 0
    var batteryCheckCount = 0
    var queryCount = 0
    var checkCount = 0
    var maintained = 0
    var roundCount = 0
    var earlyEndCount = 0
    var explained = 0

    /// Failed statements don't count as steps.
    var stepCount: Int {
      steps.reduce(0) { $1.key == .failedStatement ? $0 : $0 + $1.value }
    }
  }

  /// Guards the counts, which several tasks increment.
  private let counts = Lock(Counts())

  func note(_ kind: WriteKind) {
    counts.withLock { $0.writes[kind, default: 0] += 1 }
  }

  func note(_ kind: StepKind) {
    counts.withLock { $0.steps[kind, default: 0] += 1 }
  }

  func noteRound() {
    counts.withLock { $0.roundCount += 1 }
  }

  /// Counts a round that ended before its last step because its database could no longer be opened.
  func noteEarlyEnd() {
    counts.withLock { $0.earlyEndCount += 1 }
  }

  /// Counts calls that failed because of armed faults.
  func noteFaults(_ count: Int, of operation: Fault.Operation) {
    counts.withLock { $0.faults[operation, default: 0] += count }
  }

  func note(_ kind: LifeKind) {
    counts.withLock { $0.lives[kind, default: 0] += 1 }
  }

  func noteQuery(_ constructs: Set<Construct>) {
    counts.withLock { counts in
      counts.queryCount += 1
      for construct in constructs { counts.queries[construct, default: 0] += 1 }
    }
  }

  /// Counts a live list whose window was enlarged.
  func noteGrown() {
    counts.withLock { $0.queries[.windowGrown, default: 0] += 1 }
  }

  /// Counts a comparison of a live result with a fresh SELECT.
  func noteCheck(_ constructs: Set<Construct>) {
    counts.withLock { counts in
      counts.checkCount += 1
      for construct in constructs { counts.checks[construct, default: 0] += 1 }
    }
  }

  /// Counts a comparison of a shown list of this shape, with its number of rows.
  func noteCheck(_ shape: OpenStyle.Shape, rows: Int) {
    counts.withLock { counts in
      counts.shapes[shape, default: (0, 0)].checks += 1
      counts.shapes[shape, default: (0, 0)].rows += rows
    }
  }

  /// Counts a comparison of one or two pages, with their number of rows.
  func notePage(rows: Int) {
    counts.withLock { counts in
      counts.pages.checks += 1
      counts.pages.rows += rows
    }
  }

  /// Counts a comparison of folds while rows were waiting to be folded.
  func noteFolds(pending rows: Int) {
    if rows == 0 { return }
    counts.withLock { counts in
      counts.pending.checks += 1
      counts.pending.rows += rows
    }
  }

  /// Counts a comparison of full-text indexes with the texts.
  func noteIndexCheck() {
    counts.withLock { $0.indexChecks += 1 }
  }

  /// Counts a check that full-text indexes have no additional document without a row.
  func noteDocumentCheck() {
    counts.withLock { $0.documentChecks += 1 }
  }

  /// Counts a query of the battery that was opened.
  func noteBattery(_ constructs: Set<Construct>) {
    counts.withLock { counts in
      counts.batteryCount += 1
      for construct in constructs { counts.battery[construct, default: 0] += 1 }
    }
  }

  func noteBatteryChecks(_ count: Int) {
    counts.withLock { $0.batteryCheckCount += count }
  }

  func noteExplanation(isMaintained: Bool) {
    counts.withLock { counts in
      counts.explained += 1
      if isMaintained { counts.maintained += 1 }
    }
  }

  var queryCount: Int { counts.withLock { $0.queryCount } }
  var checkCount: Int { counts.withLock { $0.checkCount } }
  var earlyEndCount: Int { counts.withLock { $0.earlyEndCount } }

  /// Whether too many rounds ended early, so that the remaining rounds prove little.
  var endsTooEarly: Bool {
    counts.withLock { counts in
      counts.roundCount >= Self.leastRoundCount
        && Double(counts.earlyEndCount) > Self.greatestEarlyShare * Double(counts.roundCount)
    }
  }
}

// MARK: - Report

extension Coverage {
  /// The least share that each kind must have among queries, statements and steps.
  private static let leastShare = 0.01
  /// The greatest share of rounds that may end early.
  private static let greatestEarlyShare = 0.2
  /// With fewer rounds, the share that ends early is not significant.
  private static let leastRoundCount = 100
  /// With fewer queries the shares are not significant: the constructs are dealt in turn.
  private static let leastQueryCount = 1000

  /// The kinds that occurred too seldom; empty if the run is too short to judge.
  var shortfalls: [String] {
    let counts = counts.withLock { $0 }
    guard counts.queryCount >= Self.leastQueryCount else { return [] }
    func isRare(_ count: Int?, of total: Int) -> Bool { Double(count ?? 0) < Self.leastShare * Double(total) }
    let writes = counts.writes.values.reduce(0, +)
    let steps = counts.stepCount
    let lives = counts.lives.values.reduce(0, +)
    let maintained = [("maintained", counts.maintained), ("run again", counts.explained - counts.maintained)]
    return Construct.allCases.filter {
      isRare(counts.queries[$0], of: counts.queryCount) || counts.checks[$0, default: 0] == 0
    }.map(\.rawValue)
      + WriteKind.allCases.filter { isRare(counts.writes[$0], of: writes) }.map(\.rawValue)
      + StepKind.allCases.filter { isRare(counts.steps[$0], of: steps) }.map(\.rawValue)
      + OpenStyle.Shape.allCases.filter { counts.shapes[$0, default: (0, 0)].rows == 0 }.map(\.rawValue)
      + (counts.pages.rows == 0 ? ["pages"] : []) + (counts.pending.rows == 0 ? ["rows to be folded"] : [])
      + (counts.indexChecks == 0 ? ["indexes compared"] : [])
      + (counts.documentChecks == 0 ? ["documents counted"] : [])
      + LifeKind.allCases.filter { lives > 0 && isRare(counts.lives[$0], of: lives) }.map(\.rawValue)
      + maintained.filter { isRare($0.1, of: counts.explained) }.map(\.0)
  }

  /// The tables of all counts.
  var report: String {
    let counts = counts.withLock { $0 }
    func share(_ count: Int, _ total: Int) -> String {
      let permille = total == 0 ? 0 : count * 1000 / total
      return "\(permille / 10).\(permille % 10) %"
    }
    func line(_ columns: [String]) -> String {
      let widths = [34, 9, 9, 8, 9]
      return zip(columns, widths).enumerated().map { index, column in
        let padding = String(repeating: " ", count: max(0, column.1 - column.0.count))
        return index == 0 ? "  " + column.0 + padding : padding + column.0
      }.joined()
    }
    var lines = [line(["construct", "queries", "checks", "share", "battery"])]
    for construct in Construct.allCases {
      let queries = counts.queries[construct, default: 0]
      lines.append(
        line([
          construct.rawValue, "\(queries)", "\(counts.checks[construct, default: 0])",
          share(queries, counts.queryCount), "\(counts.battery[construct, default: 0])",
        ]))
    }
    lines.append(line(["battery", "\(counts.batteryCount)", "\(counts.batteryCheckCount)"]))
    lines.append(line(["shown as", "checks", "rows"]))
    for shape in OpenStyle.Shape.allCases {
      let (checks, rows) = counts.shapes[shape, default: (0, 0)]
      lines.append(line([shape.rawValue, "\(checks)", "\(rows)"]))
    }
    lines.append(line(["pages", "\(counts.pages.checks)", "\(counts.pages.rows)"]))
    lines.append(line(["rows to be folded", "\(counts.pending.checks)", "\(counts.pending.rows)"]))
    lines.append(line(["indexes compared", "\(counts.indexChecks)"]))
    lines.append(line(["documents counted", "\(counts.documentChecks)"]))
    lines.append(line(["statement", "times", "", "share"]))
    let writes = counts.writes.values.reduce(0, +)
    for kind in WriteKind.allCases {
      let count = counts.writes[kind, default: 0]
      lines.append(line([kind.rawValue, "\(count)", "", share(count, writes)]))
    }
    lines.append(line(["step", "times", "", "share"]))
    let steps = counts.stepCount
    for kind in StepKind.allCases {
      let count = counts.steps[kind, default: 0]
      lines.append(line([kind.rawValue, "\(count)", "", share(count, steps)]))
    }
    lines.append(line(["step of a store's life", "times", "", "share"]))
    let lives = counts.lives.values.reduce(0, +)
    for kind in LifeKind.allCases {
      let count = counts.lives[kind, default: 0]
      lines.append(line([kind.rawValue, "\(count)", "", share(count, lives)]))
    }
    lines.append(line(["calls that were made fail", "times"]))
    lines += Fault.Operation.allCases.map { line([$0.rawValue, "\(counts.faults[$0, default: 0])"]) }
    lines.append(line(["path", "queries", "", "share"]))
    lines.append(line(["maintained", "\(counts.maintained)", "", share(counts.maintained, counts.explained)]))
    let again = counts.explained - counts.maintained
    lines.append(line(["run again", "\(again)", "", share(again, counts.explained)]))
    return lines.joined(separator: "\n")
  }
}
