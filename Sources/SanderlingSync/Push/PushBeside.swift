import Sanderling

/// Sends what the app changes while a pull is under way.
///
/// It looks at the outbox when something was noted, and some time after a failure. What is in conflict waits until the pull has caught up, and
/// what failed for no longer than that: then the server is there.
struct PushBeside: Sendable {
  let pushLoop: PushLoop
  let control: RunControl
  let hub: ProgressHub

  /// After how long what failed is tried again.
  private static let pause = Duration.seconds(60)

  /// What is to be sent when the pull has caught up.
  private struct Waiting {
    var inConflict: Set<Int64> = []
    var hasFailed = false
  }

  /// Runs a pull, and pushes beside it until it ends.
  ///
  /// - Parameter inConflict: Entries that were in conflict before.
  /// - Returns: What the pushes did.
  /// - Throws: What the pull throws, and ``StoreError`` of a push, which ends the pull.
  func run(
    inConflict: Set<Int64>, _ pull: @escaping @Sendable (PullLook) async throws -> Void
  ) async throws -> SentCounts {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let waiting = AwaitedState(Waiting(inConflict: inConflict))
    let look = PullLook {
      let isFree = waiting.update { waiting in
        defer { waiting = Waiting() }
        return waiting.hasFailed || !waiting.inConflict.isEmpty
      }
      if isFree { wake.yield() }
    }
    let follower = Task {
      for await _ in pushLoop.store.snapshots(of: Outbox.lastSequence, window: 1) { wake.yield() }
    }
    defer { follower.cancel() }
    return try await withThrowingTaskGroup(of: SentCounts?.self) { group in
      group.addTask {
        defer { wake.finish() }
        try await pull(look)
        return nil
      }
      group.addTask { try await push(when: wakes, look, waiting) { wake.yield() } }
      // What either throws ends the other: a source may go on for ever, and nothing would be sent.
      var counts = SentCounts()
      for try await case let sent? in group { counts = sent }
      return counts
    }
  }

  /// Pushes at each wake until they end.
  private func push(
    when wakes: AsyncStream<Void>, _ look: PullLook, _ waiting: AwaitedState<Waiting>,
    wake: @escaping @Sendable () -> Void
  ) async throws -> SentCounts {
    var counts = SentCounts()
    var retry: Task<Void, Never>?
    defer { retry?.cancel() }
    for await _ in wakes {
      retry?.cancel()
      try await control.proceed(hub)
      let summary = try await pushLoop.run(at: .besidePull(look), except: waiting.current.inConflict)
      counts.add(summary)
      waiting.update { waiting in
        waiting.inConflict.formUnion(summary.inConflict)
        waiting.hasFailed = summary.failed > 0
      }
      if summary.failed > 0 {
        retry = Task {
          if (try? await pushLoop.clock.sleep(for: Self.pause)) != nil { wake() }
        }
      }
    }
    return counts
  }
}

extension SentCounts {
  static func += (counts: inout SentCounts, later: SentCounts) {
    counts.acknowledged += later.acknowledged
    counts.refused += later.refused
    (counts.left, counts.failure) = (later.left, later.failure)
  }

  mutating func add(_ summary: PushLoop.Summary) {
    acknowledged += summary.acknowledged
    refused += summary.refused
    (left, failure) = (summary.conflicts + summary.failed, summary.failure)
  }
}
