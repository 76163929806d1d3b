import GRDB
import Sanderling

/// Sends the entries of an outbox until none is left that can be sent.
///
/// One loop of an outbox runs at a time.
struct PushLoop: Sendable {
  /// The results of a run.
  struct Summary: Sendable, Hashable {
    var acknowledged = 0
    /// How many mutations were based on what the server doesn't have any more. They are sent when their records were
    /// pulled, by another run.
    var conflicts: Int { inConflict.count }
    /// Their entries, each with ``PullLook/caughtUpCount`` when the server answered; 0 where no pull is under way.
    var inConflict: [Int64: Int] = [:]
    var refused = 0
    /// How many are still being sent, since they failed too often.
    var failed = 0
    /// How many others are still being sent, since the server answered to none of them.
    var untold = 0
    /// The error of the last of them.
    var failure: String?
    /// The reason of the last conflict.
    var conflictReason: String?
    /// The last number in the outbox when nothing was left that could be sent.
    var lastSequence: Int64 = 0
  }

  let store: Store
  let outbox: Outbox
  let sink: any SyncSink
  /// The lock that each transaction must hold; nil where no other run can be: a session sets it for each run.
  var lock: SyncLock?
  var batchSize = 100
  var backoff = PushBackoff()
  var clock: any Clock<Duration> = ContinuousClock()
  var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

  /// The mutations that were sent and failed, and the entries that must wait.
  private struct Progress {
    var summary = Summary()
    /// How often each mutation failed in this run.
    var failures: [Int64: Int] = [:]
    /// Entries that are not to be sent again in this run.
    var held: Set<Int64> = []
    var failure: String?
    /// How many requests in a row had no answer.
    var failuresInARow = 0
    /// Whether the sink threw at the last one, so that nothing is known of any mutation in it.
    var isCut = false
    /// How many mutations the next one holds at most. A mutation of a cut request goes alone, and later ones go in ever
    /// larger requests, so that a mutation to which the server never answers holds up only itself.
    var limit = Int.max
    var hasBegun = false
    /// The mutations that the server took, which wait for the looks under way.
    var taken: [(sending: Outbox.Sending, version: String?)] = []
    /// ``PullLook/begun`` when the last of them was answered.
    var begun = 0
    /// ``PullLook/caughtUpCount`` when the server gave its last answers.
    var caughtUpCount = 0
  }

  /// Sends in batches, each when the one before is answered.
  ///
  /// A mutation that failed is sent again, with the same number and content, after a time that grows; then later ones
  /// wait too. A mutation that fails too often is left to the next run, and others go on: only a server that answers to
  /// none of them ends the loop. Cancelling it leaves the mutations that are being sent to the next run. A mutation
  /// that the server took isn't sent again, whenever the loop or the process ends.
  ///
  /// - Parameters:
  ///   - moment: When it is in a run.
  ///   - inConflict: Entries that are not to be sent, since their records are not pulled yet.
  ///   - isPersistent: Whether what failed is sent again in this run. Otherwise the first failure ends it: where a pull
  ///     follows, that one tells what is wrong, and when.
  /// - Throws: `CancellationError`, and ``StoreError``. An error of the sink counts as failure.
  func run(
    at moment: PushMoment = .beforePull, except inConflict: Set<Int64> = [], isPersistent: Bool = true
  ) async throws -> Summary {
    let attempts = isPersistent ? backoff.attempts : 1
    var progress = Progress()
    progress.held = inConflict
    var generator = generator
    while true {
      try Task.checkCancellation()
      // One look for many of them.
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
        // A server that answers to no other mutation either isn't there.
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
      progress.summary.untold = sending - progress.summary.failed
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

  /// The mutations that were sent before and not answered; else the next ones. The first batch of a loop settles the
  /// mutations that the server took in a run that ended before they were settled.
  ///
  /// - Returns: The batch. The entries that must wait, and the last number of the outbox, are in the progress.
  private func nextBatch(_ progress: inout Progress, at moment: PushMoment) async throws -> [Outbox.Sending] {
    let (outbox, isFirst, before) = (outbox, !progress.hasBegun, progress.held)
    let limit = min(batchSize, sink.batchLimit, progress.limit)
    let (settled, batch, held, lastSequence) = try await write { tx in
      let settled = isFirst ? try outbox.settleTaken(tx.database) : []
      var held = before.union(settled.filter { $0.settled == .conflict }.map(\.sending.entry))
      var batch = try outbox.takeAgain(limit: limit, except: held, tx.database)
      // New numbers wait until a comparison has found the edits that weren't noted.
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

  /// - Returns: The outcomes, up to those that the sink left out. Of these the first has failed, unless one before did:
  ///   the others weren't tried.
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

  /// Notes the outcomes of a batch. The server's answers are noted also when the run is cancelled: otherwise they would
  /// be forgotten, and the mutations sent again.
  ///
  /// Beside a pull, mutations that the server took wait for the looks under way. The others don't.
  ///
  /// - Returns: How long to wait before the next.
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

  /// Settles what the server took, when the looks are over that were under way then.
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
