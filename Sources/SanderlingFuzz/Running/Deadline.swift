import Sanderling

/// Waits for work that has to end in time.
///
/// - Returns: Whether it did. Work that doesn't is left to itself: what hangs can't be ended from outside.
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

/// Resumes a continuation with what is decided first.
private final class SingleOutcome: Sendable {
  /// Guards the continuation, which two tasks want to resume.
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
