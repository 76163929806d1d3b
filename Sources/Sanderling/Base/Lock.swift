#if SANITIZE_THREAD
  import Foundation

  /// Replaces `Synchronization.Mutex` for the thread sanitizer (`make tsan`). On Linux, `Mutex` is a futex, which the
  /// sanitizer doesn't recognize as a lock, so that it would report each use of the guarded value.
  package struct Lock<Value: ~Copyable>: ~Copyable {
    private final class Storage {
      var value: Value

      init(_ value: consuming Value) {
        self.value = value
      }
    }

    private let lock = NSLock()
    private let storage: Storage

    package init(_ value: consuming sending Value) {
      storage = Storage(value)
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&storage.value)
    }
  }

  /// Safe, because the value is used only while the lock is held, and enters and leaves the lock as `sending`.
  extension Lock: @unchecked Sendable where Value: ~Copyable {}
#else
  import Synchronization

  /// A lock around the value that it guards.
  package typealias Lock = Mutex
#endif
