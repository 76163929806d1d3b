import Foundation

/// The name of a write: the given one, or the function and line of the call.
struct OperationName: Sendable {
  let given: String?
  let function: StaticString
  let line: UInt

  var text: String { given ?? "\(function), line \(line)" }
}

/// The transaction that runs on the writer's queue. Another transaction on the same thread would wait for itself.
final class TransactionUnderWay: Sendable {
  private struct Running {
    let thread: UInt
    let name: OperationName
  }

  /// Guards the running operation. The writer's queue sets it.
  private let running = Lock<Running?>(nil)

  /// Runs a transaction. Must be called on the writer's queue.
  func run<Value>(_ name: OperationName, _ body: () throws -> Value) rethrows -> Value {
    running.withLock { $0 = Running(thread: Self.currentThread, name: name) }
    defer { running.withLock { $0 = nil } }
    return try body()
  }

  /// Checks that no transaction of the store runs on this thread.
  ///
  /// - Parameter operation: The operation that is about to wait for the writer on this thread.
  /// - Throws: ``StoreError/nestedTransaction(_:inside:)``.
  func throwIfInside(_ operation: @autoclosure () -> String) throws {
    guard let running = running.withLock({ $0 }), running.thread == Self.currentThread else { return }
    throw StoreError.nestedTransaction(operation(), inside: running.name.text)
  }

  /// The current thread as a number. `pthread_t` is a number or a pointer, depending on the platform, and as large as a
  /// `UInt`.
  private static var currentThread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }
}
