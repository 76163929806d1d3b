/// The tasks that wait until texts are folded and indexed.
struct FoldWaiters {
  typealias Continuation = CheckedContinuation<Void, any Error>

  struct Waiter: Sendable {
    /// The name of the table with the awaited texts; nil for all tables.
    let table: String?
    /// Whether the waiter waits regardless of failures.
    let isPatient: Bool
    /// The number of wake-ups of the worker when the waiter came. A pass that began earlier may have missed the awaited
    /// texts.
    var request = 0
    /// The number of failed tries in a row.
    var failureCount = 0
    fileprivate let continuation: Continuation

    init(table: String?, isPatient: Bool, continuation: Continuation) {
      self.table = table
      self.isPatient = isPatient
      self.continuation = continuation
    }
  }

  private var waiters: [Int: Waiter] = [:]
  private var lastNumber = 0
  /// The numbers of waiters that were cancelled before they began to wait.
  private var cancelled: Set<Int> = []

  mutating func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Adds a waiter.
  ///
  /// - Returns: The waiter, if it was cancelled before.
  mutating func add(_ waiter: Waiter, _ number: Int) -> EndedWaiters? {
    if cancelled.remove(number) != nil { return EndedWaiters(waiter.continuation, .failure(CancellationError())) }
    waiters[number] = waiter
    return nil
  }

  mutating func cancel(_ number: Int) -> EndedWaiters {
    if let waiter = waiters.removeValue(forKey: number) {
      return EndedWaiters(waiter.continuation, .failure(CancellationError()))
    }
    cancelled.insert(number)
    return EndedWaiters()
  }

  /// Forgets a waiter that has ended.
  mutating func forget(_ number: Int) { cancelled.remove(number) }

  /// Notes that texts were folded, so that earlier failures no longer count as failures in a row.
  mutating func noteProgress() {
    for number in waiters.keys { waiters[number]?.failureCount = 0 }
  }

  /// Whether a waiter that isn't patient came after a pass began.
  func hasAny(after request: Int) -> Bool {
    waiters.values.contains { !$0.isPatient && $0.request > request }
  }

  mutating func endAll(_ outcome: Result<Void, any Error>) -> EndedWaiters {
    defer { waiters = [:] }
    return EndedWaiters(ended: waiters.values.map { ($0.continuation, outcome) })
  }

  /// Ends the waiters that came before a pass began, except for patient ones.
  ///
  /// - Parameter outcome: The result for a waiter; nil if it continues to wait.
  mutating func end(
    through request: Int, _ outcome: (inout Waiter) -> Result<Void, any Error>?
  ) -> EndedWaiters {
    var ended = EndedWaiters()
    for (number, var waiter) in waiters where !waiter.isPatient && waiter.request <= request {
      let outcome = outcome(&waiter)
      waiters[number] = outcome == nil ? waiter : nil
      if let outcome { ended.ended.append((waiter.continuation, outcome)) }
    }
    return ended
  }
}

/// Waiters that have ended, to be resumed outside of the lock that guards them.
struct EndedWaiters: Sendable {
  fileprivate var ended: [(FoldWaiters.Continuation, Result<Void, any Error>)] = []

  fileprivate init(ended: [(FoldWaiters.Continuation, Result<Void, any Error>)]) {
    self.ended = ended
  }

  init() {}

  init(_ continuation: FoldWaiters.Continuation, _ outcome: Result<Void, any Error>) {
    ended = [(continuation, outcome)]
  }

  func resume() {
    for (continuation, outcome) in ended { continuation.resume(with: outcome) }
  }
}
