import Sanderling
import Foundation
import SanderlingTerminal

/// Shows the progress of an import: on a terminal in one line that is rewritten, elsewhere in a new line at intervals.
final class ImportProgress: Sendable {
  private struct State {
    var activity = ""
    var commits = 0
    var rows = 0
    var total: Int?
    var start = ContinuousClock.now
    var lastShown: ContinuousClock.Instant?
  }

  /// Guards the counts. The reading, the writing and the counting task change them.
  private let state = Lock(State())
  private let output: ProgressOutput

  /// The number of all commits, if it is known from the start.
  private let knownTotal: Int?

  init(output: ProgressOutput, total: Int? = nil) {
    self.output = output
    knownTotal = total
  }

  /// Whether the number of all commits is unknown and would be shown.
  var wantsTotal: Bool { output != .none && knownTotal == nil }

  /// The number of commits in the current activity.
  var commitCount: Int { state.withLock(\.commits) }

  /// Starts an activity with counts of zero.
  func begin(_ activity: String, total: Int? = nil) {
    state.withLock { state in
      let lastShown = state.lastShown
      state = State(activity: activity, total: total ?? knownTotal, lastShown: lastShown)
    }
  }

  /// Sets the number of all commits.
  func setTotal(_ total: Int) {
    state.withLock { $0.total = total }
  }

  /// Counts finished work, and shows the counts once the interval has passed.
  func add(commits: Int, rows: Int) {
    let line: String? = state.withLock { state in
      state.commits += commits
      state.rows += rows
      guard let interval = output.interval else { return nil }
      let now = ContinuousClock.now
      guard now - (state.lastShown ?? state.start) >= interval else { return nil }
      state.lastShown = now
      return Self.line(state, at: now)
    }
    if let line { output.show(line) }
  }

  /// Clears the line of progress.
  func finish() {
    let wasShown = state.withLock { $0.lastShown != nil }
    if wasShown { output.clear() }
  }

  private static func line(_ state: State, at now: ContinuousClock.Instant) -> String {
    let seconds = max((now - state.start).seconds, 0.001)
    var line = "\(state.activity): \(state.commits.grouped) \(state.commits == 1 ? "commit" : "commits")"
    if let total = state.total, total > 0 {
      line += " of \(total.grouped) (\(min(100, state.commits * 100 / total)) %)"
    }
    return line
      + ", \(Int(Double(state.rows) / seconds).grouped) rows/s, at most \(Figure.bytes(Int64(ProcessMemory.peak)))"
  }
}
