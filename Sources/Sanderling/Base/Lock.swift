#if SANITIZE_THREAD
  import Foundation

  /// Stands in for `Synchronization.Mutex` where the thread sanitizer runs (`make tsan`): on Linux that one is a futex, which
  /// the sanitizer doesn't know for a lock, so that it reports every use of what it guards.
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

  /// Safe because the value is reached through the lock only.
  extension Lock: @unchecked Sendable where Value: ~Copyable {}
#else
  import Synchronization

  /// A lock around what it guards.
  package typealias Lock = Mutex
#endif
