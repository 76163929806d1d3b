import Sanderling

/// Whether a pull has something in hand that may be older than what the server acknowledged: a batch that it was asked for before, or that
/// is being applied.
///
/// A push keeps what it sent in the outbox until the look under way is over, so that what the server said before can't undo it here.
final class PullLook: Sendable {
  private struct State {
    var isUnderWay = false
    var hasBatch = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0
  }

  /// How long a push waits for a source that gives nothing.
  static let limit = Duration.seconds(30)

  /// Guards whether one is under way, and who waits for its end.
  private let state = Lock(State())
  /// Called when one is over after which the records are as they were at the source.
  private let onCaughtUp: @Sendable () -> Void

  init(onCaughtUp: @escaping @Sendable () -> Void = {}) { self.onCaughtUp = onCaughtUp }

  /// The source is asked for a batch.
  func begin() { state.withLock { $0.isUnderWay = true } }

  /// The source gave a batch.
  func received() { state.withLock { $0.hasBatch = true } }

  /// The batch is applied, or there is none.
  func end(isCaughtUp: Bool = false) {
    let waiting = state.withLock { state in
      state.isUnderWay = false
      state.hasBatch = false
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
    if isCaughtUp { onCaughtUp() }
  }

  /// Waits until the look under way is over, or for the limit.
  ///
  /// - Throws: `CancellationError`.
  func over() async throws {
    guard state.withLock({ $0.isUnderWay }) else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait() }
      group.addTask {
        repeat { try await Task.sleep(for: Self.limit) } while self.state.withLock { $0.hasBatch }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    try Task.checkCancellation()
  }

  private func wait() async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.isUnderWay || Task.isCancelled { return true }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}
