import Sanderling

/// Counts the batches of a pull from their request until they are applied: they may be older than an acknowledgement of the server.
///
/// A push keeps sent mutations in the outbox until the looks under way are over, so that older statements of the server
/// can't undo them here.
final class PullLook: Sendable {
  private struct State {
    /// How many were begun, got a batch, and are over, in this order.
    var begun = 0
    var received = 0
    var ended = 0
    /// After how many the records were as they were at the source.
    var caughtUpCount = 0
  }

  /// How long a push waits for a source that gives nothing.
  static let limit = Duration.seconds(30)

  private let state = AwaitedState(State())
  /// Called when one is over after which the records are as they were at the source.
  private let onCaughtUp: @Sendable (_ ofSource: Int?) -> Void

  var begun: Int { state.current.begun }
  var caughtUpCount: Int { state.current.caughtUpCount }

  init(onCaughtUp: @escaping @Sendable (_ ofSource: Int?) -> Void = { _ in }) { self.onCaughtUp = onCaughtUp }

  /// The source is asked for a batch.
  func begin() { state.update { $0.begun += 1 } }

  /// The source gave a batch.
  func received() { state.update { $0.received += 1 } }

  /// The oldest batch is applied.
  ///
  /// - Parameter number: Of the source's own look that ends with it: ``SyncBatch/endOfLook``.
  func end(isCaughtUp: Bool = false, ofSource number: Int? = nil) {
    state.update { state in
      state.ended += 1
      if isCaughtUp { state.caughtUpCount += 1 }
    }
    if isCaughtUp { onCaughtUp(number) }
  }

  /// Nothing is in hand any more.
  func endAll() {
    state.update { state in
      state.received = state.begun
      state.ended = state.begun
    }
  }

  /// Waits until the looks are over that had begun when ``begun`` had this value, or for the limit.
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

  /// Whether a batch waits to be applied that was asked for before.
  private func hasBatch(before begun: Int) -> Bool {
    let state = state.current
    return state.ended < min(state.received, begun)
  }
}
