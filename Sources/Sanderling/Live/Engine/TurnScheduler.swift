import Dispatch

/// The right to run a turn. There is one at a time. The scheduler makes it and takes it back.
struct Turn: ~Copyable {
  fileprivate init() {}
}

/// A value that belongs to the running turn.
struct TurnConfined<Value>: @unchecked Sendable {
  // Safe: the value is reached with the only turn, and the scheduler's lock orders two turns.
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func value(in turn: borrowing Turn) -> Value { value }
}

/// Decides when turns run: one at a time, and at most one in each interval unless a turn is urgent.
///
/// It holds no reference to the runner: each call passes the function that runs the turn.
final class TurnScheduler: Sendable {
  /// Runs a turn. ``TurnScheduler/end(_:continues:isUrgent:_:)`` takes the turn back.
  typealias Run = @Sendable (consuming Turn) -> Void

  private struct State {
    var isTurning = false
    /// Whether another turn must follow the running one.
    var isAsked = false
    /// Whether the following turn is urgent: it doesn't wait for the interval.
    var isUrgent = false
    /// The time at which the last turn began.
    var lastTurn: Duration?
    /// The times of the timers, in their order.
    var timers: [Duration] = []
    var isClosed = false
    var turnCount = 0
  }

  let clock: StoreClock
  /// The least time between the beginnings of two turns that are not urgent.
  private let interval: Duration
  /// Guards the schedule. It is not held while a turn runs.
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "Sanderling.live", qos: .userInitiated, attributes: .concurrent)

  init(clock: StoreClock, interval: Duration) {
    self.clock = clock
    self.interval = interval
  }

  /// The number of turns so far.
  var turnCount: Int { state.withLock { $0.turnCount } }

  var isTurning: Bool { state.withLock { $0.isTurning } }

  /// Begins a turn on another thread as soon as the interval allows.
  func wake(isUrgent: Bool, _ run: @escaping Run) {
    guard let delay = ask(isUrgent: isUrgent) else { return }
    if delay == .zero {
      queue.async { run(Turn()) }
    } else {
      wake(after: delay, run)
    }
  }

  /// Asks for a turn.
  ///
  /// - Returns: The delay of the turn, which the caller must begin; always zero for an urgent one. Nil if the turn will
  ///   follow the running one, or if there will be none.
  private func ask(isUrgent: Bool) -> Duration? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.isUrgent = state.isUrgent || isUrgent
      if state.isTurning {
        state.isAsked = true
        return nil
      }
      let delay = state.isUrgent ? .zero : state.lastTurn.map { max(.zero, $0 + interval - clock.now()) } ?? .zero
      if delay == .zero { state.isTurning = true }
      return delay
    }
  }

  /// Begins a turn after a delay.
  func wake(after delay: Duration, _ run: @escaping Run) {
    let time = clock.now() + delay
    let isNew = state.withLock { state in
      // An earlier timer's turn schedules the next one.
      if state.isClosed || state.timers.first.map({ $0 <= time }) ?? false { return false }
      state.timers.insert(time, at: 0)
      return true
    }
    guard isNew else { return }
    Task { [weak self, clock] in
      try? await clock.sleep(delay)
      self?.timerFired(time, run)
    }
  }

  private func timerFired(_ time: Duration, _ run: @escaping Run) {
    state.withLock { state in
      if let index = state.timers.firstIndex(of: time) { state.timers.remove(at: index) }
    }
    wake(isUrgent: true, run)
  }

  /// Begins a turn on the calling thread; nil if a turn runs, or ran within the interval.
  func begin() -> Turn? {
    let mayBegin = state.withLock { state in
      guard canBegin(state) else { return false }
      state.isTurning = true
      return true
    }
    return mayBegin ? Turn() : nil
  }

  /// Begins an urgent turn on the calling thread. While a turn runs, it returns nil, and another turn will follow.
  func beginUrgent() -> Turn? {
    ask(isUrgent: true) == nil ? nil : Turn()
  }

  /// Whether ``begin()`` would return a turn.
  var mayBegin: Bool { state.withLock { canBegin($0) } }

  private func canBegin(_ state: State) -> Bool {
    if state.isClosed || state.isTurning { return false }
    return state.lastTurn.map { clock.now() >= $0 + interval } ?? true
  }

  /// Notes that a turn has begun. The turn sees all requests so far.
  func noteBegin(_ turn: borrowing Turn) {
    state.withLock { state in
      state.isUrgent = false
      state.isAsked = false
      state.turnCount += 1
      state.lastTurn = clock.now()
    }
  }

  /// Takes a turn back.
  ///
  /// - Parameters:
  ///    - continues: Whether another turn must follow.
  ///    - isUrgent: Whether that turn ignores the interval.
  ///   - run: Runs the next turn.
  func end(_ turn: consuming Turn, continues: Bool, isUrgent: Bool, _ run: @escaping Run) {
    let next = state.withLock { state in
      state.isTurning = false
      return (isAsked: state.isAsked || continues, isUrgent: state.isUrgent || isUrgent)
    }
    if next.isAsked { wake(isUrgent: next.isUrgent, run) }
  }

  /// Begins no more turns.
  func close() {
    state.withLock { $0.isClosed = true }
  }
}
