import GRDB
import Sanderling

@testable import SanderlingSync

/// The mutations that were sent.
final class NotedMutations: Sendable {
  /// Guards the mutations.
  private let mutations = Lock<[Mutation]>([])

  var all: [Mutation] { mutations.withLock { $0 } }

  func note(_ more: [Mutation]) { mutations.withLock { $0 += more } }
}

extension Outbox {
  /// Merges a statement of the source, as the pull of a synchronisation of one record does.
  static func merge(
    _ change: SyncChange, of record: SyncedRecord, in db: Database, _ pulling: OutboxPulling = .byPolicy
  ) throws -> Bool {
    try Outbox(name: "test", records: [record]).merge(change, of: record, in: db, pulling)
  }

  /// The next mutations to send, if none has to wait for a pull.
  func take(limit: Int, at moment: PushMoment = .afterPull, _ db: Database) throws -> [Sending] {
    var held: Set<Int64> = []
    return try take(limit: limit, except: &held, at: moment, db)
  }
}
