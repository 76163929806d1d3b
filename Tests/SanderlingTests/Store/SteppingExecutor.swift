import Dispatch

/// Runs the tasks that prefer it one after the other, on one thread.
///
/// After ``settle()`` each started task has reached its first wait. A test thus determines the order of their arrival
/// without sleeping.
final class SteppingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "SteppingExecutor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits until the jobs enqueued so far have run.
  func settle() {
    queue.sync {}
  }

  /// Blocks the executor's thread until the gate is opened.
  func block(at gate: Gate) {
    queue.async { gate.pass() }
  }
}

/// Holds a write transaction open until it is released.
struct Gate: Sendable {
  private let entered = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  /// Reports that the gate is reached, and waits until it is opened. Blocks the thread, which must not belong to the
  /// tasks' shared pool: that pool has only as many threads as the machine has processors.
  func pass() {
    entered.signal()
    opened.wait()
  }

  /// Reports that the gate is reached, and suspends the task until the gate is opened.
  func wait() async {
    entered.signal()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        opened.wait()
        continuation.resume()
      }
    }
  }

  func open() {
    opened.signal()
  }

  /// Waits until a task has reached the gate.
  func waitUntilReached() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        entered.wait()
        continuation.resume()
      }
    }
  }
}
