import Sanderling
import SanderlingTesting
import Testing

struct LiveRecorderTests {
  let store: Store

  init() throws {
    store = try Store.seeded(schema, seed)
  }

  private func add(_ id: Int, _ title: String) async throws {
    try await store.write("add task") { try $0.insert(TodoTask(id: id, projectID: 1, title: title)) }
  }

  @Test func givesSnapshotsInOrder() async throws {
    let recorder = LiveRecorder(of: store.snapshots(of: TodoTask.order { $0.title }), in: store)
    #expect(try await recorder.next().elements.map(\.title) == ["dig", "mow", "sow"])
    try await add(14, "eat")
    #expect(try await recorder.next().elements.map(\.title) == ["dig", "eat", "mow", "sow"])
    try await store.write("clear") { tx in try tx.delete(TodoTask.where { $0.isCompleted }) }
    #expect(try await recorder.next().elements.map(\.title) == ["dig", "eat", "sow"])
    #expect(recorder.values.map(\.rows.count) == [3, 4, 3])
  }

  @Test func givesChangesThatLeadFromOneToTheNext() async throws {
    let recorder = LiveRecorder(of: store.changes(of: TodoTask.order { $0.title }), in: store)
    #expect(try await recorder.next().difference.elementsEqual([.insert(at: 0), .insert(at: 1), .insert(at: 2)]))
    try await store.write("rename") { tx in
      try tx.update(TodoTask.where { $0.id == 11 }, .set(\.title, to: "rest"))
      try tx.insert(TodoTask(id: 14, projectID: 1, title: "zip"))
    }
    let change = try await recorder.next()
    #expect(change.difference.elementsEqual([.move(from: 0, to: 1), .insert(at: 3), .update(at: 1)]))
    var titles = ["dig", "mow", "sow"]
    change.difference.apply(to: &titles) { change.snapshot.rows[$0].title }
    #expect(titles == ["mow", "rest", "sow", "zip"])
  }

  @Test func givesReadings() async throws {
    let recorder = LiveRecorder(of: store.counts(of: TodoTask.where { !$0.isCompleted }), in: store)
    #expect(try await recorder.next().value == 2)
    try await add(14, "eat")
    let reading = try await recorder.next()
    #expect(reading.value == 3)
    #expect(reading.commit == store.lastCommit)
  }

  @Test func throwsIfNoValueCame() async throws {
    let recorder = LiveRecorder(of: store.counts(of: TodoTask.where { $0.isCompleted }), in: store)
    #expect(try await recorder.next().value == 1)
    try await add(14, "eat")
    await #expect(throws: LiveRecorderError.nothingCame(recorded: 1)) { try await recorder.next() }
    try await store.write("complete all") { try $0.update(TodoTask.query, .set(\.isCompleted, to: true)) }
    #expect(try await recorder.next().value == 4)
  }

  @Test func errorForNoValueNamesTheRemedy() {
    #expect(
      LiveRecorderError.nothingCame(recorded: 1).description == """
        No value came after 1 recorded value, although all commits so far are delivered. Await a write that changes the result \
        before next(); use first(where:) for a write that can't be awaited.
        """)
  }

  @Test func givesTheRestTogether() async throws {
    let recorder = LiveRecorder(of: store.counts(of: TodoTask.query), in: store)
    #expect(await recorder.rest().map(\.value) == [3])
    #expect(await recorder.rest().isEmpty)
    for id in 21...24 {
      try await add(id, "task \(id)")
      await store.settled()
    }
    #expect(await recorder.rest().map(\.value) == [4, 5, 6, 7])
  }

  @Test(.timeLimit(.minutes(10))) func waitsForWritesOfOtherTasks() async throws {
    let recorder = LiveRecorder(of: store.counts(of: TodoTask.query), in: store)
    let writer = Task { for id in 21...29 { try await add(id, "task \(id)") } }
    #expect(try await recorder.first { $0.value == 12 }.value == 12)
    try await writer.value
    #expect(await recorder.rest().isEmpty)
  }

  @Test(.timeLimit(.minutes(10))) func cancellationEndsWaiting() async throws {
    let recorder = LiveRecorder(of: store.counts(of: TodoTask.query), in: store)
    let waiter = Task { try await recorder.first { $0.value == 99 } }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test func aSequenceThatEndsSaysSo() async throws {
    let recorder = LiveRecorder(of: FiniteSequence(), in: store)
    #expect(await recorder.rest() == [1, 2])
    await #expect(throws: LiveRecorderError.ended(recorded: 2)) { try await recorder.first { $0 == 3 } }
  }

  @Test func recordsASuspendedList() async throws {
    let list = await store.liveList(TodoTask.order { $0.title })
    let recorder = LiveRecorder(of: list.snapshots, in: store)
    #expect(try await recorder.next().state.isCurrent)
    await list.suspend()
    let suspended = try await recorder.next()
    guard case .suspended = suspended.state else { Issue.record("the state is \(suspended.state)"); return }
    try await add(14, "eat")
    await #expect(throws: LiveRecorderError.self) { try await recorder.next() }
    await list.resume()
    #expect(try await recorder.next().rows.count == 4)
  }

  @Test @MainActor func recordsTextsMadeFromLiveResults() async throws {
    let list = store.liveList(TodoTask.where { !$0.isCompleted }.order { $0.title })
    let count = store.liveCount(TodoTask.query)
    let recorder = LiveRecorder(in: store) {
      "\(count.value ?? 0): " + list.elements.map(\.title).joined(separator: " ")
    }
    #expect(recorder.values == ["0: "])
    #expect(await recorder.rest().last == "3: dig sow")
    try await add(14, "eat")
    // One commit changes both results, which are delivered in one turn of the main actor.
    #expect(try await recorder.next() == "4: dig eat sow")
    await #expect(throws: LiveRecorderError.self) { try await recorder.next() }
  }

  @Test @MainActor func lettingGoEndsTheWork() async throws {
    final class Model {}
    var model: Model? = Model()
    weak let weakModel = model
    var recorder: LiveRecorder? = LiveRecorder(in: store) { [model] in model == nil }
    #expect(recorder?.values == [false])
    model = nil
    #expect(weakModel != nil)
    recorder = nil
    #expect(weakModel == nil)
  }
}

private struct FiniteSequence: AsyncSequence, Sendable {
  struct AsyncIterator: AsyncIteratorProtocol {
    var last = 0

    mutating func next() async -> Int? {
      last += 1
      return last < 3 ? last : nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
