import GRDB
import Sanderling

@testable import SanderlingSync

/// A record of the mutations that were sent.
final class NotedMutations: Sendable {
  /// Guards the sent mutations, which sinks add from several tasks.
  private let mutations = Lock<[Mutation]>([])

  var all: [Mutation] { mutations.withLock { $0 } }

  func note(_ more: [Mutation]) { mutations.withLock { $0 += more } }
}

extension Outbox {
  /// Merges a change from the source as a pull does, in a synchronisation of one record.
  static func merge(
    _ change: SyncChange, of record: SyncedRecord, in db: Database, _ pulling: OutboxPulling = .byPolicy
  ) throws -> Bool {
    try Outbox(name: "test", records: [record]).merge(change, of: record, in: db, pulling)
  }

  /// Returns the next mutations to send, and ignores the entries that must wait for a pull.
  func take(limit: Int, at moment: PushMoment = .afterPull, _ db: Database) throws -> [Sending] {
    var held: Set<Int64> = []
    return try take(limit: limit, except: &held, at: moment, db)
  }
}
