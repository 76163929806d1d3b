import Dispatch

/// The right to run a turn. There is one at a time: the scheduler makes it, and gets it back.
struct Turn: ~Copyable {
  fileprivate init() {}
}

/// A value that belongs to the turn that runs.
struct TurnConfined<Value>: @unchecked Sendable {
  // Safe: it is reached with the turn only, of which there is one, and the scheduler's lock lies between two turns.
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func value(in turn: borrowing Turn) -> Value { value }
}

/// Decides when turns run: one at a time, and two no closer together than the interval unless something can't wait.
///
/// It holds no reference to the runner: each call passes the function that runs the turn.
final class TurnScheduler: Sendable {
  /// Runs a turn, which is given back by ``TurnScheduler/end(_:continues:isUrgent:_:)``.
  typealias Run = @Sendable (consuming Turn) -> Void

  private struct State {
    var isTurning = false
    /// Whether there is something to do after the turn that runs.
    var isAsked = false
    /// Whether it can't wait for the next frame.
    var isUrgent = false
    /// When the last turn began.
    var lastTurn: Duration?
    /// When timers will wake, the next one first.
    var timers: [Duration] = []
    var isClosed = false
    var turnCount = 0
  }

  let clock: StoreClock
  /// The least time between the begins of two turns, unless someone waits.
  private let interval: Duration
  /// Guards when turns run. Never held while one does.
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "Sanderling.live", qos: .userInitiated, attributes: .concurrent)

  init(clock: StoreClock, interval: Duration) {
    self.clock = clock
    self.interval = interval
  }

  /// How many turns there were.
  var turnCount: Int { state.withLock { $0.turnCount } }

  var isTurning: Bool { state.withLock { $0.isTurning } }

  /// Has a turn begin on a thread of its own as soon as it may.
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
  /// - Returns: How long it has to wait; zero for one that the caller has to begin, which is never more for an urgent one. Nil when
  ///   another will follow the one that runs, and for none.
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

  /// Has a turn begin later.
  func wake(after delay: Duration, _ run: @escaping Run) {
    let time = clock.now() + delay
    let isNew = state.withLock { state in
      // One that wakes before looks what else there is to wait for.
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

  /// The turn, for one who runs it on the calling thread; nil when one runs, or ran within the interval.
  func begin() -> Turn? {
    let mayBegin = state.withLock { state in
      guard canBegin(state) else { return false }
      state.isTurning = true
      return true
    }
    return mayBegin ? Turn() : nil
  }

  /// The turn, for one who has something for it that can't wait, and runs it on the calling thread. While one runs: nil, and another
  /// will follow it.
  func beginUrgent() -> Turn? {
    ask(isUrgent: true) == nil ? nil : Turn()
  }

  /// Whether ``begin()`` would return a turn.
  var mayBegin: Bool { state.withLock { canBegin($0) } }

  private func canBegin(_ state: State) -> Bool {
    if state.isClosed || state.isTurning { return false }
    return state.lastTurn.map { clock.now() >= $0 + interval } ?? true
  }

  /// Notes that a turn has begun, which will see all that was asked for up to now.
  func noteBegin(_ turn: borrowing Turn) {
    state.withLock { state in
      state.isUrgent = false
      state.isAsked = false
      state.turnCount += 1
      state.lastTurn = clock.now()
    }
  }

  /// Gives a turn back.
  ///
  /// - Parameters:
  ///   - continues: Whether there is something to do for another.
  ///   - isUrgent: Whether it can't wait for the next frame.
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
