/// The open questions how queries would be followed. Each waits for the writer's answer which tables can be captured.
/// Confined to the engine's turns.
///
/// The tables of a query are captured while its question is open.
final class LiveInquiries {
  private let capture: CaptureRegistry
  private var open: [(inquiry: LiveInquiry, needs: [CaptureNeed])] = []

  init(_ capture: CaptureRegistry) {
    self.capture = capture
  }

  func add(_ inquiry: LiveInquiry) {
    let needs = inquiry.key.makeQuery(runAgain: nil).plan?.needs ?? []
    capture.add(needs)
    open.append((inquiry, needs))
  }

  /// Answers the questions whose tables the writer has answered for.
  func answer(now: Duration) {
    open.removeAll { inquiry, needs in
      let reason: String?
      switch capture.readiness(of: needs) {
      case .unknown: return false
      case .ready: reason = nil
      case .obstructed(let obstacle): reason = obstacle.description
      }
      capture.remove(needs, now: now)
      inquiry.answer(
        .success(
          LiveExplanation(
            isMaintained: reason == nil, reason: reason, tables: needs.map(\.table.table.name).sorted())))
      return true
    }
  }

  /// Answers all open questions with an error.
  func fail(_ error: any Error, now: Duration) {
    for (inquiry, needs) in open {
      capture.remove(needs, now: now)
      inquiry.answer(.failure(error))
    }
    open = []
  }
}
