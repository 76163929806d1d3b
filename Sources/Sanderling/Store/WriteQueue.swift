import Dispatch
import Synchronization

/// The priority of a write among waiting writes.
public enum WritePriority: Int, CaseIterable, Comparable, Sendable {
  /// After all other waiting writes: imports, syncs, clean-up.
  case background
  /// Before waiting background writes: for actions of the user.
  case userInitiated

  public static func < (lhs: WritePriority, rhs: WritePriority) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

/// The order in which writes get the writer: by priority, then by arrival.
///
/// A running write is never interrupted by a write of higher priority, so long work should use several transactions.
final class WriteQueue: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct State {
    var lastTicket: UInt64 = 0
    /// The ticket of the write whose turn it is; nil if the writer is free.
    var holder: UInt64?
    /// The waiting writes, by their tickets.
    var waiting: [UInt64: Waiter] = [:]
    /// The tickets of each priority, in the order of their arrival.
    var lines = [TicketLine](repeating: TicketLine(), count: WritePriority.allCases.count)
    /// The tickets that were cancelled before they began to wait.
    var cancelled: Set<UInt64> = []

    /// Removes and returns the next waiting write; nil if there is none.
    mutating func takeNext() -> (ticket: UInt64, waiter: Waiter)? {
      for index in lines.indices.reversed() {
        while let ticket = lines[index].popFirst() {
          if let waiter = waiting.removeValue(forKey: ticket) { return (ticket, waiter) }
        }
      }
      return nil
    }
  }

  private let state = Lock(State())

  /// Waits for the turn, runs `body`, and passes the turn on when `body` ends. `body` may end the turn earlier.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits, and the error of `body`.
  func run<Value>(_ priority: WritePriority, _ body: (WriteTurn) async throws -> Value) async throws -> Value {
    let turn = try await enter(priority)
    defer { turn.end() }
    return try await body(turn)
  }

  private func enter(_ priority: WritePriority) async throws -> WriteTurn {
    let (ticket, isFree) = state.withLock { state in
      state.lastTicket += 1
      let isFree = state.holder == nil
      if isFree { state.holder = state.lastTicket }
      return (state.lastTicket, isFree)
    }
    if !isFree { try await wait(ticket, priority) }
    return WriteTurn(queue: self, ticket: ticket)
  }

  private func wait(_ ticket: UInt64, _ priority: WritePriority) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(ticket) != nil { return .failure(CancellationError()) }
          // The turn may have become free since `enter`.
          if state.holder == nil {
            state.holder = ticket
            return .success(())
          }
          state.waiting[ticket] = continuation
          state.lines[priority.rawValue].append(ticket)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      cancel(ticket, priority)
    }
    // A cancellation after the turn was granted has left its ticket.
    state.withLock { _ = $0.cancelled.remove(ticket) }
  }

  private func cancel(_ ticket: UInt64, _ priority: WritePriority) {
    let waiter: Waiter? = state.withLock { state in
      guard let waiter = state.waiting.removeValue(forKey: ticket) else {
        state.cancelled.insert(ticket)
        return nil
      }
      let waiting = state.waiting
      state.lines[priority.rawValue].noteDeparture { waiting[$0] == nil }
      return waiter
    }
    guard let waiter else { return }
    // On another thread, because a task must not resume inside of its own cancellation handler.
    DispatchQueue.global().async { waiter.resume(throwing: CancellationError()) }
  }

  /// Passes the turn on, if it still belongs to the ticket.
  fileprivate func end(_ ticket: UInt64) {
    let next: Waiter? = state.withLock { state in
      guard state.holder == ticket else { return nil }
      let next = state.takeNext()
      state.holder = next?.ticket
      return next?.waiter
    }
    next?.resume()
  }
}

/// Tickets in the order of their arrival. O(1) amortized, even if the writes are cancelled in another order.
private struct TicketLine {
  private var tickets: [UInt64] = []
  /// The number of tickets at the beginning that were taken.
  private var taken = 0
  /// The number of cancelled writes since tickets were last removed.
  private var departed = 0

  mutating func append(_ ticket: UInt64) {
    tickets.append(ticket)
  }

  mutating func popFirst() -> UInt64? {
    guard taken < tickets.count else { return nil }
    let ticket = tickets[taken]
    taken += 1
    if taken > 16, taken > tickets.count / 2 {
      tickets.removeFirst(taken)
      taken = 0
    }
    return ticket
  }

  /// Notes that the write of a ticket was cancelled. Its ticket is removed once cancelled writes are more than half of
  /// all tickets.
  mutating func noteDeparture(_ isGone: (UInt64) -> Bool) {
    departed += 1
    guard departed > 16, departed > tickets.count / 2 else { return }
    tickets = tickets[taken...].filter { !isGone($0) }
    (taken, departed) = (0, 0)
  }
}

/// The right to write, which one write has at a time.
struct WriteTurn: Sendable {
  fileprivate let queue: WriteQueue
  fileprivate let ticket: UInt64

  /// Passes the turn on. Further calls do nothing.
  ///
  /// If it is called on the writer's queue at the end of a transaction, the next write begins without waiting for this
  /// write's task.
  func end() {
    queue.end(ticket)
  }
}
