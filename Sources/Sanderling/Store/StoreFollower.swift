import GRDB
import Synchronization

/// A follower of a store's commits, from a layer above the store.
protocol StoreFollower: AnyObject, Sendable {
  /// A transaction of the store's own begins. On the writer's queue.
  func transactionBegins()
  /// The transaction ended, by a commit or a rollback. On the writer's queue, outside of a transaction.
  func transactionEnded()
  /// The caller of the transaction has left the writer's queue.
  func writerWasLeft()
  func releaseMemory()
  func storeWasClosed()
}

/// The place of a store's follower. The first live result makes the follower.
final class FollowerSlot: Sendable {
  /// Guards the making of the follower.
  private let slot = Lock<(any StoreFollower)?>(nil)

  var current: (any StoreFollower)? { slot.withLock { $0 } }

  /// The follower, which `make` makes unless there is one.
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
