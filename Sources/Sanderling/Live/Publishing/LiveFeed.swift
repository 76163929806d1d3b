import Synchronization

/// The place of a consumer's newest value, which the engine replaces and the consumer takes.
final class LiveFeed<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    /// The number of values so far, so that a consumer knows which it has.
    var number: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastTicket: UInt64 = 0
  }

  /// Whether the newest value is current at all commits that the engine has processed.
  private let following = Atomic(false)
  /// Guards the value and the waiting consumers. Held only for the exchange of a value.
  private let state = Lock(State())
  /// The object that takes the values on the main actor; nil for consumers that wait for them elsewhere.
  private let target: (any LiveTarget<Value>)?
  /// The group that shows the value together with others.
  private let membership: LiveFeedMembership?

  init(target: (any LiveTarget<Value>)? = nil, membership: LiveFeedMembership? = nil) {
    self.target = target
    self.membership = membership
  }

  var group: (any LiveFeedGroup)? { membership?.group }

  /// Delivers the newest value to the target; nil without a target.
  var delivery: MainDeliveries.Delivery? {
    guard let target else { return nil }
    return { [self] in
      if let newest { target.take(newest.value, number: newest.number) }
    }
  }

  var isFollowing: Bool {
    get { following.load(ordering: .acquiring) }
    set {
      if following.exchange(newValue, ordering: .acquiringAndReleasing) != newValue { tellGroup() }
    }
  }

  private func tellGroup() {
    membership?.group.feedChanged(membership?.part, isFollowing: isFollowing)
  }

  func publish(_ value: Value) {
    let waiting = state.withLock { state in
      state.value = value
      state.number += 1
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
    tellGroup()
  }

  var newest: (value: Value, number: UInt64)? {
    state.withLock { state in state.value.map { ($0, state.number) } }
  }

  /// Waits for a value that is newer than the one with a number.
  ///
  /// - Returns: Nil when the task is cancelled.
  func next(after number: UInt64, isolation: isolated (any Actor)?) async -> (value: Value, number: UInt64)? {
    while true {
      if Task.isCancelled { return nil }
      if let newest, newest.number > number { return newest }
      await wait(after: number, isolation: isolation)
    }
  }

  private func wait(after number: UInt64, isolation: isolated (any Actor)?) async {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.number > number || Task.isCancelled { return true }
          state.waiting[ticket] = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
    }
  }
}

/// An object that takes values on the main actor.
@MainActor
protocol LiveTarget<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// - Parameter number: Greater for newer values.
  func take(_ newest: Value, number: UInt64)
}
