import Sanderling
import SanderlingSync

/// What was sent.
final class NotedMutations: Sendable {
  /// Guards what was sent.
  private let mutations = Lock<[Mutation]>([])

  var all: [Mutation] { mutations.withLock { $0 } }

  func note(_ more: [Mutation]) { mutations.withLock { $0 += more } }
}
