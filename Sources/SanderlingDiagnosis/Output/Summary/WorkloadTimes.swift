import SanderlingTerminal

/// The time that the statements of a report take with all their executions: now, and with the fixes.
///
/// The times are the log's if it has those of all statements, otherwise the measured ones. A fix shortens a read's
/// logged time by the same share as its measured time.
struct WorkloadTimes: Sendable {
  struct Entry: Sendable {
    let statement: Int
    /// In seconds.
    let before: Double
    var after: Double
    /// Whether a budget ended an execution, so that the true time is greater.
    let isLowerBound: Bool
    /// The pages that its executions read, as measured.
    var pages: PageChange?

    var saved: Double { max(0, before - after) }

    /// Whether the fixes change the time measurably.
    var isChanged: Bool { saved > 0 || after > 1.05 * before }

    /// Whether the statement gains from its fixes: in time, or in pages if it takes no longer.
    var isGain: Bool {
      if after < 0.95 * before { return true }
      return after <= 1.05 * before && readsFewerPages
    }

    fileprivate var readsFewerPages: Bool { pages?.areFewer ?? false }

    /// The saved page reads, if only pages show the gain.
    var savedPages: Int64 {
      guard let pages, after > 0.8 * before, readsFewerPages else { return 0 }
      let (saved, overflow) = pages.before.subtractingReportingOverflow(pages.after)
      return overflow ? .max : saved
    }

    /// The change in the form `12 ms → 0.3 ms`. If only pages show the gain, it gives the pages, because cached pages
    /// take little time.
    var change: String {
      let times = "\(Figure.duration(seconds: before)) → \(Figure.duration(seconds: after))"
      guard let pages, savedPages > 0 else { return times }
      return "\(times), \(Figure.count(pages.before, "page")) → \(Figure.count(pages.after))"
    }
  }

  /// By statement; unmeasured statements are missing.
  private(set) var entries: [Int: Entry] = [:]
  /// Whether the times come from a log.
  let areLogged: Bool
  private let statements: [Int: WorkloadStatement]
  /// The ratio of the log's time of reads to the measured time: the log's processor may be slower.
  private let processorRatio: Double

  init(_ report: DiagnosisReport) {
    areLogged = !report.statements.isEmpty && report.statements.allSatisfy { $0.statement.totalTime != nil }
    statements = Dictionary(report.statements.map { ($0.statement.id, $0.statement) }) { first, _ in first }
    processorRatio = areLogged ? Self.processorRatio(of: report.statements) : 1
    for statement in report.statements {
      let measurements = statement.measurements.map(\.measurement)
      let logged = areLogged ? statement.statement.totalTime : nil
      guard logged != nil || !measurements.isEmpty else { continue }
      let before = logged?.inSeconds ?? Self.measured(statement)
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
      apply(gains.flatMap(\.comparisons), to: statement)
    }
  }

  /// Returns the measured time of all executions, in seconds.
  private static func measured(_ statement: StatementReport) -> Double {
    let measurements = statement.measurements.map(\.measurement)
    let mean = measurements.warmTime.inSeconds / Double(max(1, measurements.count))
    return mean * Double(max(1, statement.statement.count))
  }

  private static func processorRatio(of statements: [StatementReport]) -> Double {
    let reads = statements.filter { statement in
      !statement.statement.isWrite && !statement.measurements.isEmpty
        && statement.measurements.allSatisfy(\.measurement.isComplete)
    }
    let logged = reads.reduce(0) { $0 + ($1.statement.totalTime?.inSeconds ?? 0) }
    let ratio = logged / reads.reduce(0) { $0 + measured($1) }
    return ratio.isFinite && ratio > 0 ? ratio : 1
  }

  /// Applies a fix to a statement's time. Of several fixes, the best counts; a report rarely has more than one for a
  /// statement.
  private mutating func apply(_ comparisons: [Comparison], to statement: Int) {
    guard let entry = entries[statement], let share = comparisons.shareOfTimeLeft else { return }
    let after = time(of: entry, share: share, comparisons)
    guard entry.after == entry.before || after < entry.after else { return }
    entries[statement]?.after = after
    entries[statement]?.pages = comparisons.pages
  }

  /// Returns the time of a statement after a fix, from the remaining share of its measured time.
  ///
  /// The log's time of a write includes the commit, which waits for the disk. A fix only changes the processor time, so
  /// the measured difference is applied in place of the ratio.
  private func time(of entry: Entry, share: Double, _ comparisons: [Comparison]) -> Double {
    let scaled = entry.before * share
    guard areLogged, let statement = statements[entry.statement], statement.isWrite else { return scaled }
    let difference = comparisons.reduce(0) { $0 + $1.after.warmTime.inSeconds - $1.before.warmTime.inSeconds }
    let executions = Double(max(1, statement.count)) / Double(max(1, comparisons.count))
    let added = entry.before + difference * executions * processorRatio
    return share < 1 ? max(scaled, added) : min(scaled, added)
  }

  var before: Double { entries.values.reduce(0) { $0 + $1.before } }
  var after: Double { entries.values.reduce(0) { $0 + $1.after } }
  var isLowerBound: Bool { entries.values.contains(where: \.isLowerBound) }

  /// Returns the given statements that gain from their fixes. A statement with an unknown time counts as gaining.
  func gaining(_ statements: [Int]) -> [Int] { statements.filter { entries[$0]?.isGain ?? true } }

  /// The statements that take the longest with the fixes, the longest first.
  var left: [Entry] {
    entries.values.sorted { $0.after == $1.after ? $0.statement < $1.statement : $0.after > $1.after }
  }

  /// The statements that fixes for others make slower, the greatest loss first. Differences too small for clocks are no
  /// loss. Times above the lower bound of an interrupted statement are no loss either.
  var slower: [Entry] {
    entries.values.filter { !$0.isLowerBound && $0.after > 1.1 * $0.before && $0.after - $0.before > 0.001 }
      .sorted { one, other in
        let losses = (one.after - one.before, other.after - other.before)
        return losses.0 == losses.1 ? one.statement < other.statement : losses.0 > losses.1
      }
  }

  /// The statements that take the longest now, the longest first.
  var slowest: [Entry] {
    entries.values.sorted { $0.before == $1.before ? $0.statement < $1.statement : $0.before > $1.before }
  }
}
