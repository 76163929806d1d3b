import Sanderling

/// The mutations that are sent alone, because the answer to a batch did not show which of its mutations were executed.
///
/// Created by an adapter and shared by its copies. A mutation is removed when the server answers to it alone; the other
/// mutations are removed with the adapter.
final class HTTPSpoiltBatches: Sendable {
  /// Guards the numbers of the mutations.
  private let numbers = Lock<Set<HTTPMutationNumber>>([])

  func contains(_ mutation: Mutation) -> Bool { numbers.withLock { $0.contains(HTTPMutationNumber(mutation)) } }

  func add(_ mutation: Mutation) { numbers.withLock { _ = $0.insert(HTTPMutationNumber(mutation)) } }

  func forget(_ mutation: Mutation) { numbers.withLock { _ = $0.remove(HTTPMutationNumber(mutation)) } }
}
