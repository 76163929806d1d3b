/// Freezes the live results of a store while several transactions are written whose effects should appear together.
///
/// ``Store/holdLiveResults()`` makes it. It ends by ``end()``, or with its last reference.
package final class LiveHold: Sendable {
  private let engine: LiveEngine
  private let number: UInt64

  init(_ engine: LiveEngine) async {
    self.engine = engine
    number = await engine.hold()
  }

  deinit { end() }

  /// Lets the results show all commits since, together. Further calls do nothing.
  package func end() { engine.send(.endHold(number)) }
}

extension Store {
  /// Freezes all open live results at the last commit until the hold ends.
  ///
  /// The results apply later commits as usual, at the same cost, and show them when the hold ends. Results are not
  /// frozen if they are opened later, change their query, or fail. A wait for a frozen result lasts until the hold
  /// ends.
  package func holdLiveResults() async -> LiveHold { await LiveHold(live) }
}
