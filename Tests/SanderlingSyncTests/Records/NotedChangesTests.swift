import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// The outbox notes each write of random statements: its entries lead from the server's rows to the device's rows.
@Suite struct NotedChangesTests {
  @Test func everyWriteIsNotedByTheOutbox() throws {
    var generator = SeededGenerator()
    print("Noted changes: SANDERLING_SEED=\(generator.seed)")
    for round in 0..<20 {
      let queue = try DatabaseQueue()
      try queue.write { try Garden.make($0) }
      try queue.writeWithoutTransaction { db in
        if generator.chance(0.3) { try db.execute(sql: "PRAGMA recursive_triggers = ON") }
        if generator.chance(0.3) { try db.execute(sql: "PRAGMA foreign_keys = OFF") }
        var image = ServerImage()
        var log: [String] = []
        for step in 0..<80 {
          try run(&generator, db, &log)
          if generator.chance(0.1) {
            // The outbox's triggers note nothing while a pull writes.
            let before = try noted(db)
            try SyncControl.applying(db) { try run(&generator, db, &log) }
            try #require(try noted(db) == before)
            for record in Garden.records { try follow(record, &image, db) }
          }
          if generator.chance(0.1) {
            let outbox = Outbox(name: "test", records: Garden.records)
            try db.inTransaction {
              for sending in try outbox.take(limit: 1000, db) {
                let isSound = image.apply(sending.mutation, sending.record.synced)
                try #require(isSound, "SANDERLING_SEED=\(generator.seed), \(sending.mutation)")
                _ = try outbox.settle(sending, .acknowledged(version: nil), db)
              }
              return .commit
            }
            for record in Garden.records {
              try #require(try ServerImage.rows(record.synced, db) == image.tables[record.synced.name] ?? [:])
              try #require(try ServerImage.entries(record, db).isEmpty)
            }
          }
          let comment: Comment =
            "SANDERLING_SEED=\(generator.seed), round \(round), step \(step), \(log.suffix(3).joined(separator: "; "))"
          try image.expectKnown(Garden.records, db, comment)
        }
      }
    }
  }

  /// Runs random statements in a savepoint, which is sometimes rolled back.
  private func run(_ generator: inout SeededGenerator, _ db: Database, _ log: inout [String]) throws {
    let isUndone = generator.chance(0.15)
    let statements = (0..<generator.element([1, 1, 2, 4])).map { _ in RandomStatement.make(&generator) }
    log += statements.map { isUndone ? "(\($0))" : $0 }
    try db.inSavepoint {
      for statement in statements {
        do {
          try db.execute(sql: statement)
        } catch let error as DatabaseError
          where error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_MISMATCH
        {
        }
      }
      return isUndone ? .rollback : .commit
    }
  }

  private func noted(_ db: Database) throws -> [Int] {
    try Garden.records.map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0.synced.changes)") ?? 0 }
  }

  /// Updates the model of the server to the pulled rows. Rows with pending changes were not pulled.
  private func follow(_ record: SyncedRecord, _ image: inout ServerImage, _ db: Database) throws {
    let table = record.synced
    let rows = try ServerImage.rows(table, db)
    let keys = Set(try ServerImage.entries(record, db).map(\.key))
    for key in Set(rows.keys).union(image.tables[table.name]?.keys.map { $0 } ?? []) where !keys.contains(key) {
      image.tables[table.name, default: [:]][key] = rows[key]
    }
  }
}
