import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Outbox entries in the database: they are read as they were written, and triggers change them as the transition
/// function does.
@Suite struct StoredEntryTests {
  private let record = SampleEntries.policy.record

  private func withEntry(_ entry: OutboxEntry?, _ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, x INTEGER, y INTEGER)")
      try OutboxSchema.install([record], on: db)
      // The next numbers must be higher than the entry's number.
      for _ in 0..<10 { _ = try SyncControl.nextNumber(db) }
      let row = entry == nil ? SampleEntries.mine : entry?.row
      try SyncControl.applying(db) { try record.synced.write(row, replacing: nil, key: SampleEntries.key, db) }
      try record.store(entry, replacing: nil, db)
      try body(db)
    }
  }

  @Test func storedEntriesReadBackUnchanged() throws {
    for (name, entry) in SampleEntries.entries {
      try withEntry(entry) { db in
        let stored = try record.entry(SampleEntries.key, db)
        #expect(stored == entry, "\(name)")
      }
    }
  }

  /// Each transition is stored with all of its values.
  @Test func allTransitionsAreStored() throws {
    for (name, entry) in SampleEntries.entries {
      for (event, value) in SampleEntries.events {
        let after = try OutboxEntry.transition(entry, value, SampleEntries.policy).entry
        try withEntry(entry) { db in
          try record.store(after, replacing: entry, db)
          var stored = try record.entry(SampleEntries.key, db)
          // The row is read from the record's table, and is not stored in the entry.
          stored?.row = after?.row
          #expect(stored == after, "\(name), \(event)")
        }
      }
    }
  }

  @Test func triggersAgreeWithTheTransitionFunction() throws {
    let statements = [
      "UPDATE notes SET x = 3", "UPDATE notes SET x = x", "DELETE FROM notes",
      "INSERT OR REPLACE INTO notes VALUES ('a', 5, 6)",
      "INSERT INTO notes VALUES ('a', 7, 8) ON CONFLICT DO UPDATE SET x = excluded.x, y = excluded.y",
      "DELETE FROM notes; INSERT INTO notes VALUES ('a', 1, 1)",
    ]
    for (name, entry) in SampleEntries.entries {
      for sql in statements {
        try withEntry(entry) { db in
          let before = try record.synced.row(SampleEntries.key, db)
          let noted = try SyncControl.lastSequence(db)
          try db.execute(sql: sql)
          let after = try record.synced.row(SampleEntries.key, db)
          // A statement that changes no row is no edit.
          let isEdit = before != nil || after != nil
          let edit = OutboxEvent.edited(from: before, to: after, number: 11)
          let expected = isEdit ? try OutboxEntry.transition(entry, edit, SampleEntries.policy).entry : entry
          let stored = try record.entry(SampleEntries.key, db)
          #expect(stored == expected, "\(name): \(sql)")
          // A push looks for new changes if the last number is higher than before.
          let isNews = expected?.state != entry?.state
          let isNoted = try SyncControl.lastSequence(db) > noted
          #expect(isNoted == isNews, "\(name): \(sql)")
        }
      }
    }
  }
}
