import Synchronization

/// An event that happens once and is checked on other threads.
final class Flag: Sendable {
  private let state = Atomic(false)
  var value: Bool { state.load(ordering: .acquiring) }
  func set() { state.store(true, ordering: .releasing) }
}
