import Sanderling

/// A state of several tasks. A task can wait until the state satisfies a condition.
///
/// A waiting task is resumed by the update that satisfies its condition, or by its cancellation.
final class AwaitedState<State: Sendable>: Sendable {
  private struct Waiter {
    let isReady: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Content {
    var state: State
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  /// Guards the state and the waiting tasks.
  private let content: Lock<Content>

  init(_ state: State) { content = Lock(Content(state: state)) }

  var current: State { content.withLock { $0.state } }

  /// Changes the state. O(waiting tasks).
  @discardableResult
  func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
    let (value, ready) = content.withLock { content in
      let value = change(&content.state)
      let ready = content.waiters.filter { $0.value.isReady(content.state) }
      for number in ready.keys { content.waiters[number] = nil }
      return (value, ready.values.map(\.continuation))
    }
    for continuation in ready { continuation.resume() }
    return value
  }

  /// Waits until the state satisfies the condition or the task is cancelled.
  func wait(until isReady: @escaping @Sendable (State) -> Bool) async {
    let number = content.withLock { content in
      content.lastWaiter += 1
      return content.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = content.withLock { content in
          if Task.isCancelled || isReady(content.state) { return true }
          content.waiters[number] = Waiter(isReady: isReady, continuation: continuation)
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      content.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
    }
  }
}
