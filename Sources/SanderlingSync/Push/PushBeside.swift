import Sanderling

/// Sends what the app changes while a pull is under way.
///
/// It looks at the outbox when something was noted that no push has seen, and some time after a failure. Entries in
/// conflict wait until the pull has caught up. Entries that failed wait no longer than that: then the server is there.
struct PushBeside: Sendable {
  let pushLoop: PushLoop
  let control: RunControl
  let hub: ProgressHub
  /// Called when a look is over after which the records are as they were at the source.
  var onCaughtUp: @Sendable (_ ofSource: Int?) -> Void = { _ in }

  /// After how long what failed is tried again.
  private static let pause = Duration.seconds(60)

  /// Why the outbox is to be looked at.
  private struct Waiting {
    /// The entries to send when the pull has caught up.
    var inConflict: Set<Int64> = []
    /// The entries among them that were met beside this pull.
    var metBeside: Set<Int64> = []
    var hasFailed = false
    /// Whether that is so, or a failure is long ago.
    var isDue = false
    /// The last number that was given in the outbox; nil until it was read.
    var lastSequence: Int64?
    /// The one that the last push found when nothing was left. It gives numbers itself, which are no reason for another one.
    var seenSequence: Int64?

    mutating func free() {
      isDue = isDue || hasFailed || !inConflict.isEmpty
      (inConflict, metBeside, hasFailed) = ([], [], false)
    }

    mutating func begin() -> Bool {
      defer { isDue = false }
      return isDue || lastSequence != seenSequence
    }

    /// Notes what a push did.
    ///
    /// - Parameter caughtUpCount: How many looks have told all. A look that was over since the server's answer frees
    ///   the entries in conflict: no later look may come that does.
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

  /// Runs a pull, and pushes beside it until it ends.
  ///
  /// - Parameter inConflict: Entries that were in conflict before.
  /// - Returns: The counts of the pushes, and the entries that were in conflict beside the pull, since the last look
  ///   that told all: that look may have been asked before.
  /// - Throws: The errors of the pull, and ``StoreError`` of a push, which ends the pull.
  func run(
    inConflict: Set<Int64>, _ pull: @escaping @Sendable (PullLook) async throws -> Void
  ) async throws -> (counts: SentCounts, inConflict: Set<Int64>) {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let waiting = AwaitedState(Waiting(inConflict: inConflict))
    let look = PullLook { number in
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
      // An error of either ends the other: a source may go on for ever, and nothing would be sent.
      var counts = SentCounts()
      for try await case let sent? in group { counts = sent }
      return (counts, waiting.current.metBeside)
    }
  }

  /// Pushes at the wakes that have a reason, until they end.
  private func push(
    when wakes: AsyncStream<Void>, _ look: PullLook, _ waiting: AwaitedState<Waiting>,
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
      // The look counts first and frees then, so none of them is missed.
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
    // A failure whose mutations were sent again since isn't one any more.
    (left, failure) = (summary.conflicts + summary.failed + summary.untold, summary.failed > 0 ? summary.failure : nil)
    // The last push names those of before, too.
    conflict = summary.conflicts > 0 ? summary.conflictReason ?? conflict : nil
  }
}
