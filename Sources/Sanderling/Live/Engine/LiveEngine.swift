import Foundation
import GRDB
import Synchronization

/// Follows the database for all live results of a store.
///
/// Work is done in turns, one at a time, away from the main thread and, but for small changes after a pause, from the writer. A
/// turn carries out what was asked for, takes what was captured up to the commit that its snapshot shows, applies it, and tells
/// the consumers. Queries that have to be read are read at the same snapshot after the turn's end, beside later turns.
final class LiveEngine: Sendable {
  /// What queries that differ only in values share.
  let forms = LiveForms()
  private let connection: StoreConnection
  private let log: ChangeLog
  private let turns: TurnRunner
  private let lastConsumer = Atomic<UInt64>(0)
  private let lastHold = Atomic<UInt64>(0)

  init(_ connection: StoreConnection, _ options: LiveOptions) {
    self.connection = connection
    log = ChangeLog(sequence: connection.sequence)
    turns = TurnRunner(connection, log, options)
    if connection.writer.configuration.observesSuspensionNotifications { observeResumption() }
  }

  func makeConsumerID() -> LiveConsumerID {
    LiveConsumerID(number: lastConsumer.add(1, ordering: .relaxed).newValue)
  }

  /// How many live results were compared with the database.
  var auditCounts: LiveAuditCounts { turns.audits.counts }

  /// How many turns there were. For tests.
  var turnCount: Int { turns.scheduler.turnCount }

  /// The number of findings that no commit announced: outside changes and changes of the schema. For tests.
  var surpriseCount: Int { log.surpriseCount }

  /// Whether something was committed that no turn has taken. For tests.
  var hasPending: Bool { log.hasPending }
}

// MARK: - Asking

extension LiveEngine {
  func send(_ command: LiveCommand) {
    turns.send(command)
  }

  /// Puts consumers that follow something else in the place of some, with all others that are replaced in this turn of the main actor,
  /// and before anything else is asked.
  func replace(_ consumers: [LiveReplacement]) {
    guard !consumers.isEmpty, turns.commands.hold(consumers) else { return }
    Task { @MainActor [turns] in
      if turns.commands.sendHeld() { turns.wake(isUrgent: true) }
    }
  }

  /// The last commit through the store's writer.
  var lastCommit: Commit { Commit(number: log.lastCommit) }

  /// The last commit that nothing is left to be looked at of.
  var processedCommit: Commit { turns.processedCommit }

  /// Takes what is ready for the main actor.
  @MainActor
  func deliverNow() {
    turns.deliveries.deliver()
  }

  /// Waits until a consumer's query stands for a commit.
  func reached(_ commit: Commit, by consumer: LiveConsumerID) async throws {
    try await wait(for: commit.number, consumer)
  }

  /// Waits until all queries stand for the last commit, or could not be read.
  func settled() async {
    // The writer knows of commits that GRDB told nobody of, of statements that failed after some rows. A store that was
    // closed has its last commit behind it.
    let last = try? await connection.writer.writeWithoutTransaction { [turns, log] db in
      db.sqliteConnection == nil ? log.lastCommit : turns.capture.capture(db)?.name(db) ?? log.lastCommit
    }
    // Only the cancellation of the task ends it early.
    _ = try? await wait(for: last ?? log.lastCommit, nil)
  }

  private func wait(for commit: UInt64, _ consumer: LiveConsumerID?) async throws {
    turns.commands.sendHeld()
    try await turns.waiters.wait(
      for: commit, consumer, sentCount: turns.commands.sentCount, surpriseCount: log.surpriseCount
    ) { [turns] in
      turns.wake(isUrgent: true)
    }
  }

  /// Keeps all consumers as they are, with what was committed up to now, until the hold ends.
  ///
  /// - Returns: The number of the hold.
  func hold() async -> UInt64 {
    let number = lastHold.add(1, ordering: .relaxed).newValue
    await settled()
    await withCheckedContinuation { continuation in
      send(.hold(number) { continuation.resume() })
    }
    return number
  }

  /// Tells how a query would be followed.
  func explain(_ key: LiveQueryKey) async throws -> LiveExplanation {
    if let reason = key.makeQuery(runAgain: nil).requeryReason {
      do {
        let tables = try await connection.writer.readUnlessClosed { try key.makeQuery(runAgain: nil).readTables($0) }
        return LiveExplanation(isMaintained: false, reason: reason.description, tables: tables.sorted())
      } catch {
        throw connection.writer.wrapping(error)
      }
    }
    return try await withCheckedThrowingContinuation { continuation in
      send(.explain(LiveInquiry(key: key) { continuation.resume(with: $0) }))
    }
  }

  /// How many different queries are followed, once everything that was asked for is done. For tests.
  func followedQueryCount() async -> Int {
    await withCheckedContinuation { continuation in
      send(.countQueries { continuation.resume(returning: $0) })
    }
  }

  /// What a request gets, read on the calling thread.
  func immediate<Published>(_ request: LiveRequest<Published>, window: Int) -> Published {
    // Whether its tables can be captured is not known here, and what is read once needs no maintenance.
    let query = request.key.makeQuery(runAgain: RequeryReason("it is read once"))
    do {
      var published: Published?
      try turns.reader.withSnapshot { snapshot in
        try query.beginLoad(window: window)(snapshot.database)
        _ = query.endLoad(window: window)
        published = try request.presentation.published(of: query, window: window, at: Commit(number: snapshot.commit))
      }
      return published ?? .unread
    } catch {
      let error = connection.writer.wrapping(error)
      return Published.unread.inState(error as? StoreError == .suspended ? .suspended : .failed(error))
    }
  }

  /// Notices commits of other connections and processes.
  var outside: OutsideWatch { turns.outside }

  /// Looks whether others wrote.
  func noticeOutsideChanges() async throws -> Bool {
    do {
      try connection.throwIfClosed()
      return try await connection.writer.writeWithoutTransaction { [connection, turns] db in
        try db.throwIfClosed()
        turns.capture.capture(db)?.look(db)
        let isChanged = connection.observer(db).hasOutsideChanges(db)
        if isChanged { connection.folding?.wake() }
        return isChanged
      }
    } catch {
      throw connection.writer.wrapping(error)
    }
  }

  /// Whether all commits of others so far are noticed. For tests.
  func hasSeenOutsideChanges() async -> Bool {
    let hasSeen = try? await connection.writer.writeWithoutTransaction { [turns] db in
      db.sqliteConnection == nil ? true : turns.capture.capture(db)?.hasSeenOutsideChanges(db) ?? true
    }
    return hasSeen ?? true
  }

  /// Reads again what could not be read while the app was suspended. Where the database hears of its resumption after this, the
  /// first try comes too early, and the next one a tenth of a second later.
  private func observeResumption() {
    // The observation lasts as long as the process, and holds nothing.
    _ = NotificationCenter.default.addObserver(forName: Database.resumeNotification, object: nil, queue: nil) {
      [weak self] _ in self?.send(.retryAll)
    }
  }
}

// MARK: - The store

extension LiveEngine: StoreFollower {
  func transactionBegins() { turns.transactionBegins() }

  func transactionEnded() { turns.transactionEnded() }

  func writerWasLeft() { turns.writerWasLeft() }

  func releaseMemory() {
    forms.releaseMemory()
    turns.reader.close()
  }

  func storeWasClosed() {
    turns.reader.close(forGood: true)
    turns.outside.end()
    send(.close)
  }
}
