import GRDB
import Sanderling

/// Sends the entries of an outbox until none is left that can be sent.
///
/// One loop of an outbox runs at a time.
struct PushLoop: Sendable {
  /// The results of a run.
  struct Summary: Sendable, Hashable {
    var acknowledged = 0
    /// The number of mutations whose base the server no longer has. Another run sends them after their records were
    /// pulled.
    var conflicts: Int { inConflict.count }
    /// The entries in conflict, each with the value of ``PollCounter/caughtUpCount`` at the server's answer; 0 if no
    /// pull is running.
    var inConflict: [Int64: Int] = [:]
    var refused = 0
    /// The number of mutations that stay unanswered because they failed too often.
    var failed = 0
    /// The number of other mutations that stay unanswered because the server answered none of them.
    var unanswered = 0
    /// The error of the last failed or unanswered mutation.
    var failure: String?
    /// The reason of the last conflict.
    var conflictReason: String?
    /// The last number in the outbox when no entry was left to send.
    var lastSequence: Int64 = 0
  }

  let store: Store
  let outbox: Outbox
  let sink: any SyncSink
  /// The lock that each transaction must hold; nil if no other run is possible. A session sets it for each run.
  var lock: SyncLock?
  var batchSize = 100
  var backoff = PushBackoff()
  var clock: any Clock<Duration> = ContinuousClock()
  var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

  /// The sent mutations, the failed ones, and the entries that must wait.
  private struct Progress {
    var summary = Summary()
    /// The number of failures of each mutation in this run.
    var failures: [Int64: Int] = [:]
    /// Entries that must not be sent again in this run.
    var held: Set<Int64> = []
    var failure: String?
    /// The number of consecutive requests without an answer.
    var failuresInARow = 0
    /// Whether the sink threw at the last request, so that the fate of all its mutations is unknown.
    var isCut = false
    /// The greatest number of mutations in the next request. A mutation of a failed request goes alone, and later
    /// requests grow. So a mutation that the server never answers delays only itself.
    var limit = Int.max
    var hasBegun = false
    /// The acknowledged mutations that wait for the running polls.
    var taken: [(sending: Outbox.Sending, version: String?)] = []
    /// The value of ``PollCounter/begun`` at the last of these answers.
    var begun = 0
    /// The value of ``PollCounter/caughtUpCount`` at the server's last answers.
    var caughtUpCount = 0
  }

  /// Sends in batches, each after the answer to the previous one.
  ///
  /// A failed mutation is sent again with the same number and content, after a growing delay; later ones wait too.
  /// After too many failures it is left to the next run, and the others go on. Only a server that answers none of them
  /// ends the loop. If the loop is cancelled, the next run sends the unanswered mutations. An acknowledged mutation
  /// isn't sent again, whenever the loop or the process ends.
  ///
  /// - Parameters:
  ///   - moment: The stage of the synchronisation's run: before, during or after the pull.
  ///   - inConflict: Entries that must not be sent, because their records are not pulled yet.
  ///   - isPersistent: Whether failed mutations are sent again in this run. Otherwise the first failure ends it: if a
  ///     pull follows, the pull reports the problem and its time.
  /// - Throws: `CancellationError`, and ``StoreError``. An error of the sink counts as a failure.
  func run(
    at moment: PushMoment = .beforePull, except inConflict: Set<Int64> = [], isPersistent: Bool = true
  ) async throws -> Summary {
    let attempts = isPersistent ? backoff.attempts : 1
    var progress = Progress()
    progress.held = inConflict
    var generator = generator
    while true {
      try Task.checkCancellation()
      // One poll settles many acknowledged mutations.
      if progress.taken.count >= batchSize { try await settleTaken(&progress, at: moment) }
      let batch = try await nextBatch(&progress, at: moment)
      if batch.isEmpty {
        if progress.taken.isEmpty { break }
        try await settleTaken(&progress, at: moment)
        continue
      }
      let outcomes = await send(batch, &progress)
      if case .besidePull(let look) = moment {
        (progress.begun, progress.caughtUpCount) = (look.begun, look.caughtUpCount)
      }
      let givenUp = progress.summary.failed
      let delay = try await settle(batch, outcomes, attempts, at: moment, &progress, using: &generator)
      try Task.checkCancellation()
      if progress.summary.failed > givenUp {
        // If the server answers no other mutation either, it is unreachable.
        let most = progress.isCut ? attempts : 2 * attempts - 1
        if !isPersistent || progress.failuresInARow > most { break }
      }
      if let delay {
        try await settleTaken(&progress, at: moment)
        try await clock.sleep(for: delay)
      }
    }
    try await settleTaken(&progress, at: moment)
    if progress.summary.failed > 0 {
      let sending = try await store.read { [outbox] in try outbox.sendingCount($0.database) }
      progress.summary.unanswered = sending - progress.summary.failed
    }
    progress.summary.failure = progress.failure
    return progress.summary
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await store.write("push", priority: .background) { [lock] tx in
      try lock?.require(tx)
      return try body(tx)
    }
  }

