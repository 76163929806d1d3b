import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// `SyncSession.refresh()`, for *pull to refresh*, returns when the rows that the server had at that time are stored.
@Suite(.timeLimit(.minutes(5))) struct RefreshTests {
  struct Away: Error, Equatable {}

  private let store: Store
  private let server = ExchangeServer()

  init() throws { store = try Store.synced() }

  private func session() async throws -> SyncSession {
    try await SyncSession("test", store: store, records: syncedRecords, source: server, sink: server)
  }

  private func folders() async throws -> Int { try await store.count("SELECT count(*) FROM folder") }

  @Test func refreshMakesAFollowingRunPollAtOnce() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    server.give(.folder(1, "one"))
    try await store.waits(until: 1, "SELECT count(*) FROM folder")
    await server.isAsked()
    let refresh = Task {
      try await session.refresh()
      return try await folders()
    }
    await server.isToLook(1)
    // A batch doesn't end the poll.
    server.give(SyncBatch([.folder(2, "two")]))
    server.give(.folder(3, "three"))
    #expect(try await refresh.value == 3)
    server.end()
    _ = try await run.value
  }

  /// Without a running run, a refresh is a run of its own, which ends although the source would continue.
  @Test func refreshWithoutARunIsARunItself() async throws {
    let session = try await session()
    server.give(.folder(1, "one"))
    try await session.refresh()
    #expect(try await folders() == 1)
    try await store.write { try $0.insert(Folder(id: 2, name: "mine")) }
    server.give()
    try await session.refresh()
    #expect(server.sent.count == 1)
  }

  @Test func failedPollThrowsFromRefreshAndTheRunContinues() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    server.give(.folder(1, "one"))
    try await store.waits(until: 1, "SELECT count(*) FROM folder")
    await server.isAsked()
    let refresh = Task { try await session.refresh() }
    await server.isToLook(1)
    server.failLook(Away())
    await #expect(throws: Away()) { try await refresh.value }
    server.give(.folder(2, "two"))
    server.end()
    _ = try await run.value
    #expect(try await folders() == 2)
  }

  @Test func refreshEndsWithItsRunOrItsCancellation() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    server.give(.folder(1, "one"))
    try await store.waits(until: 1, "SELECT count(*) FROM folder")
    await server.isAsked()
    let cancelled = Task { try await session.refresh() }
    await server.isToLook(1)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let refresh = Task { try await session.refresh() }
    await server.isToLook(2)
    session.cancel()
    server.end()
    await #expect(throws: CancellationError.self) { try await refresh.value }
    await #expect(throws: CancellationError.self) { try await run.value }
  }

  /// A refresh of a custom source, which can't be asked to poll, waits for the running run and then repeats it.
  @Test func refreshWaitsForARunOfACustomSourceAndRepeatsIt() async throws {
    let gate = AwaitedState(false)
    var source = BatchSource([SyncBatch([.folder(1, "one")])])
    source.onBatch = { _ in await gate.wait { $0 } }
    let session = try await SyncSession("test", store: store, records: syncedRecords, source: source)
    let run = Task { try await session.run() }
    for await progress in session.progress where progress.phase != .idle { break }
    let refresh = Task { try await session.refresh() }
    gate.update { $0 = true }
    try await refresh.value
    #expect(try await run.value.counts.written == 1)
    #expect(try await folders() == 1)
  }

  /// A refresh through HTTP receives the server's present rows. A poll that is under way is followed by a new poll.
  @Test(arguments: [true, false]) func refreshReceivesTheServersPresentRows(follows: Bool) async throws {
    let count = Lock(1)
    let server = try ScriptedServer { _, _ in
      let rows = (1...count.withLock { $0 }).map { "{\"id\":\($0),\"name\":\"f\",\"parentID\":null}" }
      return .json("[\(rows.joined(separator: ","))]")
    }
    let record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    let adapter = HTTPAdapter(
      try HTTPConnection(server.url), records: [record], follows: .polling(every: .seconds(100_000)))
    let session = try await SyncSession("test", store: store, records: adapter.syncedRecords, source: adapter)
    let run = follows ? Task { try await session.run() } : nil
    if follows { try await store.waits(until: 1, "SELECT count(*) FROM folder") }
    for number in 2...5 {
      count.withLock { $0 = number }
      try await session.refresh()
      #expect(try await folders() == number)
    }
    session.cancel()
    guard let run else { return }
    await #expect(throws: CancellationError.self) { try await run.value }
  }

  /// A poll that failed after an event is repeated without another event.
  @Test func failedPollIsRepeatedWithoutAnEvent() async throws {
    let looks = Lock(0)
    let server = try ScriptedServer { _, request in
      if request.path == "/events" {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
        return ScriptedServer.Answer(parts: [head, Array(": silence\n\n".utf8)], pause: .seconds(1), times: 100_000)
      }
      let number = looks.withLock {
        $0 += 1
        return $0
      }
      // The second poll, which the new connection of the event stream causes, fails.
      return number == 2 ? .json("{}", status: 503) : .json("[{\"id\":\(number),\"name\":\"f\",\"parentID\":null}]")
    }
    var options = HTTPOptions()
    options.clock = LeapingClock()
    options.backoff = PushBackoff(attempts: 1)
    let record = HTTPRecord(SyncedRecord(Folder.self), path: "folders")
    let adapter = HTTPAdapter(
      try HTTPConnection(server.url, options: options), records: [record],
      follows: .events(HTTPEvents(path: "events")))
    var given = 0
    for try await batch in adapter.batches(after: nil) {
      given += batch.changes.count
      if given == 2 { break }
    }
    #expect(looks.withLock { $0 } == 3)
  }
}
