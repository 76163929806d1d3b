import Foundation
import GRDB
import Synchronization

/// Follows the database for all live results of a store.
///
/// Work is done in turns, one at a time. Turns run off the main thread; only small changes after a pause are processed
/// on the writer's queue. A turn carries out commands, takes the captured changes up to its snapshot's commit, applies
/// them, and publishes to the consumers. Queries that must be read are read at the same snapshot after the turn's end,
/// beside later turns.
final class LiveEngine: Sendable {
  /// The forms of live queries: the parts that queries share when they differ only in values.
  let forms = LiveForms()
  private let connection: StoreConnection
  private let log: ChangeLog
  private let turns: TurnRunner
  /// The observers of the app's suspension. Empty where the database's connections don't observe it.
  private let suspension: [NotificationObserver]
  private let lastConsumer = Atomic<UInt64>(0)
  private let lastHold = Atomic<UInt64>(0)

  init(_ connection: StoreConnection, _ options: LiveOptions) {
    self.connection = connection
    log = ChangeLog(sequence: connection.sequence)
    let turns = TurnRunner(connection, log, options)
    self.turns = turns
    guard connection.writer.configuration.observesSuspensionNotifications else {
      suspension = []
      return
    }
    suspension = [
      NotificationObserver(Database.suspendNotification) { [weak turns] in turns?.outside.setSuspended(true) },
      // Failed queries are tried again. If the database receives the notification after this observer, the first try
      // fails, and the next follows a tenth of a second later.
      NotificationObserver(Database.resumeNotification) { [weak turns] in
        turns?.outside.setSuspended(false)
        turns?.send(.retryAll)
      },
    ]
  }

  func makeConsumerID() -> LiveConsumerID {
    LiveConsumerID(number: lastConsumer.add(1, ordering: .relaxed).newValue)
  }

  /// The counts of live results that were compared with the database.
  var auditCounts: LiveAuditCounts { turns.audits.counts }

  /// The counts of live results that were read again after outside changes.
  var outsideReloadCounts: OutsideReloadCounts { turns.reloads.counts }

  /// The number of turns so far. For tests.
  var turnCount: Int { turns.scheduler.turnCount }

  /// The number of changes that no commit reported (``ChangeLog/unreportedCount``). For tests.
  var unreportedCount: Int { log.unreportedCount }

  /// Whether a commit's changes have not been taken by a turn. For tests.
  var hasPending: Bool { log.hasPending }
}

// MARK: - Requests

extension LiveEngine {
  func send(_ command: LiveCommand) {
    turns.send(command)
  }

  /// Replaces consumers by others that follow another query. All replacements of one turn of the main actor are sent
  /// together, before the next command.
  func replace(_ consumers: [LiveReplacement]) {
    guard !consumers.isEmpty, turns.commands.hold(consumers) else { return }
    Task { @MainActor [turns] in
      if turns.commands.sendHeld() { turns.wake(isUrgent: true) }
    }
  }

  /// The last commit through the store's writer.
  var lastCommit: Commit { Commit(number: log.lastCommit) }

  /// The latest fully processed commit.
  var processedCommit: Commit { turns.processedCommit }

  /// Delivers at once the values that are ready for the main actor.
  @MainActor
  func deliverNow() {
    turns.deliveries.deliver()
  }

  /// Waits until a consumer's query is current at a commit.
  func reached(_ commit: Commit, by consumer: LiveConsumerID) async throws {
    try await wait(for: commit.number, consumer)
  }

  /// Waits until all queries are current at the last commit of all writers, or have failed.
  ///
  /// - Parameter waitsForWork: Whether the background work of the queries must be done, too.
  func settled(work waitsForWork: Bool) async {
    // The writer also knows commits that GRDB reports to no observer: those of statements that failed after some rows,
    // and of other connections. A closed store commits nothing more.
    let last = try? await connection.writer.writeWithoutTransaction { [turns, log] db in
      guard db.sqliteConnection != nil, let capture = turns.capture.capture(db) else { return log.lastCommit }
      capture.look(db)
      return capture.name(db)
    }
    // Throws only when the task is cancelled.
    _ = try? await wait(for: last ?? log.lastCommit, nil, work: waitsForWork)
  }

  private func wait(for commit: UInt64, _ consumer: LiveConsumerID?, work waitsForWork: Bool = false) async throws {
    turns.commands.sendHeld()
    try await turns.waiters.wait(
      for: commit, consumer, work: waitsForWork, sentCount: turns.commands.sentCount,
      unreportedCount: log.unreportedCount
    ) { [turns] in
      turns.wake(isUrgent: true)
    }
  }

  /// Keeps all consumers at the commits up to now, until the hold ends.
  ///
  /// - Returns: The number of the hold.
  func hold() async -> UInt64 {
    let number = lastHold.add(1, ordering: .relaxed).newValue
    await settled(work: false)
    await withCheckedContinuation { continuation in
      send(.hold(number) { continuation.resume() })
    }
    return number
  }

  /// Explains how a query would be followed.
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

  /// The number of different followed queries, after all commands sent before. For tests.
  func followedQueryCount() async -> Int {
    await withCheckedContinuation { continuation in
      send(.countQueries { continuation.resume(returning: $0) })
    }
  }

  /// The value of a request, read once on the calling thread.
  func immediate<Published>(_ request: LiveRequest<Published>, window: Int) -> Published {
    // A query that is read once needs neither capture nor maintenance.
    let query = request.key.makeQuery(runAgain: RequeryReason("it is read once"))
    do {
      var published: Published?
      try turns.reader.withSnapshot { snapshot in
        try query.beginLoad(window: window)(snapshot.database)
        if case .failed(let error) = query.endLoad(window: window) { throw error }
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

  /// Checks for outside changes; true when there were any since the last check.
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
