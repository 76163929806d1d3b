import Dispatch
import GRDB
import Testing

@testable import Sanderling

/// Small commits are processed on the writer's queue once it is free. These tests don't wait for a commit, since
/// waiting would process it.
@MainActor
@Suite struct LiveWriterQueueTests {
  @Record
  struct Item: Hashable {
    var id: Int64
    var n: Int
  }

  private let folder = TemporaryFolder()

  /// More lists change than are processed on the writer's queue. The other lists follow without a request.
  @Test(.timeLimit(.minutes(10))) func remainingListsFollowWithoutARequest() async throws {
    let store = try Store(path: folder.path("look.sqlite"), schema: [Item.self], liveInterval: .zero)
    let lists = (0..<10).map { number in store.liveList(Item.where { $0.n >= number }.order { $0.id }) }
    for list in lists { _ = list.rows }
    await store.settled()
    try await store.write("add") { try $0.insert(Item(id: 1, n: 100)) }
    for list in lists {
      while list.elements.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  /// The app's own long transaction begins between a commit and its processing. The list still shows the commit
  /// meanwhile.
  @Test(.timeLimit(.minutes(10))) func longTransactionDoesNotDelayAnEarlierCommit() async throws {
    let store = try Store(path: folder.path("long.sqlite"), schema: [Item.self], liveInterval: .zero)
    let writer = store.writer
    let list = store.liveList(Item.order { $0.id })
    _ = list.rows
    await store.settled()
    let gate = DispatchSemaphore(value: 0)
    let isOver = Flag()
    try await store.write("add") { tx in
      try tx.insert(Item(id: 1, n: 1))
      writer.asyncWrite { db in
        try db.execute(sql: "INSERT INTO item VALUES (2, 2)")
        _ = gate.wait(timeout: .now() + 20)
      } completion: { _, _ in
        isOver.set()
      }
    }
    while list.elements.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    #expect(list.elements.map(\.id) == [1])
    #expect(!isOver.value)
    gate.signal()
    while list.rows.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
  }
}
