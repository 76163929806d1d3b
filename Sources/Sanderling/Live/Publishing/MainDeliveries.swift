import Synchronization

/// The pending deliveries to the main actor. All of them are made in one turn of the main actor, so that the effects of
/// one commit appear together.
final class MainDeliveries: Sendable {
  typealias Delivery = @MainActor @Sendable () -> Void

  private struct State {
    /// The deliveries by consumer: after a long pause, the main actor has one delivery for each.
    var waiting: [LiveConsumerID: Delivery] = [:]
    var isScheduled = false
  }

  /// Guards the pending deliveries.
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

  /// Makes all pending deliveries.
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
