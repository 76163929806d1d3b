import Foundation

/// The name of a write: the given one, or the function and line of the call.
struct OperationName: Sendable {
  let given: String?
  let function: StaticString
  let line: UInt

  var text: String { given ?? "\(function), line \(line)" }
}

/// Which transaction runs on the writer's queue. One inside of it, on the same thread, could only wait for itself.
final class TransactionUnderWay: Sendable {
  private struct Running {
    let thread: UInt
    let name: OperationName
  }

  /// Guards the running operation. The writer's queue sets it.
  private let running = Lock<Running?>(nil)

  /// Runs a transaction, on the writer's queue.
  func run<Value>(_ name: OperationName, _ body: () throws -> Value) rethrows -> Value {
    running.withLock { $0 = Running(thread: Self.currentThread, name: name) }
    defer { running.withLock { $0 = nil } }
    return try body()
  }

  /// - Parameter operation: The operation that is about to wait for the writer on this thread.
  /// - Throws: ``StoreError/nestedTransaction(_:inside:)``.
  func throwIfInside(_ operation: @autoclosure () -> String) throws {
    guard let running = running.withLock({ $0 }), running.thread == Self.currentThread else { return }
    throw StoreError.nestedTransaction(operation(), inside: running.name.text)
  }

  /// A number on one platform, and a pointer on another.
  private static var currentThread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }
}
