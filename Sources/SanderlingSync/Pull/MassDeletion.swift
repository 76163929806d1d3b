import Sanderling

/// Rows that a complete listing doesn't name, among the rows that their table had when the listing began.
///
/// A listing that is empty, cut off or of other rows looks like a listing after nearly everything was deleted. So a
/// comparison that would remove too much removes nothing, unless ``SyncOptions/allowsMassDeletion`` says that it may.
struct UnnamedRows: Sendable {
  /// How many rows the listing doesn't name.
  let unnamed: Int
  /// How many rows the table had when the listing began.
  let former: Int

  /// From how many rows on a table may not lose more than half of them.
  private static let halved = 20

  /// Whether they are all rows of the table, or more than half of a table of 20 rows or more.
  ///
  /// Rows that came while the source was listing are not counted among the former ones: without them there would be nothing to lose.
  var isMassDeletion: Bool {
    guard unnamed > 0, former > 0 else { return false }
    return unnamed >= former || former >= Self.halved && unnamed > former - unnamed
  }
}

/// The limit of removals by a comparison with a complete listing. The rule is ``UnnamedRows/isMassDeletion``.
extension Puller {
  /// Counts the rows of each table that a listing can remove. O(rows).
  func removableRowCounts() async throws -> [Int] {
    try await store.read { tx in
      let hasLocalChanges = try outbox.map { try !$0.isEmpty(tx.database) } ?? false
      return try tables.all.map { try tx.count($0.countRemovable(areUnseen: false, hasLocalChanges: hasLocalChanges)) }
    }
  }

  /// Notes how many rows each table has before the first row of a listing is applied.
  ///
  /// A listing that was refused or interrupted may have added rows. The former number stays where it is smaller, so
  /// that the same listing is refused again. Exception: 0 gives way to the present number. Else the listing after an
  /// interrupted first one could remove all rows.
  func note(_ counts: [Int], _ tx: WriteTransaction) throws {
    for (table, count) in zip(tables.all, counts) {
      try tx.run(SyncState.noteRowCount, [.text(name), .text(table.table.name), .integer(Int64(count))])
    }
  }

  /// Looks whether the rows that the source didn't name are too many to be removed, before any of them is. O(rows).
  ///
  /// The next run asks the source for all its rows: the notes of named rows are forgotten here.
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
        // A comparison that a former version of the library began has no such number.
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
  /// Counts the rows that a source that begins anew can remove, or those of them that it didn't name.
  ///
  /// Rows that were made here, and that the server doesn't know yet, are not among them: no listing names them, and none removes them.
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
