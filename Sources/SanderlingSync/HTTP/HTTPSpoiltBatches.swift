import Sanderling

/// The mutations that are sent alone: the answer to a batch with them didn't tell which of its mutations were done.
///
/// An adapter makes it, and its copies share it. A mutation leaves it when the server answers to it alone; the others end with the adapter.
final class HTTPSpoiltBatches: Sendable {
  /// Guards the numbers of the mutations.
  private let numbers = Lock<Set<HTTPMutationNumber>>([])

  func contains(_ mutation: Mutation) -> Bool { numbers.withLock { $0.contains(HTTPMutationNumber(mutation)) } }

  func add(_ mutation: Mutation) { numbers.withLock { _ = $0.insert(HTTPMutationNumber(mutation)) } }

  func forget(_ mutation: Mutation) { numbers.withLock { _ = $0.remove(HTTPMutationNumber(mutation)) } }
}
