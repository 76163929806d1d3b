import Sanderling

/// The mutations that are sent alone, since a batch with them was answered so that nobody knows what was done of it.
///
/// An adapter makes it, and its copies share it. A mutation leaves it when the server answers to it alone; what is left ends with the adapter.
final class HTTPSpoiltBatches: Sendable {
  /// Guards the numbers of the mutations.
  private let numbers = Lock<Set<HTTPMutationNumber>>([])

  func contains(_ mutation: Mutation) -> Bool { numbers.withLock { $0.contains(HTTPMutationNumber(mutation)) } }

  func add(_ mutation: Mutation) { numbers.withLock { _ = $0.insert(HTTPMutationNumber(mutation)) } }

  func forget(_ mutation: Mutation) { numbers.withLock { _ = $0.remove(HTTPMutationNumber(mutation)) } }
}
