import Sanderling
import Dispatch

/// Runs the task that consumes a sequence. When no job is left, the task has taken all values that were ready and waits
/// for more.
final class RecordingExecutor: TaskExecutor {
  private struct State {
    var jobs = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let queue = DispatchQueue(label: "SanderlingTesting.recording")
  /// Guards the number of jobs that are enqueued or running.
  private let state = Lock(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs += 1 }
    queue.async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      // Jobs that this job enqueued are counted already.
      let waiting = self.state.withLock { state in
        state.jobs -= 1
        guard state.jobs == 0 else { return [] as [CheckedContinuation<Void, Never>] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  /// Waits until no job is left: each task has ended or waits for an event outside this executor.
  func idle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.jobs == 0 { return true }
        state.waiting.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }
}
