import Sanderling

/// The names and the statements that synchronisation has for a table.
///
/// They name the table's columns, and those of its outbox:
/// - `k0`… are the key, compared as bytes whatever collation the table's key has: what tells two keys of a server apart are their bytes.
/// - `base_…` are the row as it was before the first local change, which is what the server had last.
/// - `sent_…` are the row as it is being sent.
final class SyncedTable: Sendable {
  let name: String
  /// The record's columns, in their order.
  let columns: [String]
  /// The positions of the key's columns.
  let key: [Int]
  /// Which columns hold keys of other records.
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

  /// Of some records those that have keys of this table in a column: each with the column's position.
  func references(among records: [SyncedRecord]) -> [(child: SyncedRecord, column: Int)] {
    records.flatMap { child in
      child.synced.references.filter { $0.parent.folded == name.folded }.map { (child, $0.column) }
    }
  }

  /// The name of the table of the local changes.
  var changesName: String { "sanderling_sync_changes_\(name)" }
  /// The name of the table of the versions that the server gave.
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

  /// A row of the table has the key of an entry, byte by byte. The first comparison finds the index, which has the collation of the column.
  func rowHasKey(_ row: String, of entry: String) -> String {
    zip(keyColumns, keyNames).map { column, name in
      let column = "\(row).\(column.quotedIdentifier)"
      return "\(column) = \(entry).\(name) AND \(column) IS \(entry).\(name) COLLATE BINARY"
    }.joined(separator: " AND ")
  }

  /// A row of the table has the key that is bound from 1 on, byte by byte.
  private var rowHasBoundKey: String {
    keyColumns.enumerated().map { index, column in
      let column = column.quotedIdentifier
      return "\(column) = ?\(index + 1) AND \(column) IS ?\(index + 1) COLLATE BINARY"
    }.joined(separator: " AND ")
  }

