import Sanderling

@testable import SanderlingSync

/// A server whose source gives the test's batches, and whose answers are the test's.
final class ExchangeServer: LookingSource, SyncSink {
  struct Cut: Error {}

  private struct State {
    var batches: [SyncBatch] = []
    var isOver = false
    /// Whether the source is asked for a batch that the test hasn't given yet.
    var isAsked = false
    /// The number of times that the source was asked to poll.
    var lookCount = 0
    /// The number of the last poll whose end the test gave.
    var lastLook = 0
    var sent: [Mutation] = []
    /// Whether answers are held back.
    var holdsAnswers = false
    /// Answers a mutation; nil cuts the connection.
    var answer: @Sendable (Mutation) -> MutationOutcome? = { _ in .acknowledged() }
    var onSend: @Sendable () async throws -> Void = {}
  }

  private let state = AwaitedState(State())
  let knowsNumbers: Bool
  let batchLimit: Int
  let failedLooks = AwaitedState(FailedLooks())

  init(knowsNumbers: Bool = true, batchLimit: Int = .max) {
    (self.knowsNumbers, self.batchLimit) = (knowsNumbers, batchLimit)
  }

  /// The mutations that arrived, whether they were answered or the connection was cut.
  var sent: [Mutation] { state.current.sent }

  func give(_ batch: SyncBatch) {
    state.update { state in
      state.isAsked = false
      state.batches.append(batch)
    }
  }

  /// Gives the changes of a poll, and the poll's end.
  func give(_ changes: SyncChange...) {
    if !changes.isEmpty { give(SyncBatch(changes)) }
    var end = SyncBatch([], isCheckpoint: true)
    end.endOfLook = state.update { state in
      state.lastLook += 1
      return state.lastLook
    }
    give(end)
  }

  /// Ends the source's sequence of batches.
  func end() { state.update { $0.isOver = true } }

  func answer(_ answer: @escaping @Sendable (Mutation) -> MutationOutcome?) { state.update { $0.answer = answer } }

  func onSend(_ work: @escaping @Sendable () async throws -> Void) { state.update { $0.onSend = work } }

  func holdAnswers(_ holds: Bool) { state.update { $0.holdsAnswers = holds } }

  /// Makes a poll fail, as if the server could not be reached.
  func failLook(_ error: any Error) { failedLooks.update { ($0.count, $0.error) = ($0.count + 1, error) } }

  /// Waits until the source is asked for a batch that the test hasn't given yet. Earlier batches are applied or being
  /// applied.
  func isAsked() async { await state.wait { $0.isAsked } }

  func isSent(_ count: Int) async { await state.wait { $0.sent.count >= count } }

  func isToLook(_ count: Int) async { await state.wait { $0.lookCount >= count } }

  func lookNow() -> Int? {
    state.update { state in
      state.lookCount += 1
      return state.lastLook
    }
  }

  private func next() async -> SyncBatch? {
    state.update { $0.isAsked = $0.batches.isEmpty }
    await state.wait { !$0.batches.isEmpty || $0.isOver }
    return state.update { state in
      state.isAsked = false
      return state.batches.isEmpty ? nil : state.batches.removeFirst()
    }
  }

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    AsyncThrowingStream { await self.next() }
  }

  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    try await state.current.onSend()
    var outcomes: [MutationOutcome] = []
    for mutation in mutations where !outcomes.contains(where: \.isFailed) {
      let answer = state.update { state in
        state.sent.append(mutation)
        return state.answer
      }
      guard let outcome = answer(mutation) else { throw Cut() }
      outcomes.append(outcome)
    }
    await state.wait { !$0.holdsAnswers }
    return outcomes
  }
}

extension Store {
  /// Waits until the first value of a statement's result equals `count`.
  func waits(until count: Int, _ sql: String) async throws {
    while try await self.count(sql) != count { await Task.yield() }
  }
}
