import Synchronization

/// What is ready for results of the main actor. All of it is taken in one turn of the main actor, so that what one commit
/// changed changes together.
final class MainDeliveries: Sendable {
  typealias Delivery = @MainActor @Sendable () -> Void

  private struct State {
    /// By consumer: a main actor that is busy for long has no more to do afterwards than one that is not.
    var waiting: [LiveConsumerID: Delivery] = [:]
    var isScheduled = false
  }

  /// Guards what waits for the main actor.
  private let state = Lock(State())

  func add(_ deliveries: [LiveConsumerID: Delivery]) {
    guard !deliveries.isEmpty else { return }
    let schedules = state.withLock { state in
      state.waiting.merge(deliveries) { $1 }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if schedules { Task { @MainActor in deliver() } }
  }

  /// Has the results take what is ready.
  @MainActor
  func deliver() {
    let deliveries = state.withLock { state in
      state.isScheduled = false
      defer { state.waiting = [:] }
      return state.waiting
    }
    for delivery in deliveries.values { delivery() }
  }
}
