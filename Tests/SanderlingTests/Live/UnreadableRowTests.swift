import Foundation
import GRDB
import Testing

@testable import Sanderling

/// An unreadable row doesn't empty a list: the list shows the other rows, and names the unreadable one.
@MainActor
@Suite struct UnreadableRowTests {
  private typealias Job = Staged.Job
  private typealias Worker = Staged.Worker

  private let folder = TemporaryFolder()

  private func makeStore(_ count: Int) async throws -> Store {
    let store = try Store(
      path: folder.path("jobs.sqlite"), schema: Staged.schema, liveInterval: .zero,
      audit: .everyCommit { Issue.record("\($0)") })
    try await store.write { tx in
      for id in 1...2 { try tx.insert(Worker(id: id)) }
      for id in 1...count { try tx.insert(Job(id: id, workerID: 1 + id % 2, rank: 10 * id, title: "job \(id)")) }
    }
    return store
  }

  private func run(_ sql: RawSQL, _ store: Store) async throws {
    try await store.write { _ = try $0.execute(sql) }
    await store.settled()
  }

  /// Stores a stage in some jobs, as another version of the app would.
  private func setStage(_ stage: String, _ ids: Int..., in store: Store) async throws {
    for id in ids { try await run("UPDATE job SET stage = \(stage) WHERE id = \(id)", store) }
  }

  // MARK: Shown rows

  /// Unreadable rows are sorted again when an associated row changes, though their own values stay the same.
  @Test func unreadableRowsMoveWithAnAssociatedRow() async throws {
    let store = try await makeStore(3)
    let list = store.liveList(Job.order { ($0.worker.stage, $0.id) }, window: 10)
    _ = list.rows
    try await setStage("paused", 1, 2, in: store)
    #expect(list.unreadableRows.ids == [1, 2] && list.elements.map(\.id) == [3])
    try await run("UPDATE worker SET stage = 'done' WHERE id = 1", store)
    #expect(list.unreadableRows.ids == [2, 1] && list.state.isCurrent)
  }

  /// The other rows are shown and the unreadable row is named: in maintained lists, in rerun lists, and in handwritten
  /// SQL.
  @Test func readableRowsAreShownAndUnreadableRowsNamed() async throws {
    let store = try await makeStore(4)
    let query = Job.order { $0.rank }
    let lists = [
      store.liveList(query, window: 10), store.liveList(query.filter { .raw("\($0.rank) > 0") }, window: 10),
    ]
    let byHand = store.liveList(RawQuery("SELECT * FROM job ORDER BY rank", as: Job.self))
    let names = store.liveList(query.select { ($0.id, $0.stage) })
    for list in lists { _ = list.rows }
    _ = (byHand.rows, names.rows)
    await store.settled()
    try await setStage("paused", 2, in: store)
    for list in lists + [byHand] {
      #expect(list.elements.map(\.id) == [1, 3, 4])
      #expect(list.state.isCurrent && !list.hasMore)
      let row = try #require(list.unreadableRows.first)
      #expect(list.unreadableRows.count == 1)
      guard case StoreError.unreadableValue(let table, let column, let reason) = row.error else {
        Issue.record("\(row.error)")
        return
      }
      #expect(table == "job" && column == "stage")
      #expect(reason.contains("in the row with id 2") && !reason.contains("paused"))
    }
    for list in lists { #expect(list.unreadableRows.ids == [2] && list.unreadableRows[0].table == "job") }
    let row = try #require(lists[0].unreadableRows.first)
    #expect(
      row.description.hasPrefix("The row with the key 2 of table job can't be shown. A stored value in column stage"))
    #expect(!row.description.contains("paused"))
    // The identity of a row of handwritten SQL is unknown.
    #expect(byHand.unreadableRows[0].table == nil && byHand.unreadableRows[0].key.isEmpty)
    #expect(names.elements.map(\.0) == [1, 3, 4] && names.unreadableRows.ids == [2])
    // A fetch requests all rows, so that one unreadable row fails it.
    await #expect(throws: StoreError.self) { try await store.fetch(query) }
    await #expect(throws: StoreError.self) { try await store.fetch(Job.self, key: 2) }
  }

