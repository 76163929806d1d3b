import Dispatch

/// The right to run a turn. The scheduler makes the only one, and takes it back.
struct Turn: ~Copyable {
  fileprivate init() {}
}

/// A value that only the running turn reaches.
struct TurnConfined<Value>: @unchecked Sendable {
  // Safe: only the turn gives access, there is one turn, and the scheduler's lock orders successive turns.
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func value(in turn: borrowing Turn) -> Value { value }
}

/// Decides when turns run: one at a time, and at most one each interval, unless one is urgent.
///
/// It holds no reference to the runner: each call passes the function that runs the turn.
final class TurnScheduler: Sendable {
  /// Runs a turn, which must end with ``TurnScheduler/end(_:continues:isUrgent:_:)``.
  typealias Run = @Sendable (consuming Turn) -> Void

  private struct State {
    var isTurning = false
    /// Whether another turn was requested during the running one.
    var isAsked = false
    /// Whether the next turn can't wait for the interval.
    var isUrgent = false
    /// The time at which the last turn began.
    var lastTurn: Duration?
    /// The times at which timers will fire, the next one first.
    var timers: [Duration] = []
    var isClosed = false
    var turnCount = 0
  }

  let clock: StoreClock
  /// The least time between the begins of two turns, unless one is urgent.
  private let interval: Duration
  /// Guards when turns run. Never held during a turn.
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "Sanderling.live", qos: .userInitiated, attributes: .concurrent)

  init(clock: StoreClock, interval: Duration) {
    self.clock = clock
    self.interval = interval
  }

  /// The number of turns so far.
  var turnCount: Int { state.withLock { $0.turnCount } }

  var isTurning: Bool { state.withLock { $0.isTurning } }

  /// Requests a turn, on a thread of its own as soon as one may begin.
  func wake(isUrgent: Bool, _ run: @escaping Run) {
    guard let delay = ask(isUrgent: isUrgent) else { return }
    if delay == .zero {
      queue.async { run(Turn()) }
    } else {
      wake(after: delay, run)
    }
  }

  /// Requests a turn.
  ///
  /// - Returns: The delay before the turn, always zero for an urgent one. With zero the caller must begin the turn. Nil
  ///   when another turn will follow the running one, and when the scheduler is closed.
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

  /// Requests a turn after a delay.
  func wake(after delay: Duration, _ run: @escaping Run) {
    let time = clock.now() + delay
    let isNew = state.withLock { state in
      // An earlier timer's turn requests the later turns that are still needed.
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

  /// Returns a turn, to be run on the calling thread; nil while one runs, and within the interval after the last began.
  func begin() -> Turn? {
    let mayBegin = state.withLock { state in
      guard canBegin(state) else { return false }
      state.isTurning = true
      return true
    }
    return mayBegin ? Turn() : nil
  }

  /// Returns a turn for urgent work, to be run on the calling thread. While a turn runs, requests another after it, and
  /// returns nil.
  func beginUrgent() -> Turn? {
    ask(isUrgent: true) == nil ? nil : Turn()
  }

  /// Whether ``begin()`` would return a turn.
  var mayBegin: Bool { state.withLock { canBegin($0) } }

  private func canBegin(_ state: State) -> Bool {
    if state.isClosed || state.isTurning { return false }
    return state.lastTurn.map { clock.now() >= $0 + interval } ?? true
  }

  /// Notes that a turn has begun, which covers all requests up to now.
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
  ///   - continues: Whether another turn must follow.
  ///   - isUrgent: Whether the next turn can't wait for the interval.
  ///   - run: Runs the next turn.
  func end(_ turn: consuming Turn, continues: Bool, isUrgent: Bool, _ run: @escaping Run) {
    let next = state.withLock { state in
      state.isTurning = false
      return (isAsked: state.isAsked || continues, isUrgent: state.isUrgent || isUrgent)
    }
    if next.isAsked { wake(isUrgent: next.isUrgent, run) }
  }

  /// Closes the scheduler. No turn begins after this.
  func close() {
    state.withLock { $0.isClosed = true }
  }
}
