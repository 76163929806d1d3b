/// Keeps the live results of a store as they are while something is written in several transactions that are to be seen together.
///
/// Made by ``Store/holdLiveResults()``. It ends by ``end()``, or when it is let go of.
package final class LiveHold: Sendable {
  private let engine: LiveEngine
  private let number: UInt64

  init(_ engine: LiveEngine) async {
    self.engine = engine
    number = await engine.hold()
  }

  deinit { end() }

  /// Has the results show what was committed meanwhile, all of it together. Once is enough.
  package func end() { engine.send(.endHold(number)) }
}

extension Store {
  /// Keeps all live results that are open now as they are, with what was committed up to now, until the hold ends.
  ///
  /// They follow what is committed meanwhile and show it when the hold ends, so it costs what it costs without a hold. Results that are
  /// opened later, that follow another query, or that can't be read, show what there is. Who waits for a result that is held, waits
  /// until the hold ends.
  package func holdLiveResults() async -> LiveHold { await LiveHold(live) }
}
