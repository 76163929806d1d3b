import GRDB
import Synchronization

/// One who follows a store's commits, from above it.
protocol StoreFollower: AnyObject, Sendable {
  /// A transaction of the store's own begins. On the writer's queue.
  func transactionBegins()
  /// The transaction is over, whatever became of it. On the writer's queue, outside of a transaction.
  func transactionEnded()
  /// The caller of the transaction has left the writer's queue.
  func writerWasLeft()
  func releaseMemory()
  func storeWasClosed()
}

/// Where a store keeps its follower, which is made when the first result is to be followed.
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
