import Sanderling
import SanderlingSQL

/// The names and SQL statements of synchronisation for a table.
///
/// They name the table's columns, and those of its outbox:
/// - `k0`… are the key, compared as bytes whatever the collation of the table's key: a server distinguishes keys by
///   their bytes.
/// - `base_…` are the row before the first local change, which is the server's last known row.
/// - `sent_…` are the sent row.
final class SyncedTable: Sendable {
  let name: String
  /// The record's columns, in their order.
  let columns: [String]
  /// The positions of the key's columns.
  let key: [Int]
  /// The columns with keys of other records.
  let references: [(column: Int, parent: String)]

  init(_ table: RecordTable) {
    name = table.name
    columns = table.columns.map(\.name)
    key = table.key
    references = table.references.compactMap { reference in
      guard let column = table.columns.firstIndex(where: { $0.property == reference.property }) else { return nil }
      return (column, reference.destination.table.name)
    }
  }

  /// The records among the given ones that refer to this table, each with the column's position.
  func references(among records: [SyncedRecord]) -> [(child: SyncedRecord, column: Int)] {
    records.flatMap { child in
      child.synced.references.filter { $0.parent.folded == name.folded }.map { (child, $0.column) }
    }
  }

  /// The name of the table of the local changes.
  var changesName: String { "sanderling_sync_changes_\(name)" }
  /// The name of the table of the server's versions.
  var versionsName: String { "sanderling_sync_versions_\(name)" }

  var quotedName: String { name.quotedIdentifier }
  var changes: String { changesName.quotedIdentifier }
  var versions: String { versionsName.quotedIdentifier }
  var keyColumns: [String] { key.map { columns[$0] } }
  /// `k0`, `k1`…
  var keyNames: [String] { key.indices.map { "k\($0)" } }
  var baseNames: [String] { columns.map { "base_\($0)" } }
  var sentNames: [String] { columns.map { "sent_\($0)" } }

  // MARK: Conditions

  /// The condition that a row of the table has the key of an entry, byte by byte. The first comparison uses the index,
  /// which has the column's collation.
  func rowHasKey(_ row: String, of entry: String) -> String {
    zip(keyColumns, keyNames).map { column, name in
      let column = "\(row).\(column.quotedIdentifier)"
      return "\(column) = \(entry).\(name) AND \(column) IS \(entry).\(name) COLLATE BINARY"
    }.joined(separator: " AND ")
  }

  /// The condition that a row of the table has the key bound from 1 on, byte by byte.
  private var rowHasBoundKey: String {
    keyColumns.enumerated().map { index, column in
      let column = column.quotedIdentifier
      return "\(column) = ?\(index + 1) AND \(column) IS ?\(index + 1) COLLATE BINARY"
    }.joined(separator: " AND ")
  }

