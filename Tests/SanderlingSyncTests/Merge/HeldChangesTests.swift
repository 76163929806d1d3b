import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Changes that are pulled while a pending change is being sent, for a record with its own merge (a counter).
@Suite struct HeldChangesTests {
  @Record("counters") struct Counter {
    @PrimaryKey var id: String
    var count: Int
  }

  private let record = SyncedRecord(Counter.self, conflicts: .merge.merging(\Counter.Fields.count, .counter))
  private func outbox(isAppliedOnce: Bool) -> Outbox {
    Outbox(name: "test", records: [record], isAppliedOnce: isAppliedOnce)
  }

  /// Makes a store whose counter `a` is 5 at the server, and was raised to 7 on this device. The change is being sent.
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
    // The shown count never falls before the meaning of the pulled value is known.
    #expect(try self.count(db) >= 7)
  }

  private func count(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count FROM counters") ?? 0 }

  /// An acknowledged change of a counter is counted once if another client raised the counter before the answer
  /// arrived.
  @Test func acknowledgedEditsAreCountedOnce() async throws {
    try await withStore { db, outbox, sending in
      try pull(8, version: "3", db)
      try pull(9, version: "4", db)
      _ = try outbox.settle(sending, .acknowledged(version: "2"), db)
      #expect(try count(db) == 9)
      #expect(try record.synced.version([.text("a")], db) == "4")
      #expect(try Outbox(name: "test", records: [record]).isEmpty(db))
    }
  }

  /// Makes a store whose counter `a` was inserted with 2, and pulled as deleted while the insertion was being sent. The
  /// insertion was sent again and acknowledged. Then the counter was raised to 3 on this device.
  private func withTakenRow(_ body: @Sendable (Database, Outbox, Outbox.Sending) throws -> Void) async throws {
    let store = try Store(inMemory: [Counter.self])
    try await store.write { (tx) throws in
      let db = tx.database
      try OutboxSchema.install([record], on: db)
      let outbox = outbox(isAppliedOnce: true)
      try db.execute(sql: "INSERT INTO counters VALUES ('a', 2)")
      let sending = try outbox.take(limit: 1, db)[0]
      #expect(try Outbox.merge(SyncChange("counters", key: [.text("a")], .deletion), of: record, in: db))
      // The first answer was lost.
      #expect(try outbox.takeAgain(limit: 1, except: [], db).count == 1)
      #expect(try outbox.settle(sending, .acknowledged(version: "1"), db) == .conflict)
      try db.execute(sql: "UPDATE counters SET count = count + 1")
      try body(db, outbox, sending)
    }
  }

  /// An inserted counter that the server acknowledged is counted once, although another client has changed it since.
  @Test func acknowledgedInsertionIsCountedOnce() async throws {
    try await withTakenRow { db, outbox, _ in
      let row = SyncChange("counters", key: [.text("a")], .row(["count": .integer(5)]), version: "3")
      #expect(try Outbox.merge(row, of: record, in: db))
      // 2 from this device's insertion, 3 from another client, and 1 from this device since.
      #expect(try count(db) == 6)
      let mutation = try #require(try outbox.take(limit: 10, db).first?.mutation)
      #expect(mutation.content == .update(["count": .integer(6)]) && mutation.baseVersion == "3")
    }
  }

  /// A new row that the server may have stays unsent until the next pull. The source's rows may be older than the
  /// insertion. If the insertion were sent again before the pull, it would conflict with itself, and be counted twice.
  @Test func insertionThatTheServerMayHaveWaitsForThePull() async throws {
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

  @Test func laterEditsAreAddedToThePulledCount() async throws {
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

  @Test func conflictingEditsAreAddedToThePulledCount() async throws {
    try await withStore { db, outbox, sending in
      try pull(8, version: "3", db)
      _ = try outbox.settle(sending, .conflict, db)
      #expect(try count(db) == 10)
      let next = try outbox.take(limit: 1, db)
      #expect(next.map(\.mutation.content) == [.update(["count": .integer(10)])])
      #expect(next.map(\.mutation.baseVersion) == ["3"])
    }
  }

  @Test func refusedEditsAreAddedToThePulledCount() async throws {
    try await withStore { db, outbox, sending in
      try pull(8, version: "3", db)
      _ = try outbox.settle(sending, .refused("no"), db)
      #expect(try count(db) == 10)
      #expect(try outbox.take(limit: 1, db).isEmpty)
    }
  }

  /// A counter is deleted if the deletion at the server is newer than the acknowledged change.
  @Test func newerDeletionRemovesAnAcknowledgedCounter() async throws {
    try await withStore { db, outbox, sending in
      let deletion = SyncChange("counters", key: [.text("a")], .deletion, version: "3")
      #expect(try Outbox.merge(deletion, of: record, in: db))
      _ = try outbox.settle(sending, .acknowledged(version: "2"), db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM counters") == 0)
      #expect(try Outbox(name: "test", records: [record]).isEmpty(db))
    }
  }

  /// Without versions the order of the sent and the pulled change is unknown: the local row stays and is sent once
  /// more.
  @Test func withoutVersionsThePendingRowIsSentAgain() async throws {
    try await withStore { db, outbox, sending in
      try pull(7, version: nil, db)
      _ = try outbox.settle(sending, .acknowledged(version: nil), db)
      #expect(try self.count(db) >= 7)
      #expect(try outbox.take(limit: 1, db).count == 1)
    }
  }
}
