import Foundation
import GRDB
import Sanderling

/// Values in the log of conflicts and in the quarantine, in the form of commit 689b670 and earlier ones. A real is
/// `{"real": "1.5"}`, a blob is `{"blob": "00ff"}`, and the values of a refused mutation have no kind.
enum FormerValues {
  /// Converts the values of a record, and of the synchronisation that sends its changes, to the form of ``StoredJSON``.
  /// Those of other records are converted when they are opened. O(rows).
  ///
  /// - Parameter record: A record whose table of changes had the form of that commit.
  static func convert(_ record: SyncedRecord, _ db: Database) throws {
    let conflicts = "SELECT id, key, kind, lost FROM main.sanderling_sync_conflicts WHERE record = ?"
    for row in try Row.fetchAll(db, sql: conflicts, arguments: [record.name]) {
      let (id, key, kind): (Int64, String, String) = (row[0], row[1], row[2])
      try db.execute(
        sql: "UPDATE main.sanderling_sync_conflicts SET key = ?2 WHERE id = ?1",
        arguments: [id, StoredJSON.text(try self.key(key))])
      guard kind == "row", let lost = row[3] as String? else { continue }
      try db.execute(
        sql: "UPDATE main.sanderling_sync_conflicts SET lost = ?2 WHERE id = ?1",
        arguments: [id, StoredJSON.text(try self.row(lost))])
    }
    let sent = """
      SELECT id, record, key, payload FROM main.sanderling_sync_quarantine WHERE direction = 'push' AND record = ? \
      AND name IN (SELECT session FROM main.sanderling_sync_outboxes WHERE name = ?)
      """
    for row in try Row.fetchAll(db, sql: sent, arguments: [record.name, record.table.name]) {
      let (id, payload): (Int64, String?) = (row[0], row[3])
      let change = SyncChange(
        row[1], key: try key(row[2]), try payload.map { .row(try self.row($0)) } ?? .deletion)
      try db.execute(
        sql: "UPDATE main.sanderling_sync_quarantine SET key = ?2, payload = ?3 WHERE id = ?1",
        arguments: [id, StoredJSON.text(change.key), change.payload])
    }
  }

  private static func key(_ text: String) throws -> [StorageValue] {
    var reader = JSONReader(text)
    return try reader.array().map(value)
  }

  private static func row(_ text: String) throws -> [String: StorageValue] {
    var reader = JSONReader(text)
    return try reader.object().mapValues(value)
  }

  private static func value(_ value: ForeignValue) throws -> StorageValue {
    guard case .json(let text) = value else { return value.plain }
    var reader = JSONReader(text)
    let parts = try reader.object()
    if case .text(let real)? = parts["real"], let number = Double(real) { return .real(number) }
    guard case .text(let hex)? = parts["blob"], let bytes = hex.utf8.decodedHexadecimal else {
      throw JSONSyntaxError(reason: "a stored value is neither a real nor a blob", offset: 0)
    }
    return .blob(Data(bytes))
  }
}