  /// The sent mutations without an answer; if there are none, the next entries of the outbox. The first batch of a loop
  /// also settles acknowledged mutations that an earlier run did not settle.
  ///
  /// - Returns: The batch. The progress has the entries that must wait, and the last number of the outbox.
  private func nextBatch(_ progress: inout Progress, at moment: PushMoment) async throws -> [Outbox.Sending] {
    let (outbox, isFirst, before) = (outbox, !progress.hasBegun, progress.held)
    let limit = min(batchSize, sink.batchLimit, progress.limit)
    let (settled, batch, held, lastSequence) = try await write { tx in
      let settled = isFirst ? try outbox.settleTaken(tx.database) : []
      var held = before.union(settled.filter { $0.settled == .conflict }.map(\.sending.entry))
      var batch = try outbox.takeAgain(limit: limit, except: held, tx.database)
      // New numbers wait until a full comparison has found the unrecorded edits.
      let isCompared = try UnnotedRecords.sequences(of: outbox.name, tx.database).isEmpty
      if batch.isEmpty, isCompared { batch = try outbox.take(limit: limit, except: &held, at: moment, tx.database) }
      return (settled, batch, held, try SyncControl.lastSequence(tx.database))
    }
    progress.hasBegun = true
    for (sending, settled) in settled { count(settled, of: sending, &progress) }
    for entry in held.subtracting(progress.held) { progress.summary.inConflict[entry] = progress.caughtUpCount }
    progress.held = held
    progress.summary.lastSequence = lastSequence
    return batch
  }

  /// - Returns: The outcomes that the sink returned. The first missing outcome counts as a failure, unless an earlier
  ///   mutation failed. The further mutations weren't tried.
  private func send(_ batch: [Outbox.Sending], _ progress: inout Progress) async -> [MutationOutcome] {
    do {
      var outcomes = Array(try await sink.send(batch.map(\.mutation)).prefix(batch.count))
      if outcomes.count < batch.count, !outcomes.contains(where: \.isFailed) {
        outcomes.append(.failed("the server gave no answer"))
      }
      progress.isCut = false
      progress.limit = min(progress.limit, batchSize) * 2
      progress.failuresInARow = outcomes.allSatisfy(\.isFailed) ? progress.failuresInARow + 1 : 0
      return outcomes
    } catch {
      (progress.isCut, progress.limit) = (true, 1)
      progress.failuresInARow += 1
      return [.failed(String(describing: error))]
    }
  }

  /// Stores the outcomes of a batch, even if the run is cancelled. Otherwise the answers would be lost, and the
  /// mutations sent again.
  ///
  /// During a pull, acknowledged mutations wait for the running polls. The others don't.
  ///
  /// - Returns: The delay before the next batch.
  private func settle(
    _ batch: [Outbox.Sending], _ outcomes: [MutationOutcome], _ attempts: Int, at moment: PushMoment,
    _ progress: inout Progress, using generator: inout some RandomNumberGenerator
  ) async throws -> Duration? {
    let (outbox, isCancelled, isBeside) = (outbox, Task.isCancelled, moment.isBesidePull)
    let known = zip(batch, outcomes).filter { !isCancelled || !$0.1.isFailed }
    if known.isEmpty { return nil }
    let settled = try await Task {
      try await write { tx in
        try known.map { sending, outcome -> Outbox.Settled? in
          guard isBeside, case .acknowledged(let version) = outcome else {
            return try outbox.settle(sending, outcome, tx.database)
          }
          try outbox.note(sending, taken: version, tx.database)
          return nil
        }
      }
    }.value
    var delay: Duration?
    for ((sending, outcome), settled) in zip(known, settled) {
      if case .conflicting(let reason) = outcome { progress.summary.conflictReason = reason }
      switch (settled, outcome) {
      case (nil, .acknowledged(let version)): progress.taken.append((sending, version))
      case (.failed, .failed(let reason, let retryAfter)):
        progress.failure = reason
        let failures = progress.failures[sending.mutation.sequence, default: 0] + 1
        progress.failures[sending.mutation.sequence] = failures
        if failures >= attempts || progress.failuresInARow > attempts {
          progress.held.insert(sending.entry)
          progress.summary.failed += 1
        } else {
          let wait = backoff.delay(after: failures, retryAfter: retryAfter, using: &generator)
          delay = max(delay ?? .zero, wait)
        }
        continue
      case (let settled?, _): count(settled, of: sending, &progress)
      case (nil, _): preconditionFailure("only acknowledged changes wait")
      }
      progress.failures[sending.mutation.sequence] = nil
    }
    return delay
  }

  /// Settles the acknowledged mutations once the polls have ended that were running then.
  private func settleTaken(_ progress: inout Progress, at moment: PushMoment) async throws {
    guard case .besidePull(let look) = moment, !progress.taken.isEmpty else { return }
    try await look.over(progress.begun)
    let (outbox, taken) = (outbox, progress.taken)
    progress.taken = []
    let settled = try await Task {
      try await write { tx in
        try taken.map { try outbox.settle($0.sending, .acknowledged(version: $0.version), tx.database) }
      }
    }.value
    for ((sending, _), settled) in zip(taken, settled) { count(settled, of: sending, &progress) }
  }

  private func count(_ settled: Outbox.Settled, of sending: Outbox.Sending, _ progress: inout Progress) {
    switch settled {
    case .acknowledged: progress.summary.acknowledged += 1
    case .conflict:
      progress.summary.inConflict[sending.entry] = progress.caughtUpCount
      progress.held.insert(sending.entry)
    case .refused: progress.summary.refused += 1
    case .waiting, .failed: break
    }
  }
}
