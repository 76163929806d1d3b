import Sanderling

/// Sends the app's changes while a pull is running.
///
/// The push checks the outbox when a change was recorded that no push has seen, and some time after a failure. Entries
/// in conflict wait until the pull has caught up. So do failed entries, because the server is reachable then.
struct PushBeside: Sendable {
  let pushLoop: PushLoop
  let control: RunControl
  let hub: ProgressHub
  /// Called when a poll ends after which the records equal the source.
  var onCaughtUp: @Sendable (_ ofSource: Int?) -> Void = { _ in }

  /// The time after which a failed push is tried again.
  private static let pause = Duration.seconds(60)

  /// The reasons for checking the outbox.
  private struct Waiting {
    /// The entries to send once the pull has caught up.
    var inConflict: Set<Int64> = []
    /// The entries among them whose conflict occurred during this pull.
    var metBeside: Set<Int64> = []
    var hasFailed = false
    /// Whether the pull has caught up, or the failure is long ago.
    var isDue = false
    /// The last number in the outbox; nil until it was read.
    var lastSequence: Int64?
    /// The last number when the last push had nothing left. The push itself creates numbers, which are no reason for
    /// another push.
    var seenSequence: Int64?

    mutating func free() {
      isDue = isDue || hasFailed || !inConflict.isEmpty
      (inConflict, metBeside, hasFailed) = ([], [], false)
    }

    mutating func begin() -> Bool {
      defer { isDue = false }
      return isDue || lastSequence != seenSequence
    }

    /// Notes the results of a push.
    ///
    /// - Parameter caughtUpCount: The number of completed polls. A poll that ended after the server's answer frees the
    ///   entries in conflict, because no later poll may come.
    mutating func note(_ summary: PushLoop.Summary, _ caughtUpCount: Int) {
      for (entry, count) in summary.inConflict {
        if count < caughtUpCount {
          isDue = true
        } else {
          inConflict.insert(entry)
          metBeside.insert(entry)
        }
      }
      hasFailed = summary.failed > 0
      seenSequence = summary.lastSequence
    }
  }

  /// Runs a pull, with concurrent pushes until it ends.
  ///
  /// - Parameter inConflict: Entries that were in conflict before.
  /// - Returns: The counts of the pushes, and the entries that came into conflict since the last completed poll: that
  ///   poll may have been requested earlier.
  /// - Throws: The errors of the pull, and ``StoreError`` of a push, which ends the pull.
  func run(
    inConflict: Set<Int64>, _ pull: @escaping @Sendable (PollCounter) async throws -> Void
  ) async throws -> (counts: SentCounts, inConflict: Set<Int64>) {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let waiting = AwaitedState(Waiting(inConflict: inConflict))
    let look = PollCounter { number in
      waiting.update { $0.free() }
      wake.yield()
      onCaughtUp(number)
    }
    let follower = Task {
      for await snapshot in pushLoop.store.snapshots(of: Outbox.lastSequence, window: 1) {
        waiting.update { $0.lastSequence = snapshot.elements.first }
        wake.yield()
      }
    }
    defer { follower.cancel() }
    return try await withThrowingTaskGroup(of: SentCounts?.self) { group in
      group.addTask {
        defer { wake.finish() }
        try await pull(look)
        return nil
      }
      group.addTask { try await push(when: wakes, look, waiting, wake) }
      // An error of the pull ends the push, and an error of the push ends the pull: a source may never end, and nothing
      // would be sent.
      var counts = SentCounts()
      for try await case let sent? in group { counts = sent }
      return (counts, waiting.current.metBeside)
    }
  }

  /// Pushes at each wake that has a reason, until the wakes end.
  private func push(
    when wakes: AsyncStream<Void>, _ look: PollCounter, _ waiting: AwaitedState<Waiting>,
    _ wake: AsyncStream<Void>.Continuation
  ) async throws -> SentCounts {
    var counts = SentCounts()
    var retry: Task<Void, Never>?
    defer { retry?.cancel() }
    for await _ in wakes where waiting.update({ $0.begin() }) {
      retry?.cancel()
      try await control.proceed(hub)
      let summary = try await pushLoop.run(at: .besidePull(look), except: waiting.current.inConflict)
      counts.add(summary)
      // A poll first counts and then frees, so none is missed.
      let isDue = waiting.update { waiting in
        waiting.note(summary, look.caughtUpCount)
        return waiting.isDue
      }
      if isDue { wake.yield() }
      if summary.failed > 0 {
        retry = Task {
          guard (try? await pushLoop.clock.sleep(for: Self.pause)) != nil else { return }
          waiting.update { $0.isDue = true }
          wake.yield()
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
    (counts.left, counts.failure, counts.conflict) = (later.left, later.failure, later.conflict ?? counts.conflict)
  }

  mutating func add(_ summary: PushLoop.Summary) {
    acknowledged += summary.acknowledged
    refused += summary.refused
    // A failure does not count if its mutations were sent again later.
    (left, failure) = (
      summary.conflicts + summary.failed + summary.unanswered, summary.failed > 0 ? summary.failure : nil
    )
    // The last push includes the conflicts of earlier pushes.
    conflict = summary.conflicts > 0 ? summary.conflictReason ?? conflict : nil
  }
}
