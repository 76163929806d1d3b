import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A model of the server's rows after mutations and other clients' edits.
struct ServerImage {
  typealias Rows = [[StorageValue]: [StorageValue]]

  var tables: [String: Rows] = [:]
  /// The keys of rows for which the device knows that its base is no longer the server's row.
  var stale: Set<[StorageValue]> = []

  static func rows(_ table: SyncedTable, _ db: Database) throws -> Rows {
    var rows: Rows = [:]
    try db.forEachRow(of: "SELECT \(table.columns.quotedIdentifiers) FROM \(table.quotedName)") { _ in
    } row: { result in
      let row = table.columns.indices.map { result.storageValue(at: Int32($0)) }
      rows[table.key.map { row[$0] }] = row
    }
    return rows
  }

  static func entries(_ record: SyncedRecord, _ db: Database) throws -> [OutboxEntry] {
    let sequences = try Int64.fetchAll(db, sql: "SELECT sequence FROM \(record.synced.changes)")
    return try sequences.flatMap { try record.entries(record.synced.selectEntry, [.integer($0)], db) }
  }

  /// Applies a mutation. Returns whether it was valid: an insertion of a missing row, or a change of an existing row.
  mutating func apply(_ mutation: Mutation, _ table: SyncedTable) -> Bool {
    let present = tables[table.name]?[mutation.key]
    switch mutation.content {
    case .insertion(let values):
      tables[table.name, default: [:]][mutation.key] = table.columns.map { values[$0] ?? .null }
      return present == nil
    case .update(let values):
      guard let present else { return false }
      tables[table.name, default: [:]][mutation.key] = zip(table.columns, present).map { values[$0] ?? $1 }
      return !values.isEmpty
    case .deletion:
      tables[table.name]?[mutation.key] = nil
      return present != nil
    }
  }

  /// Checks that the device's entries lead from this image to the rows of the device's tables.
  func expectKnown(_ records: [SyncedRecord], _ db: Database, _ comment: Comment) throws {
    for record in records {
      let table = record.synced
      let image = tables[table.name] ?? [:]
      let rows = try Self.rows(table, db)
      let entries = Dictionary(grouping: try Self.entries(record, db), by: \.key)
      for key in Set(image.keys).union(rows.keys).union(entries.keys) {
        let id = [.text(table.name)] + key
        guard let known = entries[key] else {
          try #require(image[key] == rows[key], "\(comment): \(table.name) \(key) was not noted")
          continue
        }
        try #require(known.count == 1, comment)
        let first = known[0]
        try #require(first.row == rows[key], comment)
        if !stale.contains(id) {
          try #require(first.base == image[key], "\(comment): \(table.name) \(key) has another base")
        }
      }
    }
  }
}
