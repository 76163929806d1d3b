/// Runs each job at once, on the thread that enqueues it.
///
/// What a write does between its caller's thread and the writer's queue is a few instructions, and none of them may wait for the
/// executor of the caller's task: that one may be busy, and the turn of the next write would wait with it. So a write prefers
/// this executor from its call to its return. A job that runs here must not block, and must not resume a task from inside a
/// cancellation handler: the runtime holds the lock of the cancelled task then, which the task needs in order to go on.
final class ImmediateExecutor: TaskExecutor {
  /// One for all, which lives as long as the process: a job may end the life of everything else while it runs.
  static let shared = ImmediateExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
