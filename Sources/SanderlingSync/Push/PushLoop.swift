import GRDB
import Sanderling

/// Sends what waits in an outbox until nothing is left that can be sent.
///
/// One loop of an outbox runs at a time.
struct PushLoop: Sendable {
  /// What a run did.
  struct Summary: Sendable, Hashable {
    var acknowledged = 0
    /// How many mutations were based on what the server doesn't have any more. They are sent when their records were pulled, by another run.
    var conflicts: Int { inConflict.count }
    /// Their entries.
    var inConflict: Set<Int64> = []
    var refused = 0
    /// How many are still being sent, since they failed too often.
    var failed = 0
    /// What kept the last of them.
    var failure: String?
    /// The reason of the last conflict.
    var conflictReason: String?
    /// The last number in the outbox when nothing was left that could be sent.
    var lastSequence: Int64 = 0
  }

  let store: Store
  let outbox: Outbox
  let sink: any SyncSink
  var batchSize = 100
  var backoff = PushBackoff()
  var clock: any Clock<Duration> = ContinuousClock()
  var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

  /// What was sent and failed, and what must wait.
  private struct Progress {
    var summary = Summary()
    /// How often each mutation failed in this run.
    var failures: [Int64: Int] = [:]
    /// Entries that are not to be sent again in this run.
    var held: Set<Int64> = []
    var failure: String?
  }

  /// Sends in batches, each when the one before is answered.
  ///
  /// What failed is sent again, with the same number and content, after a time that grows; then what comes after it waits too. Cancelling
  /// it leaves what is being sent to the next run.
  ///
  /// - Parameters:
  ///   - moment: When it is in a run.
  ///   - inConflict: Entries that are not to be sent, since their records are not pulled yet.
  ///   - isPersistent: Whether what failed is sent again in this run. Otherwise the first failure ends it: where a pull follows, that one tells what
  ///     is wrong, and when.
  /// - Throws: `CancellationError`, and ``StoreError``. What the sink throws counts as failure.
  func run(
    at moment: PushMoment = .beforePull, except inConflict: Set<Int64> = [], isPersistent: Bool = true
  ) async throws -> Summary {
    let attempts = isPersistent ? backoff.attempts : 1
    var progress = Progress()
    progress.held = inConflict
    var generator = generator
    while true {
      try Task.checkCancellation()
      let (batch, held, lastSequence) = try await nextBatch(progress.held, at: moment)
      progress.summary.inConflict.formUnion(held.subtracting(progress.held))
      progress.held = held
      progress.summary.lastSequence = lastSequence
      if batch.isEmpty { break }
      let (outcomes, isCut) = await send(batch)
      if case .besidePull(let look) = moment, outcomes.contains(where: \.isAcknowledged) { try await look.over() }
      let delay = try await settle(batch, outcomes, attempts, &progress, using: &generator)
      try Task.checkCancellation()
      let hasGivenUp = batch.contains { progress.failures[$0.mutation.sequence, default: 0] >= attempts }
      // What can't reach the server keeps all others, too.
      if hasGivenUp, isCut || !isPersistent { break }
      if let delay { try await clock.sleep(for: delay) }
    }
    progress.summary.failed = progress.failures.values.count { $0 >= attempts }
    progress.summary.failure = progress.failure
    return progress.summary
  }

  /// What was sent before and not answered; else what is next.
  ///
  /// - Returns: And what must wait now, and the last number that the outbox has given.
  private func nextBatch(
    _ held: Set<Int64>, at moment: PushMoment
  ) async throws -> (batch: [Outbox.Sending], held: Set<Int64>, lastSequence: Int64) {
    let outbox = outbox
    // Beside a pull, outcomes wait for the look under way: one for many of them.
    let batchSize = moment.isBesidePull ? batchSize : min(batchSize, sink.batchLimit)
    return try await store.write("push", priority: .background) { tx in
      var held = held
      var batch = try outbox.takeAgain(limit: batchSize, except: held, tx.database)
      // New numbers wait until a comparison has found the edits that weren't noted.
      let isCompared = try UnnotedRecords.sequences(of: outbox.name, tx.database).isEmpty
      if batch.isEmpty, isCompared { batch = try outbox.take(limit: batchSize, except: &held, at: moment, tx.database) }
      return (batch, held, try SyncControl.lastSequence(tx.database))
    }
  }

  /// - Returns: And whether the sink threw: nothing is known of any of them.
  private func send(_ batch: [Outbox.Sending]) async -> (outcomes: [MutationOutcome], isCut: Bool) {
    do {
      let outcomes = try await sink.send(batch.map(\.mutation))
      let missing = max(batch.count - outcomes.count, 0)
      let failed = Array(repeating: MutationOutcome.failed("the server gave no answer"), count: missing)
      return (Array(outcomes.prefix(batch.count)) + failed, false)
    } catch {
      return (batch.map { _ in .failed(String(describing: error)) }, true)
    }
  }

  /// Notes what became of a batch. What the server said is noted also when the run is cancelled: it would be forgotten otherwise, and sent again.
  ///
  /// - Returns: How long to wait before the next.
  private func settle(
    _ batch: [Outbox.Sending], _ outcomes: [MutationOutcome], _ attempts: Int, _ progress: inout Progress,
    using generator: inout some RandomNumberGenerator
  ) async throws -> Duration? {
    let (outbox, store, isCancelled) = (outbox, store, Task.isCancelled)
    let known = zip(batch, outcomes).filter { !isCancelled || !$0.1.isFailed }
    if isCancelled, known.isEmpty { return nil }
    let settled = try await Task {
      try await store.write("push", priority: .background) { tx in
        try known.map { try outbox.settle($0.0, $0.1, tx.database) }
      }
    }.value
    var delay: Duration?
    for ((sending, outcome), settled) in zip(known, settled) {
      if case .conflicting(let reason) = outcome { progress.summary.conflictReason = reason }
      switch settled {
      case .acknowledged: progress.summary.acknowledged += 1
      case .conflict:
        progress.summary.inConflict.insert(sending.entry)
        progress.held.insert(sending.entry)
      case .refused: progress.summary.refused += 1
      case .waiting: break
      case .failed:
        guard case .failed(let reason, let retryAfter) = outcome else { continue }
        progress.failure = reason
        let failures = progress.failures[sending.mutation.sequence, default: 0] + 1
        progress.failures[sending.mutation.sequence] = failures
        if failures >= attempts {
          progress.held.insert(sending.entry)
        } else {
          let wait = backoff.delay(after: failures, retryAfter: retryAfter, using: &generator)
          delay = max(delay ?? .zero, wait)
        }
        continue
      }
      progress.failures[sending.mutation.sequence] = nil
    }
    return delay
  }
}