  /// An entry, or a version, has the key that is bound from 1 on.
  private func hasBoundKey(_ entry: String) -> String {
    keyNames.enumerated().map { "\(entry).\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
  }

  /// Two entries are of one key.
  private func haveOneKey(_ entry: String, _ other: String) -> String {
    keyNames.map { "\(entry).\($0) = \(other).\($0)" }.joined(separator: " AND ")
  }

  /// Whether a row differs from the base of an entry, as values of SQL, and in the class of their storage.
  private func differs(_ row: String, from entry: String) -> String {
    zip(columns, baseNames).map { column, base in
      let (value, other) = ("\(row).\(column.quotedIdentifier)", "\(entry).\(base.quotedIdentifier)")
      return "\(value) IS NOT \(other) COLLATE BINARY OR typeof(\(value)) <> typeof(\(other))"
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

  /// Sets all columns outside of the key, also those that are as they were: so none of them is touched. Nil where there are none.
  var updateRow: String? {
    let others = columns.indices.filter { !key.contains($0) }
    if others.isEmpty { return nil }
    let assignments = others.enumerated().map { "\(columns[$1].quotedIdentifier) = ?\(key.count + $0 + 1)" }
    return "UPDATE main.\(quotedName) SET \(assignments.joined(separator: ", ")) WHERE \(rowHasBoundKey)"
  }

  // MARK: Entries

  /// What is read of an entry, before the values of its key, base and what was sent: see ``OutboxEntry``.
  static let entryColumns = [
    "sequence", "state", "existed", "rebased", "departed", "mutation", "sent", "columns", "version", "attempts",
    "error", "held",
  ]

  private func entryList(_ entry: String) -> String {
    (Self.entryColumns + keyNames + baseNames + sentNames).map { "\(entry).\($0.quotedIdentifier)" }
      .joined(separator: ", ")
  }

  /// An entry, whether its row is there, and the row.
  private func selectEntries(_ condition: String) -> String {
    let row = columns.map { "present.\($0.quotedIdentifier)" }.joined(separator: ", ")
    return "SELECT \(entryList("entry")), present.\(keyColumns[0].quotedIdentifier) IS NOT NULL, \(row) "
      + "FROM main.\(changes) AS entry LEFT JOIN main.\(quotedName) AS present ON \(rowHasKey("present", of: "entry")) "
      + condition
  }

  /// All entries of a key, of which the first has the base: one that is refused or sent before the one that isn't.
  var selectEntriesOfKey: String { selectEntries("WHERE \(hasBoundKey("entry")) ORDER BY entry.state DESC") }

  var selectEntry: String { selectEntries("WHERE entry.sequence = ?1") }

  /// Unsent entries after a sequence, at most a number of them; those whose key is being sent must wait.
  var selectUnsent: String {
    selectEntries(
      "WHERE entry.sequence > ?1 AND entry.state = 0 AND NOT EXISTS (SELECT 1 FROM main.\(changes) AS other "
        + "WHERE \(haveOneKey("other", "entry")) AND other.state = 1) ORDER BY entry.sequence LIMIT ?2")
  }

  /// What is being sent, by the index of those few.
  var selectSending: String { selectEntries("WHERE entry.state = 1 ORDER BY entry.mutation") }

  /// The unsent and sent entries of rows that referred to a key when the server knew them last.
  func selectReferring(_ column: Int) -> String {
    selectEntries("WHERE entry.\(baseNames[column].quotedIdentifier) = ?1 AND entry.existed = 1")
  }

  var hasEntries: String { "EXISTS (SELECT 1 FROM main.\(changes))" }
  var hasEntriesOfKey: String { "SELECT 1 FROM main.\(changes) AS entry WHERE \(hasBoundKey("entry")) LIMIT 1" }

  /// How many records differ from what the server has, by all we know.
  var countChanges: String {
    "SELECT count(*) FROM main.\(changes) AS entry LEFT JOIN main.\(quotedName) AS present ON "
      + "\(rowHasKey("present", of: "entry")) WHERE (entry.state <> 0 OR NOT EXISTS (SELECT 1 FROM main.\(changes) AS other "
      + "WHERE \(haveOneKey("other", "entry")) AND other.state <> 0)) AND (entry.state = 1 OR "
      + "entry.existed <> (present.\(keyColumns[0].quotedIdentifier) IS NOT NULL) OR "
      + "(entry.existed = 1 AND (\(differs("present", from: "entry")))))"
  }

  var deleteEntry: String { "DELETE FROM main.\(changes) WHERE sequence = ?1" }

  /// The entry that isn't sent, of a key that has another one.
  var deleteUnsent: String { "DELETE FROM main.\(changes) AS entry WHERE \(hasBoundKey("entry")) AND state = 0" }

  /// Marks as being sent: 1 the sequence, 2 the number, 3 the kind, 4 the columns, 5 the version, then the row.
  var markSending: String {
    let row = sentNames.enumerated().map { "\($1.quotedIdentifier) = ?\($0 + 6)" }.joined(separator: ", ")
    return
      "UPDATE main.\(changes) SET state = 1, rebased = 0, mutation = ?2, sent = ?3, columns = ?4, version = ?5, \(row) "
      + "WHERE sequence = ?1"
  }

  /// Sets the base: 1 the sequence, 2 whether it exists, then the row.
  var setBase: String {
    let row = baseNames.enumerated().map { "\($1.quotedIdentifier) = ?\($0 + 3)" }.joined(separator: ", ")
    return
      "UPDATE main.\(changes) SET existed = ?2, rebased = (state = 1), departed = 0, conflicts = 0, \(row) WHERE sequence = ?1"
  }

  /// Sets one column of the base of a key, where there is a base; nil for a column that the record doesn't have.
  func completeBase(_ column: String) -> String? {
    guard let place = columns.firstIndex(of: column) else { return nil }
    return "UPDATE main.\(changes) AS entry SET \(baseNames[place].quotedIdentifier) = ?\(key.count + 1) "
      + "WHERE \(hasBoundKey("entry")) AND existed = 1"
  }

  /// Counts a conflict since the last news of the row.
  var noteConflict: String { "UPDATE main.\(changes) SET conflicts = conflicts + 1 WHERE sequence = ?1" }

  /// Whether something was in conflict so often that all the server has is asked for: by the index of those few, seldomer each time.
  var hasStuckEntries: String { "EXISTS (SELECT 1 FROM main.\(changes) WHERE \(Self.isStuck))" }
  /// All that the server has is asked for.
  var noteAskedForAll: String { "UPDATE main.\(changes) SET conflicts = conflicts + 1 WHERE \(Self.isStuck)" }
  private static let isStuck = "conflicts > 2 AND conflicts IN (3, 30, 300, 3000)"

  /// Sets the state: 1 the sequence, 2 the state, 3 why it isn't sent.
  var setState: String { "UPDATE main.\(changes) SET state = ?2, error = ?3 WHERE sequence = ?1" }

  /// Forgets what was sent.
  var forgetSent: String {
    "UPDATE main.\(changes) SET sent = 0, rebased = 0, held = NULL, mutation = NULL, columns = NULL, version = NULL, attempts = 0, "
      + "error = NULL, \(sentNames.map { "\($0.quotedIdentifier) = NULL" }.joined(separator: ", ")) WHERE sequence = ?1"
  }

  /// Notes which version an insertion became, of which the pull has yet to tell.
  var noteTaken: String { "UPDATE main.\(changes) SET version = ?2 WHERE sequence = ?1" }

  var noteFailure: String { "UPDATE main.\(changes) SET error = ?2 WHERE sequence = ?1" }

  /// Notes that it is sent again: whether the server had it before is not known.
  var noteAttempt: String { "UPDATE main.\(changes) SET attempts = attempts + 1 WHERE sequence = ?1" }

  /// Notes that a key, which follows the entry's number, had no row.
  var noteAbsent: String {
    "INSERT INTO main.\(changes) (sequence, \(keyNames.joined(separator: ", ")), existed) "
      + "VALUES (\((0...keyNames.count).map { "?\($0 + 1)" }.joined(separator: ", ")), 0)"
  }

  /// Notes that the record is none of this device's any more.
  var noteDeparture: String { "UPDATE main.\(changes) SET departed = 1, held = NULL WHERE sequence = ?1" }

  /// Notes that what is being sent is based on what the server told again.
  var noteToldAgain: String { "UPDATE main.\(changes) SET rebased = 2 WHERE sequence = ?1 AND rebased = 0" }

  /// Keeps what was pulled until what is being sent is answered.
  var hold: String { "UPDATE main.\(changes) SET departed = 0, held = ?2 WHERE sequence = ?1" }

  // MARK: Versions

  var selectVersion: String { "SELECT version FROM main.\(versions) AS entry WHERE \(hasBoundKey("entry"))" }
  var deleteVersion: String { "DELETE FROM main.\(versions) AS entry WHERE \(hasBoundKey("entry"))" }
  var setVersion: String {
    let parameters = (1...key.count + 1).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO main.\(versions) (\(keyNames.joined(separator: ", ")), version) VALUES (\(parameters)) "
      + "ON CONFLICT DO UPDATE SET version = excluded.version WHERE version IS NOT excluded.version"
  }

  // MARK: Sources that begin anew

  /// The table of the keys that a source named since it began anew.
  var seenName: String { "sanderling_sync_seen_\(name)" }
  var seen: String { seenName.quotedIdentifier }
  var noteSeen: String {
    let keys = keyNames.joined(separator: ", ")
    let parameters = key.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO main.\(seen) (\(keys)) VALUES (\(parameters)) ON CONFLICT (\(keys)) DO NOTHING"
  }

  // MARK: Definitions

  /// The key's columns in tables beside the record's, with the affinities that those of the record's table have.
  func keyDefinitions(_ found: [ActualColumn]) -> [String] {
    zip(keyNames, keyTypes(found)).map { "\($0) \($1) NOT NULL COLLATE BINARY" }
  }

  func keyTypes(_ found: [ActualColumn]) -> [String] {
    keyColumns.map { Affinity(declaredType: found.named($0)?.type ?? "").declaration }
  }

  /// What the table of versions is made by, where there is none.
  func createVersions(_ found: [ActualColumn]) -> String {
    "CREATE TABLE IF NOT EXISTS main.\(versions) (\(keyDefinitions(found).joined(separator: ", ")), version TEXT NOT NULL, "
      + "PRIMARY KEY (\(keyNames.joined(separator: ", ")))) WITHOUT ROWID"
  }
}

extension Affinity {
  /// A type that declares it.
  fileprivate var declaration: String {
    switch self {
    case .none: "BLOB"
    case .text: "TEXT"
    case .numeric: "NUMERIC"
    case .integer: "INTEGER"
    case .real: "REAL"
    }
  }
}
