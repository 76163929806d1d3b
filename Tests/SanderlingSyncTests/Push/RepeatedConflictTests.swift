import Sanderling
import Testing

@testable import SanderlingSync

/// After a change is in conflict for the third time, the session compares all rows. If the run fails before that, the
/// next run compares them.
@Suite struct RepeatedConflictTests {
  /// A server that answers each mutation with a conflict until the client has requested all rows of the server again.
  private final class Server: SyncSource, SyncSink {
    private struct State {
      /// The cursors of the requests to the source. A request for all rows has no cursor.
      var cursors: [String?] = []
      var conflicts = 0
      var taken = 0
      /// The number of conflicts after which the connection breaks once.
      var failsAfter: Int?
    }

    private let state = AwaitedState(State())
    private let goesOn: Bool
    let knowsNumbers = true

    init(goesOn: Bool) { self.goesOn = goesOn }

    var cursors: [String?] { state.current.cursors }
    var conflicts: Int { state.current.conflicts }
    var taken: Int { state.current.taken }

    func failOnce(after conflicts: Int) { state.update { $0.failsAfter = conflicts } }
    func isTaken() async { await state.wait { $0.taken > 0 } }

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      let (isFirst, isAway) = state.update { state in
        state.cursors.append(cursor)
        let isAway = state.failsAfter == state.conflicts
        if isAway { state.failsAfter = nil }
        return (state.cursors.count == 1, isAway)
      }
      let given = AwaitedState(0)
      return AsyncThrowingStream {
        if isAway { throw BatchSource.Failure() }
        let number = given.update { count in
          count += 1
          return count
        }
        if number == 1 {
          let all = [SyncChange.folder(1, "Inbox"), .note("a", in: 1, isFirst ? "One" : "Theirs")]
          return SyncBatch(cursor == nil ? all : [], cursor: "1", isCheckpoint: true)
        }
        if !self.goesOn || Task.isCancelled || self.taken > 0 { return nil }
        await Task.yield()
        return Task.isCancelled ? nil : SyncBatch([], cursor: "1", isCheckpoint: true)
      }
    }

    func send(_ mutations: [Mutation]) -> [MutationOutcome] {
      state.update { state in
        if state.cursors.filter({ $0 == nil }).count > 1 {
          state.taken += mutations.count
          return mutations.map { _ in .acknowledged(version: "2") }
        }
        state.conflicts += 1
        return mutations.map { _ in .conflict }
      }
    }
  }

  private let store: Store

  init() throws { store = try Store.synced() }

  private func rename() async throws {
    let count = try await store.write { try $0.update(Note.where { $0.id == "a" }, .set(\.title, to: "mine")) }
    try #require(count == 1)
  }

  @Test func brokenConnectionKeepsTheRequestedComparison() async throws {
    let server = Server(goesOn: false)
    let session = try await SyncSession("test", store: store, records: syncedRecords, source: server, sink: server)
    try await session.run()
    try await rename()
    server.failOnce(after: 3)
    await #expect(throws: BatchSource.Failure.self) { try await session.run() }
    #expect(server.conflicts == 3)
    #expect(server.cursors == [nil, "1", "1", nil])
    try await session.run()
    #expect(server.cursors.count > 4 && server.cursors[4] == nil)
    #expect(server.taken == 1)
    #expect(try await store.count(Store.countPendingChanges(of: syncedRecords)) == 0)
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 0)
  }

  /// If a source gives batches without an end, the session requests all rows in the same run as the conflicts.
  @Test func continuingSourceIsAskedForAllRowsAfterConflicts() async throws {
    let server = Server(goesOn: true)
    let session = try await SyncSession("test", store: store, records: syncedRecords, source: server, sink: server)
    let run = Task { try await session.run() }
    while try await store.count("SELECT count(*) FROM note") == 0 { await Task.yield() }
    try await rename()
    await server.isTaken()
    _ = try await run.value
    #expect(server.cursors == [nil, nil])
    #expect(server.conflicts >= 3)
    #expect(try await store.count(Store.countPendingChanges(of: syncedRecords)) == 0)
  }
}
