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

  /// Runs a pull, and pushes beside it until it ends.
  ///
  /// - Parameter inConflict: Entries that were in conflict before.
  /// - Returns: What the pushes did.
  /// - Throws: What the pull throws, and ``StoreError`` of a push.
  func run(
    inConflict: Set<Int64>, _ pull: @escaping @Sendable (PullLook) async throws -> Void
  ) async throws -> SentCounts {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let waiting = Lock((inConflict: inConflict, hasFailed: false))
    let look = PullLook {
      let isFree = waiting.withLock { waiting in
        defer { waiting = ([], false) }
        return waiting.hasFailed || !waiting.inConflict.isEmpty
      }
      if isFree { wake.yield() }
    }
    let follower = Task {
      for await _ in pushLoop.store.snapshots(of: Outbox.lastSequence, window: 1) { wake.yield() }
    }
    let pusher = Task {
      var counts = SentCounts()
      var retry: Task<Void, Never>?
      defer { retry?.cancel() }
      for await _ in wakes {
        retry?.cancel()
        try await control.proceed(hub)
        let summary = try await pushLoop.run(beside: look, except: waiting.withLock { $0.inConflict })
        counts.add(summary)
        waiting.withLock { waiting in
          waiting.inConflict.formUnion(summary.inConflict)
          waiting.hasFailed = summary.failed > 0
        }
        if summary.failed > 0 {
          retry = Task {
            if (try? await Task.sleep(for: Self.pause)) != nil { wake.yield() }
          }
        }
      }
      return counts
    }
    return try await withTaskCancellationHandler {
      do {
        try await pull(look)
      } catch {
        follower.cancel()
        pusher.cancel()
        wake.finish()
        _ = await pusher.result
        throw error
      }
      follower.cancel()
      wake.finish()
      return try await pusher.value
    } onCancel: {
      pusher.cancel()
    }
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
