import Foundation

/// Runs each job on the thread that enqueues it: at once, or as soon as the job ends that this thread runs already.
///
/// Between its caller's thread and the writer's queue, a write runs a few instructions. None of them may wait for the executor of the
/// caller's task: that executor may be busy, and the turn of the next write would wait with it. So a write prefers this executor from its
/// call to its return. A job that runs here must not block. It must not resume a task from inside a cancellation handler either: the runtime
/// then holds the lock of the cancelled task, which the task needs in order to go on.
///
/// A job that enqueues another one doesn't run it inside of itself. A hundred thousand writes may wait for a store, and each passes its turn
/// on when it finds the store closed: one inside the other, they would take more than a thread's stack.
final class ImmediateExecutor: TaskExecutor {
  /// One for all, which lives as long as the process: a job may end the life of everything else while it runs.
  static let shared = ImmediateExecutor()

  /// Where a thread that runs jobs keeps those that wait for it.
  private let waitingJobs: pthread_key_t

  private init() {
    var key = pthread_key_t()
    // There are as many keys as a process needs, unless it loses them: then nothing could run, here or elsewhere.
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
