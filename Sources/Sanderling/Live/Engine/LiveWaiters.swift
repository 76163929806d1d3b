import Synchronization

/// The callers that wait until live results are current at a commit.
final class LiveWaiters: Sendable {
  struct Waiter: Sendable {
    fileprivate let number: UInt64
    let commit: UInt64
    /// The consumer that is waited for; nil for all.
    let consumer: LiveConsumerID?
    /// The number of commands sent before. They are carried out first.
    let sentCount: Int
    /// Whether background work is waited for, too: the counts of long lists.
    let waitsForWork: Bool
    /// The value of ``ChangeLog/unreportedCount`` when the wait began. These unreported commits are processed first.
    let unreportedCount: Int
    fileprivate let continuation: CheckedContinuation<Void, any Error>
  }

  /// Guards the waiters.
  private let waiters = Lock<[Waiter]>([])
  private let lastNumber = Atomic<UInt64>(0)

  var isEmpty: Bool { waiters.withLock { $0.isEmpty } }

  var all: [Waiter] { waiters.withLock { $0 } }

  /// Waits to be released.
  ///
  /// - Parameter wake: Requests a turn, which checks the waiters.
  /// - Throws: `CancellationError`, or the error that the waiter is released with.
  func wait(
    for commit: UInt64, _ consumer: LiveConsumerID?, work waitsForWork: Bool, sentCount: Int, unreportedCount: Int,
    wake: @Sendable () -> Void
  ) async throws {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = Waiter(
          number: number, commit: commit, consumer: consumer, sentCount: sentCount, waitsForWork: waitsForWork,
          unreportedCount: unreportedCount, continuation: continuation)
        let isCancelled = waiters.withLock { waiters in
          if Task.isCancelled { return true }
          waiters.append(waiter)
          return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        wake()
      }
    } onCancel: {
      remove(number)?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Ends a wait, unless it has ended already.
  func release(_ waiter: Waiter, with result: Result<Void, any Error>) {
    remove(waiter.number)?.continuation.resume(with: result)
  }

  private func remove(_ number: UInt64) -> Waiter? {
    waiters.withLock { waiters in
      waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }
  }
}
