import Sanderling

/// Waits for work that must end within a time limit.
///
/// - Returns: Whether the work ended. Otherwise it goes on running: hanging work can't be ended from outside.
@MainActor
func finishes(within duration: Duration, _ work: @escaping @MainActor () async -> Void) async -> Bool {
  await withCheckedContinuation { continuation in
    let outcome = SingleOutcome(continuation)
    let timer = Task.detached {
      try await Task.sleep(for: duration)
      outcome.decide(false)
    }
    Task {
      await work()
      timer.cancel()
      outcome.decide(true)
    }
  }
}

/// Resumes a continuation with the first of two outcomes.
private final class SingleOutcome: Sendable {
  /// Guards the continuation, which two tasks try to resume.
  private let continuation: Lock<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Lock(continuation)
  }

  func decide(_ isInTime: Bool) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: isInTime)
  }
}
