import Sanderling

/// Rows that a complete listing doesn't name, among the rows of their table when the listing began.
///
/// An empty or truncated listing, or one of other rows, looks like a listing after most rows were deleted. So a
/// comparison that would remove too many rows removes none. Exception: ``SyncOptions/allowsMassDeletion``.
struct UnnamedRows: Sendable {
  /// The number of rows that the listing doesn't name.
  let unnamed: Int
  /// The number of rows in the table when the listing began.
  let former: Int

  /// A table with at least this many rows must not lose more than half of them.
  private static let halved = 20

  /// Whether the unnamed rows are all rows of the table, or more than half of a table with 20 rows or more.
  ///
  /// Rows that arrived during the listing don't count as former rows, because their loss can't be a mass deletion.
  var isMassDeletion: Bool {
    guard unnamed > 0, former > 0 else { return false }
    return unnamed >= former || former >= Self.halved && unnamed > former - unnamed
  }
}

/// The limit of removals by a comparison with a complete listing. The rule is ``UnnamedRows/isMassDeletion``.
extension Puller {
  /// The number of rows of each table that a listing can remove. O(rows).
  func removableRowCounts() async throws -> [Int] {
    try await store.read { tx in
      let hasLocalChanges = try outbox.map { try !$0.isEmpty(tx.database) } ?? false
      return try tables.all.map { try tx.count($0.countRemovable(areUnseen: false, hasLocalChanges: hasLocalChanges)) }
    }
  }

  /// Stores the number of rows of each table before the first row of a listing is applied.
  ///
  /// A refused or interrupted listing may have added rows. The former number stays if it is smaller, so that the same
  /// listing is refused again. Exception: 0 is replaced by the present number. Otherwise the listing after an
  /// interrupted first one could remove all rows.
  func note(_ counts: [Int], _ tx: WriteTransaction) throws {
    for (table, count) in zip(tables.all, counts) {
      try tx.run(SyncState.noteRowCount, [.text(name), .text(table.table.name), .integer(Int64(count))])
    }
  }

  /// Checks whether too many unnamed rows would be removed, before any is. O(rows).
  ///
  /// The next run requests all rows from the source: the record of named rows is cleared here.
  ///
  /// - Throws: ``SyncError/massDeletion(table:unnamed:of:)``.
  func requireFewUnseen() async throws {
    if options.allowsMassDeletion { return }
    let refused: (table: String, rows: UnnamedRows)? = try await store.read { tx in
      let hasLocalChanges = try outbox.map { try !$0.isEmpty(tx.database) } ?? false
      for table in tables.all {
        let unnamed = try tx.count(table.countRemovable(areUnseen: true, hasLocalChanges: hasLocalChanges))
        if unnamed == 0 { continue }
        var former: Int?
        try tx.run(SyncState.readRowCount, [.text(name), .text(table.table.name)]) {
          former = Int(try $0.integer(at: 0, for: Int64.self))
        }
        // A comparison that an earlier version of the library began has no such number.
        let count = try former ?? tx.count(table.countRemovable(areUnseen: false, hasLocalChanges: hasLocalChanges))
        let rows = UnnamedRows(unnamed: unnamed, former: count)
        if rows.isMassDeletion { return (table.table.name, rows) }
      }
      return nil
    }
    guard let (table, rows) = refused else { return }
    try await endRefusedComparison()
    throw SyncError.massDeletion(table: table, unnamed: rows.unnamed, of: rows.former)
  }
}

extension SyncTable {
  /// Counts the rows that a restarted source can remove, or only the rows among them that it didn't name.
  ///
  /// Locally inserted rows unknown to the server don't count: no listing names them, and none removes them.
  func countRemovable(areUnseen: Bool, hasLocalChanges: Bool) -> String {
    var conditions: [String] = []
    if areUnseen { conditions.append("NOT EXISTS (SELECT 1 FROM main.\(seen) AS seen WHERE \(isOf("seen")))") }
    if hasLocalChanges {
      let entries = "main.\(record.synced.changes) AS entry WHERE \(isOf("entry")) AND entry.existed = 0"
      conditions.append("NOT EXISTS (SELECT 1 FROM \(entries))")
    }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    return "SELECT count(*) FROM main.\(name) AS present\(condition)"
  }

  private func isOf(_ other: String) -> String {
    zip(keyAliases, keyNames).map { "\(other).\($0) = present.\($1.quotedIdentifier)" }.joined(separator: " AND ")
  }
}
