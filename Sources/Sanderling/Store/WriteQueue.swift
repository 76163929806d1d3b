import Synchronization

/// How soon a write gets its turn.
public enum WritePriority: Int, CaseIterable, Comparable, Sendable {
  /// After all other waiting writes: imports, syncs, clean-up.
  case background
  /// Before waiting background writes: what the user does and waits for.
  case userInitiated

  public static func < (lhs: WritePriority, rhs: WritePriority) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

/// The order in which writes get the writer: by priority, then by arrival.
///
/// A write that runs is never interrupted by one of higher priority; long work belongs into several transactions.
final class WriteQueue: Sendable {
  private struct State {
    var isBusy = false
    var lastTicket: UInt64 = 0
    var waiting: [WritePriority: [(ticket: UInt64, turn: CheckedContinuation<Void, any Error>)]] = [:]
    /// Tickets cancelled before they came to wait.
    var cancelled: Set<UInt64> = []
  }

  private let state = Lock(State())

  /// Waits for the turn, runs `body`, and passes the turn on.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits, and what `body` throws.
  func run<Value>(_ priority: WritePriority, _ body: () async throws -> Value) async throws -> Value {
    try await enter(priority)
    defer { leave() }
    return try await body()
  }

  private func enter(_ priority: WritePriority) async throws {
    let ticket: UInt64? = state.withLock { state in
      if state.isBusy {
        state.lastTicket += 1
        return state.lastTicket
      }
      state.isBusy = true
      return nil
    }
    guard let ticket else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { turn in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(ticket) != nil { return .failure(CancellationError()) }
          if !state.isBusy {
            state.isBusy = true
            return .success(())
          }
          state.waiting[priority, default: []].append((ticket, turn))
          return nil
        }
        if let outcome { turn.resume(with: outcome) }
      }
    } onCancel: {
      cancel(ticket, priority)
    }
    state.withLock { _ = $0.cancelled.remove(ticket) }
  }

  private func cancel(_ ticket: UInt64, _ priority: WritePriority) {
    let turn: CheckedContinuation<Void, any Error>? = state.withLock { state in
      guard let index = state.waiting[priority]?.firstIndex(where: { $0.ticket == ticket }) else {
        state.cancelled.insert(ticket)
        return nil
      }
      return state.waiting[priority]?.remove(at: index).turn
    }
    turn?.resume(throwing: CancellationError())
  }

  private func leave() {
    let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
      for priority in WritePriority.allCases.reversed() where state.waiting[priority]?.isEmpty == false {
        return state.waiting[priority]?.removeFirst().turn
      }
      state.isBusy = false
      return nil
    }
    next?.resume()
  }
}