  @Test func jsonWithoutAMemberIsAnUnreadableRow() async throws {
    let store = try await makeStore(3)
    let list = store.liveList(Job.order { $0.rank })
    _ = list.rows
    await store.settled()
    try await run("UPDATE job SET place = '{\"town\":\"Oslo\"}' WHERE id = 3", store)
    #expect(list.elements.map(\.id) == [1, 2] && list.unreadableRows.ids == [3])
    #expect("\(list.unreadableRows)".contains("column place of table job"))
    try await run("UPDATE job SET place = '{\"city\":\"Bergen\"}' WHERE id = 3", store)
    #expect(list.elements.map(\.place.city) == ["Oslo", "Oslo", "Bergen"] && list.unreadableRows.isEmpty)
  }

  /// A list's first read finds unreadable rows, also when the main actor reads it at once.
  @Test(arguments: [LiveStart.whenObserved, .immediate]) func firstReadFindsUnreadableRows(start: LiveStart)
    async throws
  {
    let store = try await makeStore(5)
    try await setStage("paused", 1, 3, 5, in: store)
    let list = store.liveList(Job.order { $0.rank }, window: 4, start: start)
    if start == .whenObserved {
      _ = list.rows
      await store.settled()
    }
    #expect(list.elements.map(\.id) == [2, 4] && list.unreadableRows.ids == [1, 3])
    #expect(list.hasMore && list.state.isCurrent)
    await store.settled()
    #expect(list.elements.map(\.id) == [2, 4] && list.unreadableRows.ids == [1, 3])
  }

  // MARK: Windows

