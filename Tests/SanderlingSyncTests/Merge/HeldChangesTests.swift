import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Changes that are pulled while a change is being sent whose record has its own merge.
@Suite struct HeldChangesTests {
  @Record("counters") struct Counter {
    @PrimaryKey var id: String
    var count: Int
  }

  private let record = SyncedRecord(Counter.self, conflicts: .merge.merging(\Counter.Fields.count, .counter))
  private func outbox(isAppliedOnce: Bool) -> Outbox {
    Outbox(name: "test", records: [record], isAppliedOnce: isAppliedOnce)
  }

  /// A store whose counter `a` is 5 at the server, and was raised to 7 here, which is being sent.
  private func withStore(_ body: @Sendable (Database, Outbox, Outbox.Sending) throws -> Void) async throws {
    let store = try Store(inMemory: [Counter.self])
    try await store.write { (tx) throws in
      let db = tx.database
      try OutboxSchema.install([record], on: db)
      try SyncControl.applying(db) {
        try db.execute(sql: "INSERT INTO counters VALUES ('a', 5)")
        try record.synced.setVersion("1", of: [.text("a")], db)
      }
      try db.execute(sql: "UPDATE counters SET count = count + 2")
      let outbox = outbox(isAppliedOnce: true)
      try body(db, outbox, outbox.take(limit: 1, db)[0])
    }
  }

  private func pull(_ count: Int64, version: String?, _ db: Database) throws {
    let change = SyncChange(
      "counters", key: [.text("a")], .row(["count": .integer(count)]), version: version)
    #expect(try Outbox.merge(change, of: record, in: db))
    // No value is shown before its meaning is known.
    #expect(try self.count(db) >= 7)
  }

  private func count(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count FROM counters") ?? 0 }

  /// Others have raised what the server has of this device, whose answer was lost.
  @Test func whatTheServerTookIsCountedOnce() async throws {
    try await withStore { db, outbox, sending in
      try pull(8, version: "3", db)
      try pull(9, version: "4", db)
      _ = try outbox.settle(sending, .acknowledged(version: "2"), db)
      #expect(try count(db) == 9)
      #expect(try record.synced.version([.text("a")], db) == "4")
      #expect(try Outbox(name: "test", records: [record]).isEmpty(db))
    }
  }

  /// A store whose counter `a` was made with 2 and pulled as gone while that was sent, taken by the server when it was
  /// sent again, and raised here since.
  private func withTakenRow(_ body: @Sendable (Database, Outbox, Outbox.Sending) throws -> Void) async throws {
    let store = try Store(inMemory: [Counter.self])
    try await store.write { (tx) throws in
      let db = tx.database
      try OutboxSchema.install([record], on: db)
      let outbox = outbox(isAppliedOnce: true)
      try db.execute(sql: "INSERT INTO counters VALUES ('a', 2)")
      let sending = try outbox.take(limit: 1, db)[0]
      #expect(try Outbox.merge(SyncChange("counters", key: [.text("a")], .deletion), of: record, in: db))
      // Its answer was lost.
      #expect(try outbox.takeAgain(limit: 1, except: [], db).count == 1)
      #expect(try outbox.settle(sending, .acknowledged(version: "1"), db) == .conflict)
      try db.execute(sql: "UPDATE counters SET count = count + 1")
      try body(db, outbox, sending)
    }
  }

  /// Others have changed it since, so that it doesn't come as it was sent.
  @Test func aNewRowThatTheServerTookIsCountedOnce() async throws {
    try await withTakenRow { db, outbox, _ in
      let row = SyncChange("counters", key: [.text("a")], .row(["count": .integer(5)]), version: "3")
      #expect(try Outbox.merge(row, of: record, in: db))
      // 2 of here and 3 of others, and one more of here.
      #expect(try count(db) == 6)
      let mutation = try #require(try outbox.take(limit: 10, db).first?.mutation)
      #expect(mutation.content == .update(["count": .integer(6)]) && mutation.baseVersion == "3")
    }
  }

  /// A source that began anew had read its rows before the server took the new one. Sent again before it is pulled, it would be in conflict
  /// with itself, and counted twice.
  @Test func aNewRowThatTheServerMayHaveWaitsForThePull() async throws {
    try await withTakenRow { db, outbox, sending in
      var held: Set<Int64> = []
      #expect(try outbox.take(limit: 10, except: &held, at: .beforePull, db).isEmpty)
      #expect(held == [sending.entry])
      let row = SyncChange("counters", key: [.text("a")], .row(["count": .integer(2)]), version: "1")
      #expect(try Outbox.merge(row, of: record, in: db))
      #expect(try count(db) == 3)
      let mutation = try #require(try outbox.take(limit: 10, db).first?.mutation)
      #expect(mutation.content == .update(["count": .integer(3)]) && mutation.baseVersion == "1")
    }
  }

  @Test func whatWasCountedSinceIsAdded() async throws {
    try await withStore { db, outbox, sending in
      try db.execute(sql: "UPDATE counters SET count = count + 10")
      try pull(8, version: "3", db)
      _ = try outbox.settle(sending, .acknowledged(version: "2"), db)
      #expect(try count(db) == 18)
      let next = try outbox.take(limit: 1, db)
      #expect(next.map(\.mutation.content) == [.update(["count": .integer(18)])])
      #expect(next.map(\.mutation.baseVersion) == ["3"])
    }
  }

  @Test func whatTheServerDidNotTakeIsAdded() async throws {
    try await withStore { db, outbox, sending in
      try pull(8, version: "3", db)
      _ = try outbox.settle(sending, .conflict, db)
      #expect(try count(db) == 10)
      let next = try outbox.take(limit: 1, db)
      #expect(next.map(\.mutation.content) == [.update(["count": .integer(10)])])
      #expect(next.map(\.mutation.baseVersion) == ["3"])
    }
  }

  @Test func whatTheServerRefusedIsAdded() async throws {
    try await withStore { db, outbox, sending in
      try pull(8, version: "3", db)
      _ = try outbox.settle(sending, .refused("no"), db)
      #expect(try count(db) == 10)
      #expect(try outbox.take(limit: 1, db).isEmpty)
    }
  }

  /// It goes, as others said.
  @Test func aDeletionCameAfterWhatTheServerTook() async throws {
    try await withStore { db, outbox, sending in
      let deletion = SyncChange("counters", key: [.text("a")], .deletion, version: "3")
      #expect(try Outbox.merge(deletion, of: record, in: db))
      _ = try outbox.settle(sending, .acknowledged(version: "2"), db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM counters") == 0)
      #expect(try Outbox(name: "test", records: [record]).isEmpty(db))
    }
  }

  /// The order of the two changes is unknown: the local row stays and is sent once more.
  @Test func aServerWithoutVersionsIsToldAgain() async throws {
    try await withStore { db, outbox, sending in
      try pull(7, version: nil, db)
      _ = try outbox.settle(sending, .acknowledged(version: nil), db)
      #expect(try self.count(db) >= 7)
      #expect(try outbox.take(limit: 1, db).count == 1)
    }
  }
}