  /// The condition that an entry, or a version, has the key bound from 1 on.
  private func hasBoundKey(_ entry: String) -> String {
    keyNames.enumerated().map { "\(entry).\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
  }

  /// The condition that two entries have the same key.
  func haveOneKey(_ entry: String, _ other: String) -> String {
    keyNames.map { "\(entry).\($0) = \(other).\($0)" }.joined(separator: " AND ")
  }

  /// The condition that a row differs from the base of an entry, in value or storage class.
  private func differs(_ row: String, from entry: String) -> String {
    zip(columns, baseNames).map { column, base in
      "\(row).\(column.quotedIdentifier)".differsSQL(from: "\(entry).\(base.quotedIdentifier)")
    }.disjunction
  }

  // MARK: Rows

  private var columnList: String { columns.quotedIdentifiers }

  /// The row with a key.
  var selectRow: String { "SELECT \(columnList) FROM main.\(quotedName) WHERE \(rowHasBoundKey)" }

  /// The rows that refer to a key by a column, and whether each has local changes.
  func selectChildren(_ column: Int) -> String {
    let key = zip(keyNames, keyColumns).map { "entry.\($0) = present.\($1.quotedIdentifier)" }
      .joined(separator: " AND ")
    return "SELECT \(columns.map { "present.\($0.quotedIdentifier)" }.joined(separator: ", ")), "
      + "EXISTS (SELECT 1 FROM main.\(changes) AS entry WHERE \(key)) FROM main.\(quotedName) AS present "
      + "WHERE present.\(columns[column].quotedIdentifier) = ?1"
  }

  var deleteRow: String { "DELETE FROM main.\(quotedName) WHERE \(rowHasBoundKey)" }

  var insertRow: String {
    "INSERT INTO main.\(quotedName) (\(columnList)) VALUES (\(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))"
  }

  /// Sets all columns outside the key, including unchanged ones, so that no column is touched. Nil if there are none.
  var updateRow: String? {
    let others = columns.indices.filter { !key.contains($0) }
    if others.isEmpty { return nil }
    let assignments = others.enumerated().map { "\(columns[$1].quotedIdentifier) = ?\(key.count + $0 + 1)" }
    return "UPDATE main.\(quotedName) SET \(assignments.joined(separator: ", ")) WHERE \(rowHasBoundKey)"
  }

  // MARK: Entries

  /// The columns of an entry, before the values of its key, base and mutation: see ``OutboxEntry``.
  static let entryColumns = [
    "sequence", "state", "edited", "existed", "rebased", "assumed", "departed", "conflicts", "mutation", "sent",
    "columns", "version", "attempts", "error", "held", "answer",
  ]

  private var entryNames: [String] { Self.entryColumns + keyNames + baseNames + sentNames }

  /// An entry, whether its row is there, and the row.
  private func selectEntries(_ condition: String) -> String {
    let entry = entryNames.map { "entry.\($0.quotedIdentifier)" }.joined(separator: ", ")
    let row = columns.map { "present.\($0.quotedIdentifier)" }.joined(separator: ", ")
    return "SELECT \(entry), present.\(keyColumns[0].quotedIdentifier) IS NOT NULL, \(row) "
      + "FROM main.\(changes) AS entry LEFT JOIN main.\(quotedName) AS present ON \(rowHasKey("present", of: "entry")) "
      + condition
  }

  var selectEntryOfKey: String { selectEntries("WHERE \(hasBoundKey("entry"))") }

  var selectEntry: String { selectEntries("WHERE entry.sequence = ?1") }

  /// A limited number of sendable entries after a sequence: see ``OutboxEntry/isSendable``.
  var selectSendable: String {
    selectEntries(
      "WHERE entry.sequence > ?1 AND (entry.state = 0 OR (entry.state = 2 AND entry.edited = 1)) "
        + "ORDER BY entry.sequence LIMIT ?2")
  }

  /// The entries that are being sent, by the index of those few.
  var selectSending: String { selectEntries("WHERE entry.state = 1 ORDER BY entry.mutation") }

  /// The entries of rows that referred to a key in the server's last known state.
  func selectReferring(_ column: Int) -> String {
    selectEntries("WHERE entry.\(baseNames[column].quotedIdentifier) = ?1 AND entry.existed = 1")
  }

  var hasEntries: String { "EXISTS (SELECT 1 FROM main.\(changes))" }

  /// The number of records that differ from the server's, as far as this device knows.
  var countChanges: String {
    "SELECT count(*) FROM main.\(changes) AS entry LEFT JOIN main.\(quotedName) AS present ON "
      + "\(rowHasKey("present", of: "entry")) WHERE entry.state = 1 OR "
      + "entry.existed <> (present.\(keyColumns[0].quotedIdentifier) IS NOT NULL) OR "
      + "(entry.existed = 1 AND (\(differs("present", from: "entry"))))"
  }

  /// Inserts an entry, or replaces all of its columns.
  var writeEntry: String {
    let values = entryNames.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let names = entryNames.map(\.quotedIdentifier)
    let assignments = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return "INSERT INTO main.\(changes) (\(names.joined(separator: ", "))) VALUES (\(values)) "
      + "ON CONFLICT (sequence) DO UPDATE SET \(assignments)"
  }

  var deleteEntry: String { "DELETE FROM main.\(changes) WHERE sequence = ?1" }

  /// Changes that were in conflict so often that all the server's rows are requested. Run once for each comparison.
  /// O(pending changes).
  var selectStuck: String { selectEntries("WHERE conflicts = \(OutboxEntry.stuckCount)") }

  // MARK: Versions

  var selectVersion: String { "SELECT version FROM main.\(versions) AS entry WHERE \(hasBoundKey("entry"))" }
  var deleteVersion: String { "DELETE FROM main.\(versions) AS entry WHERE \(hasBoundKey("entry"))" }
  var setVersion: String {
    let parameters = (1...key.count + 1).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO main.\(versions) (\(keyNames.joined(separator: ", ")), version) VALUES (\(parameters)) "
      + "ON CONFLICT DO UPDATE SET version = excluded.version WHERE version IS NOT excluded.version"
  }

  // MARK: Sources that begin anew

  /// The table of the keys that the restarted source named.
  var seenName: String { "sanderling_sync_seen_\(name)" }
  var seen: String { seenName.quotedIdentifier }
  var noteSeen: String {
    let keys = keyNames.joined(separator: ", ")
    let parameters = key.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO main.\(seen) (\(keys)) VALUES (\(parameters)) ON CONFLICT (\(keys)) DO NOTHING"
  }

  // MARK: Definitions

  /// The key's columns in the synchronisation's own tables, with the affinities of the record's table.
  func keyDefinitions(_ found: [ActualColumn]) -> [String] {
    zip(keyNames, keyTypes(found)).map { "\($0) \($1) NOT NULL COLLATE BINARY" }
  }

  func keyTypes(_ found: [ActualColumn]) -> [String] {
    keyColumns.map { (found.named($0)?.affinity ?? .blob).rawValue }
  }

  /// The statement that creates the table of versions if it is missing.
  func createVersions(_ found: [ActualColumn]) -> String {
    "CREATE TABLE IF NOT EXISTS main.\(versions) (\(keyDefinitions(found).joined(separator: ", ")), version TEXT NOT NULL, "
      + "PRIMARY KEY (\(keyNames.joined(separator: ", ")))) WITHOUT ROWID"
  }
}
