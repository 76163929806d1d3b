import Sanderling

/// Counts the batches of a pull from their request until they are applied: they may be older than a server's
/// acknowledgement.
///
/// A push keeps sent mutations in the outbox until the running polls end, so that the polls' older changes can't undo
/// them.
final class PollCounter: Sendable {
  private struct State {
    /// The numbers of polls that began, received a batch and ended, in this order.
    var begun = 0
    var received = 0
    var ended = 0
    /// The number of polls after which the records equalled the source.
    var caughtUpCount = 0
  }

  /// The longest wait of a push for a silent source.
  static let limit = Duration.seconds(30)

  private let state = AwaitedState(State())
  /// Called when a poll ends after which the records equal the source.
  private let onCaughtUp: @Sendable (_ ofSource: Int?) -> Void

  var begun: Int { state.current.begun }
  var caughtUpCount: Int { state.current.caughtUpCount }

  init(onCaughtUp: @escaping @Sendable (_ ofSource: Int?) -> Void = { _ in }) { self.onCaughtUp = onCaughtUp }

  /// Counts a request for a batch.
  func begin() { state.update { $0.begun += 1 } }

  /// Counts a received batch.
  func received() { state.update { $0.received += 1 } }

  /// Counts the oldest batch as applied.
  ///
  /// - Parameter number: The number of the source's own poll that ends with it: ``SyncBatch/endOfLook``.
  func end(isCaughtUp: Bool = false, ofSource number: Int? = nil) {
    state.update { state in
      state.ended += 1
      if isCaughtUp { state.caughtUpCount += 1 }
    }
    if isCaughtUp { onCaughtUp(number) }
  }

  /// Counts all requested batches as received and applied.
  func endAll() {
    state.update { state in
      state.received = state.begun
      state.ended = state.begun
    }
  }

  /// Waits until all polls have ended that had begun when ``begun`` had this value, or until the limit.
  ///
  /// - Throws: `CancellationError`.
  func over(_ begun: Int) async throws {
    guard state.current.ended < begun else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.state.wait { $0.ended >= begun } }
      group.addTask {
        repeat { try await Task.sleep(for: Self.limit) } while self.hasBatch(before: begun)
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    try Task.checkCancellation()
  }

  /// Whether a batch waits to be applied that was requested before.
  private func hasBatch(before begun: Int) -> Bool {
    let state = state.current
    return state.ended < min(state.received, begun)
  }
}
