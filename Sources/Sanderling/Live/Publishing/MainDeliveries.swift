import Synchronization

/// The values that are ready for results of the main actor. They are delivered in one turn of the main actor, so that
/// all changes of a commit appear together.
final class MainDeliveries: Sendable {
  typealias Delivery = @MainActor @Sendable () -> Void

  private struct State {
    /// The deliveries by consumer, so that a main actor that was busy for long has no more work afterwards.
    var waiting: [LiveConsumerID: Delivery] = [:]
    var isScheduled = false
  }

  /// Guards the deliveries that wait for the main actor.
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

  /// Delivers the values that are ready.
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
