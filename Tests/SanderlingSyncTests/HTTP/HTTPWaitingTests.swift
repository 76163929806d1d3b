import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// Each wait of a pending change has a readable reason, and an end.
@Suite struct HTTPWaitingTests {
  private typealias Answer = ScriptedServer.Answer

  private func session(
    _ server: ScriptedServer, _ store: Store, _ change: (inout HTTPRecord) -> Void = { _ in }
  ) async throws -> SyncSession {
    let records = [SyncedRecord(Folder.self), SyncedRecord(Note.self)].map { synced in
      var record = HTTPRecord(synced, path: synced.name)
      record.version = "v"
      record.deletedFlag = "gone"
      record.since = HTTPSince(.field("at", .unique), parameter: "after")
      record.writes = HTTPWrites()
      change(&record)
      return record
    }
    var options = HTTPOptions()
    options.clock = LeapingClock()
    let adapter = HTTPAdapter(try HTTPConnection(server.url, options: options), records: records)
    var syncOptions = SyncOptions()
    syncOptions.backoff = PushBackoff(first: .milliseconds(1), greatest: .milliseconds(2), attempts: 2)
    return try await SyncSession(
      "t", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter, options: syncOptions)
  }

  /// A server that lists at most one folder, and answers to writes as the test says.
  private func server(
    row: String?, _ write: @escaping @Sendable (ScriptedServer.Request) -> Answer
  ) throws -> ScriptedServer {
    try ScriptedServer { _, request in
      if request.method != "GET" || request.path.hasPrefix("/folder/") { return write(request) }
      return .json(request.path == "/folder" && !request.query.contains("after") ? "[\(row ?? "")]" : "[]")
    }
  }

  private func folderChange(_ store: Store) async throws -> PendingChange? {
    try await store.pendingChange(of: Folder.self, key: 1)
  }

  /// Runs the session until the folder's change is refused. Returns the reason of the refusal.
  private func reasonOfRefusal(_ session: SyncSession, _ store: Store) async throws -> String? {
    for _ in 0..<3 where try await session.quarantine().isEmpty { try await session.run() }
    let reason = try await session.quarantine().first?.reason
    let change = try await folderChange(store)
    #expect(change?.state == .refused && change?.reason == reason && reason != nil)
    return reason
  }

  /// A change of a row without a version is refused, and not in conflict for ever.
  @Test func changeOfARowWithoutAVersionIsRefused() async throws {
    let rows = "{\"id\":1,\"name\":\"f\",\"at\":1},{\"id\":2,\"name\":\"g\",\"at\":2,\"v\":\"a\"}"
    let server = try server(row: rows) { _ in .json("{\"v\":\"b\"}") }
    let store = try Store.synced()
    let session = try await session(server, store)
    try await session.run()
    try await store.write { _ = try $0.update(Folder.query, .set(\.name, to: "mine")) }
    let reason = try await reasonOfRefusal(session, store)
    #expect(reason?.contains("without a version in the field v") == true)
    #expect(server.requests.filter { $0.method == "PATCH" }.map(\.path) == ["/folder/2"])
  }

  /// A change is refused if the server keeps a deleted record of its key, and neither lists nor shows it.
  @Test func insertionIsRefusedIfTheServerHidesATombstone() async throws {
    let server = try server(row: nil) { request in
      request.method == "GET" ? .json("{}", status: 404) : .json("{\"message\":\"it exists\"}", status: 412)
    }
    let store = try Store.synced()
    let session = try await session(server, store)
    try await store.write { try $0.insert(Folder(id: 1, name: "again")) }
    let reason = try await reasonOfRefusal(session, store)
    #expect(reason?.hasPrefix("the server answered 412: it exists") == true)
  }

  /// A change is refused if its record vanished from the server without a deletion.
  @Test func changeOfAVanishedRecordIsRefused() async throws {
    let row = "{\"id\":1,\"name\":\"f\",\"at\":1,\"v\":\"a\"}"
    let server = try server(row: row) { _ in .json("{}", status: 404) }
    let store = try Store.synced()
    let session = try await session(server, store) { $0.writes?.update = .init("PUT", precondition: .ifMatch) }
    try await session.run()
    try await store.write { _ = try $0.update(Folder.query, .set(\.name, to: "mine")) }
    let reason = try await reasonOfRefusal(session, store)
    #expect(reason?.hasPrefix("the server answered 404") == true)
  }

  /// A change that is retried after a refusal gets as many attempts as the first time.
  @Test func aRetriedConflictIsSentAgain() async throws {
    let isMended = Lock(false)
    let row = "{\"id\":1,\"name\":\"f\",\"at\":1,\"v\":\"a\"}"
    let server = try server(row: row) { _ in
      isMended.withLock { $0 } ? .json("{\"v\":\"b\"}") : .json("", status: 409)
    }
    let store = try Store.synced()
    let session = try await session(server, store)
    try await session.run()
    try await store.write { _ = try $0.update(Folder.query, .set(\.name, to: "mine")) }
    for _ in 0..<2 {
      _ = try await reasonOfRefusal(session, store)
      let quarantined = try #require(try await session.quarantine().first)
      #expect(try await session.retry(quarantined.id))
    }
    isMended.withLock { $0 = true }
    #expect(try await session.run().sent?.acknowledged == 1)
    #expect(try await folderChange(store) == nil)
  }

