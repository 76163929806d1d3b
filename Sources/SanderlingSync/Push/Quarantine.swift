import Foundation
import GRDB
import Sanderling

/// Mutations that a server refused for good, with the reason.
enum Quarantine {
  private static let insert = """
    INSERT INTO main.sanderling_sync_quarantine (name, record, key, direction, reason, payload, at) \
    VALUES (?1, ?2, ?3, 'push', ?4, ?5, ?6)
    """
  /// The index of the quarantine leads to the few rows of a key.
  static let delete = """
    DELETE FROM main.sanderling_sync_quarantine WHERE name = ?1 AND record = ?2 AND key = ?3 AND direction = 'push'
    """

  static func note(_ sending: Outbox.Sending, of name: String, _ reason: String, _ db: Database, at date: Date) throws {
    let mutation = sending.mutation
    let payload: StorageValue =
      switch mutation.content {
      case .insertion(let row), .update(let row): .text(ValueText.row(row))
      case .deletion: .null
      }
    try remove(mutation.key, of: mutation.record, name: name, db)
    try sending.record.synced.run(
      insert,
      [
        .text(name), .text(mutation.record), .text(ValueText.key(mutation.key)), .text(reason), payload,
        .real(date.timeIntervalSince1970),
      ], db)
  }

  static func remove(_ key: [StorageValue], of record: String, name: String, _ db: Database) throws {
    try db.forEachRow(of: delete) {
      try $0.bind([.text(name), .text(record), .text(ValueText.key(key))])
    } row: { _ in
    }
  }
}
