/// What the statements of a report take with all their executions: now, and with the fixes.
///
/// In the log's times where it told those of all statements, and else in the measured ones. A fix shortens both by the same
/// share.
struct WorkloadTimes: Sendable {
  struct Entry: Sendable {
    let statement: Int
    /// In seconds.
    let before: Double
    var after: Double
    /// Whether an execution was ended by a budget, so that it takes more.
    let isLowerBound: Bool
    /// The pages that its executions read, as measured.
    var pages: (before: Int64, after: Int64)?

    var saved: Double { max(0, before - after) }

    /// `12 ms → 0.3 ms`; with the pages, where only these show what is gained: those that are in the cache take little time.
    var change: String {
      let times = "\(Figure.duration(seconds: before)) → \(Figure.duration(seconds: after))"
      guard let pages, after > 0.8 * before, pages.after < pages.before - pages.before / 5 else { return times }
      return "\(times), \(Figure.count(pages.before, "page")) → \(Figure.count(pages.after))"
    }
  }

  /// By statement; those that were not measured are missing.
  private(set) var entries: [Int: Entry] = [:]
  /// Whether the times are those of a log.
  let areLogged: Bool

  init(_ report: DiagnosisReport) {
    let statements = report.statements
    areLogged = !statements.isEmpty && statements.allSatisfy { $0.statement.totalTime != nil }
    for statement in statements {
      let measurements = statement.measurements.map(\.measurement)
      let logged = areLogged ? statement.statement.totalTime : nil
      guard logged != nil || !measurements.isEmpty else { continue }
      let mean = measurements.reduce(0) { $0 + $1.warmTime.inSeconds } / Double(max(1, measurements.count))
      let before = logged?.inSeconds ?? mean * Double(max(1, statement.statement.count))
      guard before.isFinite, before >= 0 else { continue }
      entries[statement.statement.id] = Entry(
        statement: statement.statement.id, before: before, after: before,
        isLowerBound: logged == nil && measurements.contains { !$0.isComplete })
    }
    for finding in report.findings {
      guard let statement = finding.statement, case .proven(let comparisons) = finding.outcome else { continue }
      apply(comparisons, to: statement)
    }
    let gains = Dictionary(grouping: report.indexAdvice?.gains ?? [], by: \.statement)
    for (statement, gains) in gains where entries[statement].map({ $0.after == $0.before }) ?? false {
      apply(gains.map(\.comparison), to: statement)
    }
  }

  /// The best of several fixes counts: a report has one for each statement, seldom more.
  private mutating func apply(_ comparisons: [Comparison], to statement: Int) {
    guard let entry = entries[statement], let share = Self.shareLeft(comparisons) else { return }
    let after = entry.before * share
    guard entry.after == entry.before || after < entry.after else { return }
    entries[statement]?.after = after
    entries[statement]?.pages = (
      comparisons.reduce(0) { $0.addingClamped($1.before.pages) },
      comparisons.reduce(0) { $0.addingClamped($1.after.pages) }
    )
  }

  /// What is left of the time, summed up over the sets of values.
  static func shareLeft(_ comparisons: [Comparison]) -> Double? {
    let before = comparisons.reduce(0) { $0 + $1.before.warmTime.inSeconds }
    let after = comparisons.reduce(0) { $0 + $1.after.warmTime.inSeconds }
    guard before > 0, after >= 0, (after / before).isFinite else { return nil }
    return after / before
  }

  var before: Double { entries.values.reduce(0) { $0 + $1.before } }
  var after: Double { entries.values.reduce(0) { $0 + $1.after } }
  var isLowerBound: Bool { entries.values.contains(where: \.isLowerBound) }

  /// Those that take the longest with the fixes, the longest first.
  var left: [Entry] {
    entries.values.sorted { $0.after == $1.after ? $0.statement < $1.statement : $0.after > $1.after }
  }

  /// Those that the fixes for others make slower, those that lose most first. What clocks can't tell apart is no loss, nor more than
  /// what was seen of one before it was stopped.
  var slower: [Entry] {
    entries.values.filter { !$0.isLowerBound && $0.after > 1.1 * $0.before && $0.after - $0.before > 0.001 }
      .sorted { one, other in
        let losses = (one.after - one.before, other.after - other.before)
        return losses.0 == losses.1 ? one.statement < other.statement : losses.0 > losses.1
      }
  }

  /// Those that take the longest now, the longest first.
  var slowest: [Entry] {
    entries.values.sorted { $0.before == $1.before ? $0.statement < $1.statement : $0.before > $1.before }
  }
}
