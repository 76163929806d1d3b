import Foundation
import Observation
import Sanderling
import Testing

@testable import SanderlingSync

/// The example of the guide *Synchronising, from login to logout* compiles and works.
@Suite(.timeLimit(.minutes(5))) struct SessionGuideTests {
  @Record("note") struct Note: Equatable {
    @PrimaryKey var id: String
    var title: String
  }

  @MainActor @Observable final class Account {
    private(set) var status: SyncStatus?
    /// The error that ended the last run; nil after a run without an error.
    private(set) var problem: String?
    private let store: Store
    private var session: SyncSession?
    private var run: Task<Void, Never>?

    init(_ store: Store) { self.store = store }

    func signIn(to url: URL, user: String, token: @escaping @Sendable (Bool) async throws -> String) async throws {
      let server = try HTTPConnection(url, authorization: .bearer(token))
      var notes = HTTPRecord(SyncedRecord(Note.self), path: "notes")
      notes.version = "version"
      notes.deletedFlag = "deleted"
      notes.writes = HTTPWrites()
      let adapter = HTTPAdapter(server, records: [notes], follows: .polling(every: .seconds(30)))
      let session = try await SyncSession(
        "notes of \(user)", store: store, records: adapter.syncedRecords, source: adapter, sink: adapter)
      self.session = session
      status = session.status
      start()
    }

    /// Follows the server until the run is cancelled or fails.
    func start() {
      guard let session, run == nil else { return }
      problem = nil
      run = Task {
        do {
          try await session.run()
        } catch is CancellationError {
        } catch {
          problem = error.localizedDescription
        }
        run = nil
      }
    }

    func stop() async {
      run?.cancel()
      await run?.value
    }

    /// Polls the server now, and not at the next interval of 30 seconds.
    func refresh() async {
      guard let session, run != nil else { return start() }
      do {
        try await session.refresh()
        problem = nil
      } catch is CancellationError {
      } catch {
        problem = error.localizedDescription
      }
    }

    func signOut() async throws {
      await stop()
      (session, status, problem) = (nil, nil, nil)
      try await store.erase()
    }
  }

  /// Waits until a note with a title is stored. The suite's time limit ends an endless wait.
  private func arrives(_ title: String, at store: Store) async throws {
    while try await !store.fetch(Note.query).contains(where: { $0.title == title }) {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @MainActor @Test func theExampleWorks() async throws {
    let title = Lock("first")
    let server = try ScriptedServer { _, request in
      let user = request.headers["authorization"] ?? ""
      if request.method == "PUT" { return .json("{\"version\":2}", status: 201) }
      return .json("[{\"id\":\"a\",\"title\":\"\(title.withLock { $0 }) of \(user)\",\"version\":1}]")
    }
    let store = try Store(inMemory: [Note.self])
    let account = Account(store)
    try await account.signIn(to: server.url, user: "ann") { _ in "ann" }
    try await arrives("first of Bearer ann", at: store)
    // `refresh()` brings the new title without waiting for the next poll.
    title.withLock { $0 = "second" }
    await account.refresh()
    #expect(try await store.fetch(Note.query).map(\.title) == ["second of Bearer ann"])
    #expect(account.status != nil && account.problem == nil)
    try await account.signOut()
    #expect(try await store.fetch(Note.query).isEmpty)
    try await account.signIn(to: server.url, user: "bob") { _ in "bob" }
    try await arrives("second of Bearer bob", at: store)
    try await store.write { try $0.insert(Note(id: "b", title: "offline")) }
    while server.requests.last(where: { $0.method == "PUT" })?.path != "/notes/b" {
      try await Task.sleep(for: .milliseconds(5))
    }
    try await account.signOut()
  }

  /// The app shows the problem of a failed run, and the next start continues the synchronisation.
  @MainActor @Test func aProblemIsShown() async throws {
    let isReady = Lock(false)
    let server = try ScriptedServer { _, _ in
      isReady.withLock { $0 } ? .json("[{\"id\":\"a\",\"title\":\"t\",\"version\":1}]") : .json("{}", status: 418)
    }
    let store = try Store(inMemory: [Note.self])
    let account = Account(store)
    try await account.signIn(to: server.url, user: "ann") { _ in "ann" }
    while account.problem == nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(account.problem?.contains("418") == true)
    isReady.withLock { $0 = true }
    account.start()
    try await arrives("t", at: store)
    await account.stop()
    #expect(account.problem == nil)
  }
}