  /// A row at each position in the window and around it becomes unreadable and readable, moves, and is deleted. It
  /// keeps its position among the rows.
  @Test(arguments: 1...6) func aRowKeepsItsPlace(id: Int) async throws {
    let store = try await makeStore(9)
    let lists = [
      store.liveList(Job.order { $0.rank }, window: 4),
      store.liveList(Job.order { $0.rank }.limit(4), window: 10),
      store.liveList(Job.order { $0.rank }.limit(3, offset: 2), window: 10),
      store.liveList(Job.order { $0.rank }.filter { .raw("\($0.rank) > 0") }, window: 4),
    ]
    for list in lists { _ = list.rows }
    await store.settled()
    func expect(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
      for (index, list) in lists.enumerated() {
        let rows = try await Staged.rows(
          store, order: "rank", window: index == 2 ? 3 : 4, offset: index == 2 ? 2 : 0)
        #expect(
          list.elements.map(\.id) == rows.filter(\.isReadable).map(\.id), "list \(index)",
          sourceLocation: sourceLocation)
        #expect(
          list.unreadableRows.ids == rows.filter { !$0.isReadable }.map(\.id), "list \(index)",
          sourceLocation: sourceLocation)
        #expect(list.state.isCurrent, sourceLocation: sourceLocation)
      }
    }
    try await expect()
    try await setStage("paused", id, in: store)
    try await expect()
    // Rows before it are deleted and inserted.
    try await run("DELETE FROM job WHERE id = 1 AND id <> \(id)", store)
    try await expect()
    try await store.write { try $0.insert(Job(id: 20, rank: 5)) }
    await store.settled()
    try await expect()
    for rank in [1, 25, 45, 999, 10 * id] {
      try await run("UPDATE job SET rank = \(rank) WHERE id = \(id)", store)
      try await expect()
    }
    try await setStage("done", id, in: store)
    try await expect()
    try await setStage("paused", id, in: store)
    try await setStage("postponed", id, in: store)
    try await run("DELETE FROM job WHERE id = \(id)", store)
    try await expect()
  }

  @Test func windowGrowsOverUnreadableRows() async throws {
    let store = try await makeStore(60)
    try await run("UPDATE job SET stage = 'paused' WHERE id % 3 = 0", store)
    let list = store.liveList(Job.order { $0.rank.descending }, window: 2)
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.id) == [59] && list.unreadableRows.ids == [60] && list.hasMore)
    list.loadMore(40)
    await store.settled()
    let rows = try await Staged.rows(store, order: "rank DESC", window: 42)
    #expect(list.elements.map(\.id) == rows.filter(\.isReadable).map(\.id))
    #expect(list.unreadableRows.ids == rows.filter { !$0.isReadable }.map(\.id))
  }

  /// Lists equal a fresh SELECT after random rows become unreadable or readable, move, appear and disappear. Every
  /// difference leads to the new rows.
  @Test func listsEqualAFreshSelect() async throws {
    var generator = SeededGenerator()
    let seed = "SANDERLING_SEED=\(generator.seed)"
    print("Unreadable rows: \(seed)")
    let store = try await makeStore(12)
    typealias Watched = (list: LiveList<Job>, condition: String, order: String, window: Int, offset: Int)
    let byRank = Job.order { $0.rank }
    let watched: [Watched] = [
      (store.liveList(byRank, window: 4), "1", "rank, id", 4, 0),
      (store.liveList(byRank, window: 100), "1", "rank, id", 100, 0),
      (store.liveList(Job.order { $0.rank.descending }.limit(3), window: 9), "1", "rank DESC, id DESC", 3, 0),
      (store.liveList(byRank.limit(4, offset: 2), window: 9), "1", "rank, id", 4, 2),
      (store.liveList(Job.where { $0.workerID == 1 }.order { $0.stage }, window: 3), "workerID = 1", "stage, id", 3, 0),
      (store.liveList(byRank.filter { .raw("\($0.rank) >= 0") }, window: 5), "1", "rank, id", 5, 0),
    ]
    let count = store.liveCount(Job.query)
    _ = count.value
    for watched in watched { _ = watched.list.rows }
    await store.settled()
    var shown = watched.map { $0.list.rows }
    for step in 0..<150 {
      let id = Int.random(in: 1...16, using: &generator)
      let (rank, workerID) = (Int.random(in: 0...16, using: &generator) * 10, Int.random(in: 1...2, using: &generator))
      let stage = ["open", "done", "paused", "postponed"].randomElement(using: &generator) ?? "open"
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: try await run("DELETE FROM job WHERE id = \(id)", store)
      case 1:
        try await run(Staged.replacement(id, workerID: workerID, rank: rank, stage: stage), store)
      case 2: try await run("UPDATE job SET rank = \(rank) WHERE id = \(id)", store)
      case 3: try await run("UPDATE job SET rank = rank + 10, stage = \(stage) WHERE id < \(id)", store)
      default: try await run("UPDATE job SET stage = \(stage) WHERE id = \(id)", store)
      }
      for (index, watched) in watched.enumerated() {
        let rows = try await Staged.rows(
          store, where: watched.condition, order: watched.order, window: watched.window, offset: watched.offset)
        let new = watched.list.rows
        try #require(
          new.map(\.id) == rows.filter(\.isReadable).map(\.id), "list \(index) at step \(step), \(seed)")
        try #require(
          watched.list.unreadableRows.ids == rows.filter { !$0.isReadable }.map(\.id),
          "list \(index) at step \(step), \(seed)")
        var elements = shown[index].elements
        RowDifference(from: shown[index], to: new).apply(to: &elements) { new[$0] }
        try #require(elements == new.elements, "list \(index) at step \(step), \(seed)")
        shown[index] = new
      }
      let all = try await store.fetch(RawQuery("SELECT COUNT(*) FROM job", as: Int.self))
      #expect(count.value == all[0])
    }
  }

  /// A row that becomes unreadable is a removal, and a row that becomes readable an insertion. A changed error alone is
  /// no change.
  @Test func changesAreThoseOfReadableRows() async throws {
    let store = try await makeStore(3)
    var changes = store.changes(of: Job.order { $0.rank }).makeAsyncIterator()
    #expect(await changes.next()?.difference.count == 3)
    try await setStage("paused", 2, in: store)
    var change = try #require(await changes.next())
    #expect(Array(change.difference) == [.remove(at: 1)] && change.snapshot.unreadableRows.ids == [2])
    try await run("UPDATE job SET rank = 1 WHERE id = 2", store)
    try await setStage("open", 2, in: store)
    change = try #require(await changes.next())
    #expect(Array(change.difference) == [.insert(at: 0)] && change.snapshot.unreadableRows.isEmpty)
    try await setStage("paused", 2, in: store)
    _ = await changes.next()
    // No readable row changes. Only the error differs.
    try await run("UPDATE job SET stage = 'open', place = '[]' WHERE id = 2", store)
    change = try #require(await changes.next())
    #expect(change.difference.isEmpty && "\(change.snapshot.unreadableRows)".contains("column place"))
  }

  // MARK: Results of one row

  @Test func unreadableValueFailsUntilItIsCorrected() async throws {
    let store = try await makeStore(3)
    let first = store.liveValue(Job.order { $0.rank })
    let record = store.liveValue(Job.self, key: 1)
    let list = store.liveList(Job.order { $0.rank })
    let count = store.liveCount(Job.order { $0.rank })
    let total = store.liveValue(Job.select { $0.rank.sum() })
    _ = (first.value, record.value, list.rows, count.value, total.value)
    await store.settled()
    try await setStage("paused", 2, in: store)
    #expect(first.state.isCurrent && first.value?.id == 1)
    try await setStage("paused", 1, in: store)
    for value in [first, record] {
      #expect("\(value.state.error as Any)".contains("column stage of table job") && value.value?.id == 1)
      await #expect(throws: StoreError.self) { try await value.caughtUp() }
    }
    #expect(list.elements.map(\.id) == [3] && list.state.isCurrent)
    #expect(count.value == 3 && total.value == 60)
    let late = store.liveValue(Job.order { $0.rank }, start: .immediate)
    #expect(late.value == nil && late.state.error is StoreError)
    try await setStage("done", 1, in: store)
    for value in [first, record, late] { #expect(value.state.isCurrent && value.value?.stage == .done) }
  }

  // MARK: Other results

  /// A list has no element for a parent with an unreadable child: the element would be wrong.
  @Test func aRowWithAnUnreadableChildIsUnreadable() async throws {
    let store = try await makeStore(6)
    let list = store.liveList(Worker.order { $0.id }.with(Worker.jobs.prefetch { $0.order { $0.id } }))
    let jobs = store.liveList(Job.order { $0.id }.with(Job.worker.prefetch()))
    _ = (list.rows, jobs.rows)
    await store.settled()
    #expect(list.elements.map(\.1.count) == [3, 3])
    try await setStage("paused", 3, in: store)
    #expect(list.elements.map(\.0.id) == [1] && list.unreadableRows.ids == [2])
    let row = try #require(list.unreadableRows.first)
    #expect(row.table == "worker" && "\(row.error)".contains("column stage of table job"))
    #expect(jobs.elements.map(\.0.id) == [1, 2, 4, 5, 6] && jobs.unreadableRows.ids == [3])
    // Another child becomes unreadable, and the first readable again: the parent stays unreadable, and its error may
    // differ.
    try await setStage("paused", 1, in: store)
    try await setStage("open", 3, in: store)
    #expect(list.unreadableRows.ids == [2] && "\(list.unreadableRows)".contains("with id 1"))
    try await setStage("open", 1, in: store)
    #expect(list.elements.map(\.1.count) == [3, 3] && list.unreadableRows.isEmpty)
    try await run("UPDATE worker SET stage = 'away' WHERE id = 1", store)
    #expect(list.elements.map(\.0.id) == [2] && list.unreadableRows.ids == [1])
    #expect("\(list.unreadableRows)".contains("column stage of table worker"))
    #expect(jobs.elements.map(\.0.id) == [1, 3, 5] && jobs.unreadableRows.ids == [2, 4, 6])
  }

  @Test func sectionsNameUnreadableRowsAndSections() async throws {
    let store = try await makeStore(6)
    let list = store.liveSections(Job.order { $0.rank }.sectioned { $0.workerID })
    let byStage = store.liveSections(Job.order { $0.rank }.sectioned { $0.stage })
    _ = (list.sections, byStage.sections)
    try await setStage("paused", 4, in: store)
    try await list.caughtUp()
    #expect(list.sections.map { $0.rows.map(\.id) } == [[2, 6], [1, 3, 5]])
    #expect(list.sections.map(\.count) == [3, 3] && list.sections.map(\.unreadableRows.ids) == [[4], []])
    #expect(list.unreadableRows.ids == [4] && list.state.isCurrent)
    // A section whose own key is an unknown stage.
    #expect(byStage.sections.map(\.key) == [.open] && byStage.state.isCurrent)
    #expect(byStage.sections.unreadableSections.map(\.key) == [[.text("paused")]])
    #expect(
      byStage.unreadableRows[0].table == nil && "\(byStage.unreadableRows[0])".hasPrefix("The group can't be shown."))
    list.close(1)
    #expect(list.unreadableRows.isEmpty)
    list.open(1)
    try await setStage("done", 4, in: store)
    try await list.caughtUp()
    #expect(list.sections.map { $0.rows.map(\.id) } == [[2, 4, 6], [1, 3, 5]] && list.unreadableRows.isEmpty)
    try await byStage.caughtUp()
    #expect(byStage.sections.map(\.key) == [.done, .open] && byStage.unreadableRows.isEmpty)
  }

  @Test func searchFindsTheReadableRows() async throws {
    let store = try await makeStore(4)
    let search = store.searchSession(Job.order { $0.rank }, debounce: .zero) { $0.title }
    search.input = "jo"
    await search.settled()
    #expect(search.elements.count == 4)
    try await setStage("paused", 3, in: store)
    await search.settled()
    #expect(search.elements.map(\.id) == [1, 2, 4] && search.unreadableRows.ids == [3] && search.state.isCurrent)
    search.input = "job 3"
    await search.settled()
    #expect(search.elements.isEmpty && search.unreadableRows.ids == [3])
    #expect("\(search.unreadableRows)".contains("column stage of table job"))
    try await setStage("open", 3, in: store)
    await search.settled()
    #expect(search.elements.map(\.id) == [3] && search.unreadableRows.isEmpty)
  }

  @Test func undoRestoresAndRemovesUnreadableRows() async throws {
    let store = try await makeStore(3)
    let list = store.liveList(Job.order { $0.rank })
    _ = list.rows
    let written = try await store.writeUndoably { try $0.execute("UPDATE job SET stage = 'paused' WHERE id = 2") }
    try await list.caughtUp()
    #expect(list.elements.map(\.id) == [1, 3] && list.unreadableRows.ids == [2])
    let redo = try await store.undo(written.inverse)
    try await list.caughtUp()
    #expect(list.elements.map(\.id) == [1, 2, 3] && list.unreadableRows.isEmpty)
    try await store.undo(redo)
    try await list.caughtUp()
    #expect(list.elements.map(\.id) == [1, 3] && list.unreadableRows.ids == [2])
    let deleted = try await store.writeUndoably { _ = try $0.execute("DELETE FROM job WHERE id = 2") }
    try await list.caughtUp()
    #expect(list.unreadableRows.isEmpty)
    try await store.undo(deleted.inverse)
    try await list.caughtUp()
    #expect(list.unreadableRows.ids == [2])
  }

  /// An error that doesn't concern a row's values fails the list.
  @Test func otherErrorsFailTheList() async throws {
    let store = try await makeStore(3)
    let list = store.liveList(Job.order { $0.rank })
    _ = list.rows
    await store.settled()
    try await store.writer.write { try $0.execute(sql: "ALTER TABLE job RENAME TO away") }
    await store.settled()
    #expect(list.state.error != nil && list.elements.count == 3 && list.unreadableRows.isEmpty)
  }
}