  /// A change of a row that other clients change each time has the server's reason for the conflict.
  @Test func aConflictHasAReason() async throws {
    let version = Lock(1)
    let server = try ScriptedServer { _, request in
      if request.method != "GET" { return .json("{\"message\":\"changed\"}", status: 412) }
      guard request.path == "/folder" else { return .json("[]") }
      let (number, isLast) = version.withLock { version in
        let isLast = request.query.contains("after=\(version)")
        if !isLast { version += 1 }
        return (version, isLast)
      }
      if isLast { version.withLock { $0 += 1 } }
      return .json(isLast ? "[]" : "[{\"id\":1,\"name\":\"f\(number)\",\"at\":\(number),\"v\":\(number)}]")
    }
    let store = try Store.synced()
    let session = try await session(server, store) {
      $0.pages = .afterLastRow(size: 10)
      $0.deletedFlag = nil
    }
    try await session.run()
    try await store.write { _ = try $0.update(Folder.query, .set(\.name, to: "mine")) }
    let sent = try #require(try await session.run().sent)
    #expect(sent.refused == 0 && sent.left == 1 && sent.conflict == "the server answered 412: changed", "\(sent)")
    let change = try await folderChange(store)
    #expect(change?.state == .unsent && change?.reason == "the server answered 412: changed")
  }

  /// A status about the form of a request refuses the change. Its declaration is wrong, and no token or wait helps.
  @Test(arguments: [406, 415, 417, 426, 428]) func statusAboutTheRequestFormRefusesTheChange(status: Int) async throws {
    let server = try server(row: nil) { _ in .json("{\"message\":\"no\"}", status: status) }
    let store = try Store.synced()
    let session = try await session(server, store)
    try await store.write { try $0.insert(Folder(id: 1, name: "f")) }
    let reason = try await reasonOfRefusal(session, store)
    #expect(reason == "the server answered \(status): no. Check the declaration of its writes (HTTPWrites)")
    #expect(server.requests.count { $0.method == "PUT" } == 3)
  }

  /// A status that a payment or another setting of the client can end does not quarantine a change; the change waits.
  @Test(arguments: [402, 407, 431]) func changeWaitsWhileAPaymentOrSettingIsMissing(status: Int) async throws {
    let isMended = Lock(false)
    let server = try server(row: nil) { _ in
      isMended.withLock { $0 } ? .json("{\"v\":\"b\"}") : .json("{\"message\":\"pay\"}", status: status)
    }
    let store = try Store.synced()
    let session = try await session(server, store)
    try await store.write { try $0.insert(Folder(id: 1, name: "f")) }
    for _ in 0..<4 {
      let sent = try #require(try await session.run().sent)
      #expect(sent.left == 1 && sent.failure?.hasPrefix("the server answered \(status): pay. The cause is") == true)
      #expect(try await folderChange(store)?.reason == sent.failure)
    }
    isMended.withLock { $0 = true }
    #expect(try await session.run().sent?.acknowledged == 1)
  }

  /// Changes of rows that refer to a refused row are counted in each run, with the refused row as the reason.
  @Test func aChildOfARefusedRowIsCounted() async throws {
    let isMended = Lock(false)
    let server = try server(row: nil) { request in
      isMended.withLock { $0 } || request.path != "/folder/1"
        ? .json("{\"v\":\"b\"}") : .json("{\"message\":\"too long\"}", status: 422)
    }
    let store = try Store.synced()
    let session = try await session(server, store)
    try await store.write { tx in
      try tx.insert(Folder(id: 1, name: "long"))
      try tx.insert(Folder(id: 2, name: "child", parentID: 1))
      try tx.insert(Note(id: "a", folderID: 2, title: "grandchild", rank: 0))
      try tx.insert(Folder(id: 3, name: "other"))
    }
    for number in 0..<2 {
      let sent = try #require(try await session.run().sent)
      #expect(sent.waiting == 2 && sent.refused == (number == 0 ? 1 : 0), "\(sent)")
    }
    let child = try await store.pendingChange(of: Folder.self, key: 2)
    #expect(child?.state == .unsent)
    #expect(child?.reason == "it refers to a row of folder that the server refused: the server answered 422: too long")
    isMended.withLock { $0 = true }
    #expect(try await session.retry(try #require(try await session.quarantine().first).id))
    let sent = try #require(try await session.run().sent)
    #expect(sent.waiting == 0 && sent.acknowledged == 3, "\(sent)")
  }
}
