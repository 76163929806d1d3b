import Dispatch
import Sanderling

/// The real time plus all jumps ahead.
final class Timeline: Sendable {
  typealias Instant = ContinuousClock.Instant

  private struct State {
    var offset = Duration.zero
    var lastTicket: UInt64 = 0
    var sleepers: [UInt64: Sleeper] = [:]
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// Guards the time and the sleepers. No task is resumed while the lock is held.
  private let state = Lock(State())

  var now: Instant { state.withLock { ContinuousClock.now + $0.offset } }

  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until deadline: Instant) async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Duration?, any Error> = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          let remaining = deadline - (ContinuousClock.now + state.offset)
          guard remaining > .zero else { return .success(nil) }
          state.sleepers[ticket] = Sleeper(deadline: deadline, continuation: continuation)
          return .success(remaining)
        }
        switch outcome {
        case .failure(let error): continuation.resume(throwing: error)
        case .success(nil): continuation.resume()
        case .success(let remaining?): wake(ticket, after: remaining)
        }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.continuation.resume(throwing: CancellationError())
    }
  }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.offset += duration
      let now = ContinuousClock.now + state.offset
      let woken = state.sleepers.filter { $0.value.deadline <= now }
      for ticket in woken.keys { state.sleepers[ticket] = nil }
      return woken.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Wakes a sleeper at its real time, unless a jump woke it before.
  private func wake(_ ticket: UInt64, after remaining: Duration) {
    let (seconds, attoseconds) = remaining.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000) + 1
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      self?.state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.continuation.resume()
    }
  }
}
