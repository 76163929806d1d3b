import GRDB

/// All writes in a device's database, by any author, for finding out why a check failed.
///
/// Triggers record them, so that writes that a transaction rolled back are left out.
enum DeviceTrace {
  /// The columns of the synchronisation's own tables that show its progress.
  private static let watched = [
    ("sanderling_sync_state", ["cursor", "restarting"]),
    ("sanderling_sync_stages", ["cursor", "last", "restarts", "complete"]),
    ("sanderling_sync_parked", ["record", "key", "payload"]),
    ("sanderling_sync_quarantine", ["record", "key", "reason"]),
  ]

  /// Creates the table and the missing triggers. Columns that are added to a record later are not recorded.
  static func create(_ db: Database) throws {
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS trace (id INTEGER PRIMARY KEY, at INTEGER, source TEXT, event TEXT, row TEXT)")
    for (table, columns) in DeviceRecords.columns.map({ ($0.0, $0.1.filter { $0 != "mark" }) }) + watched {
      for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
        let isChange = columns.map { "OLD.\"\($0)\" IS NOT NEW.\"\($0)\"" }.joined(separator: " OR ")
        let values = columns.map { "\(row).\"\($0)\"" }.joined(separator: ", ")
        try db.execute(
          sql: """
            CREATE TRIGGER IF NOT EXISTS trace_\(table)_\(event) AFTER \(event) ON \(table) \(event == "UPDATE" ? "WHEN \(isChange)" : "") BEGIN
              INSERT INTO trace (at, source, event, row)
              VALUES ((julianday('now') - 2440587.5) * 86400000, '\(table)', '\(event)', json_array(\(values)));
            END
            """)
      }
    }
  }
}
