import Sanderling

@testable import SanderlingSync

/// A server in memory as the source and the sink of a session.
struct MemoryServerConnection: SyncSource, SyncSink {
  let server: MemoryServer
  /// Whether each change arrives in its own batch.
  var isSlow = false

  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    AsyncThrowingStream { continuation in
      Task {
        let (changes, next) = await server.changes(after: cursor.flatMap { Int($0) } ?? 0)
        if isSlow { for change in changes { continuation.yield(SyncBatch([change])) } }
        continuation.yield(SyncBatch(isSlow ? [] : changes, cursor: "\(next)"))
        continuation.finish()
      }
    }
  }

  func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
    var outcomes: [MutationOutcome] = []
    for mutation in mutations { outcomes.append(await server.take(mutation)) }
    return outcomes
  }
}
