/// Keeps the live results of a store unchanged while several transactions write rows that must appear together.
///
/// Made by ``Store/holdLiveResults()``. Ended by ``end()``, or when the hold is released.
package final class LiveHold: Sendable {
  private let engine: LiveEngine
  private let number: UInt64

  init(_ engine: LiveEngine) async {
    self.engine = engine
    number = await engine.hold()
  }

  deinit { end() }

  /// Ends the hold: the results show all later commits together. Further calls do nothing.
  package func end() { engine.send(.endHold(number)) }
}

extension Store {
  /// Keeps all open live results at the commits up to now, until the hold ends.
  ///
  /// The results follow later commits and show them when the hold ends, so following costs the same as without a hold.
  /// Results that are opened later, change their query or can't be read are not held. A wait for a held result lasts
  /// until the hold ends.
  package func holdLiveResults() async -> LiveHold { await LiveHold(live) }
}
