/// The questions how queries would be followed, until the writer has said what can be captured. Confined to the engine's turns.
///
/// While a question is open, what its query needs is captured.
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

  /// Answers those of which it is known what can be captured.
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

  /// Answers all that nobody can say.
  func fail(_ error: any Error, now: Duration) {
    for (inquiry, needs) in open {
      capture.remove(needs, now: now)
      inquiry.answer(.failure(error))
    }
    open = []
  }
}
