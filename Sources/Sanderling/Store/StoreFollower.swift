import GRDB
import Synchronization

/// A follower of a store's commits, from a layer above the store.
protocol StoreFollower: AnyObject, Sendable {
  /// A transaction of the store itself begins. Called on the writer's queue.
  func transactionBegins()
  /// The transaction ended, by a commit or a rollback. Called on the writer's queue, outside of a transaction.
  func transactionEnded()
  /// The caller of the transaction has left the writer's queue.
  func writerWasLeft()
  func releaseMemory()
  func storeWasClosed()
}

/// The place of a store's follower. The first live result makes the follower.
final class FollowerSlot: Sendable {
  /// Guards the reference to the follower.
  private let slot = Lock<(any StoreFollower)?>(nil)

  var current: (any StoreFollower)? { slot.withLock { $0 } }

  /// Returns the follower, and makes it if there is none. If two callers make a follower at the same time, both get the
  /// first.
  func follower<Follower: StoreFollower>(_ make: () -> Follower) -> Follower {
    if let follower = current as? Follower { return follower }
    let new = make()
    let kept = slot.withLock { slot in
      if slot == nil { slot = new }
      return slot
    }
    return kept as? Follower ?? new
  }
}
