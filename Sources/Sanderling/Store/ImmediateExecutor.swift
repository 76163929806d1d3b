import Foundation

/// Runs each job on the thread that enqueues it. The job runs at once, or after the job that the thread already runs.
///
/// Between its caller's thread and the writer's queue, a write runs a few instructions. They must not wait for the
/// executor of the caller's task: that executor may be busy, and the next write would wait too. So a write prefers this
/// executor from its call to its return.
///
/// A job that runs here must not block. It must also not resume a task from inside a cancellation handler: the runtime
/// then holds the lock of the cancelled task, which the task needs to continue.
///
/// A job that enqueues another one doesn't run it inside of itself. A hundred thousand writes may wait for a store, and
/// each passes its turn on when it finds the store closed. Nested, they would overflow the thread's stack.
final class ImmediateExecutor: TaskExecutor {
  /// The only executor. It lives as long as the process, because a running job may release everything else.
  static let shared = ImmediateExecutor()

  /// The thread-local pointer to the jobs that wait for the running one.
  private let waitingJobs: pthread_key_t

  private init() {
    var key = pthread_key_t()
    // A process has enough keys unless it leaks them. Without a key, no write could run.
    guard pthread_key_create(&key, nil) == 0 else {
      preconditionFailure("the process has no key for a thread's own value left")
    }
    waitingJobs = key
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let waiting = pthread_getspecific(waitingJobs) {
      waiting.assumingMemoryBound(to: [UnownedJob].self).pointee.append(job)
      return
    }
    var waiting: [UnownedJob] = []
    // The pointer is safe: only this thread reads it, and it is cleared before the array ends.
    withUnsafeMutablePointer(to: &waiting) { waiting in
      pthread_setspecific(waitingJobs, waiting)
      defer { pthread_setspecific(waitingJobs, nil) }
      job.runSynchronously(on: asUnownedTaskExecutor())
      while !waiting.pointee.isEmpty {
        waiting.pointee.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }
}
