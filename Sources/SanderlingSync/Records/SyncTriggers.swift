import Sanderling
import SanderlingSQL

/// The triggers that record changed rows with their former values: see ``OutboxSchema``.
///
/// They are plain SQL and fire for every writer. Old rows are recorded before the row is written, because a trigger of
/// the app that runs first may write it again. REPLACE removes rows without firing delete triggers, so these rows are
/// searched before.
struct SyncTriggers {
  struct Trigger: Equatable {
    let name: String
    let sql: String
  }

  let triggers: [Trigger]
  /// Whether the key of an inserted row is known only after the write: then no trigger of the app may run before ours.
  let keyIsLate: Bool

  static let prefix = "sanderling_sync_"

  private enum Purpose: String, CaseIterable {
    case insert, inserted, update, unique, keyed, delete

    func name(_ table: SyncedTable) -> String { "\(prefix)\(table.name)_\(rawValue)" }
  }

  /// The names of all triggers of a table.
  static func names(_ table: SyncedTable) -> [String] { Purpose.allCases.map { $0.name(table) } }

  init(_ table: SyncedTable, _ target: CaptureTarget) {
    let writer = TriggerWriter(table: table, target: target)
    keyIsLate = target.rowIDColumn != nil
    triggers = Purpose.allCases.map { purpose in
      let (event, body): (String, [String]) =
        switch purpose {
        case .insert: ("BEFORE INSERT", writer.beforeInsert)
        case .inserted: ("AFTER INSERT", [writer.noteAbsent()])
        case .update: ("BEFORE UPDATE", [writer.note("OLD")])
        case .unique: ("BEFORE UPDATE OF \(writer.uniqueColumns)", writer.beforeUniqueUpdate)
        case .keyed:
          ("AFTER UPDATE OF \(table.keyColumns.quotedIdentifiers)", [writer.noteAbsent(where: writer.keyChanges)])
        case .delete: ("BEFORE DELETE", [writer.note("OLD")])
        }
      let name = purpose.name(table)
      return Trigger(
        name: name,
        sql: "CREATE TRIGGER \(name.quotedIdentifier) \(event) ON \(table.quotedName) "
          + "WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN \(body.map { $0 + "; " }.joined())END")
    }
  }
}

private struct TriggerWriter {
  let table: SyncedTable
  let target: CaptureTarget

  /// Existing rows are searched by all unique keys. Whether the statement removes, changes or ignores them is left
  /// open: an unchanged row is no change.
  var beforeInsert: [String] {
    // SQLite passes -1 for a rowid that it has yet to choose.
    let isKnown = target.rowIDColumn.map { "NEW.\($0.quotedIdentifier) <> -1" }
    return target.uniqueKeys.map { lookup($0) } + [noteAbsent(where: isKnown)]
  }

  var beforeUniqueUpdate: [String] {
    target.uniqueKeys.map { lookup($0, where: change(of: $0)) } + [noteAbsent(where: keyChanges)]
  }

  /// The columns whose assignment can remove other rows or change the row's identity.
  var uniqueColumns: String {
    var names = table.keyColumns
    for unique in target.uniqueKeys {
      let rowID = unique.isRowID ? ActualColumn.rowIDNames : []
      for name in unique.terms.map(\.column) + (unique.condition?.columns ?? []) + rowID
      where !names.contains(where: { $0.folded == name.folded }) { names.append(name) }
    }
    return names.quotedIdentifiers
  }

  var keyChanges: String {
    table.keyColumns.map { "OLD.\($0.quotedIdentifier) IS NOT NEW.\($0.quotedIdentifier) COLLATE BINARY" }
      .joined(separator: " OR ")
  }

  /// Records a row in its current state.
  func note(_ row: String, from source: String = "", where conditions: [String] = []) -> String {
    let values = key(row) + ["1"] + table.columns.map { "\(row).\($0.quotedIdentifier)" }
    return note(values, of: row, table.keyNames + ["existed"] + table.baseNames, source, conditions)
  }

  /// Records that there is no row with the new key.
  func noteAbsent(where condition: String? = nil) -> String {
    note(key("NEW") + ["0"], of: "NEW", table.keyNames + ["existed"], "", condition.map { ["(\($0))"] } ?? [])
  }

  // MARK: Parts

  /// Records the row that the written one may replace.
  private func lookup(_ unique: CaptureTarget.UniqueKey, where isChanged: String? = nil) -> String {
    note(
      "existing", from: " FROM \(table.quotedName) AS existing",
      where: target.isReplaced(by: unique) + (isChanged.map { ["(\($0))"] } ?? []))
  }

  /// Records an edit, as ``OutboxEvent/edited(from:to:number:)`` does: a key without an entry gets one, and an entry
  /// that isn't waiting in its turn is marked. The statement that fires the trigger would override OR IGNORE here, but
  /// not ON CONFLICT.
  private func note(
    _ values: [String], of row: String, _ columns: [String], _ source: String, _ conditions: [String]
  ) -> String {
    let isWhole = key(row).map { "\($0) IS NOT NULL" }
    return "INSERT INTO \(table.changes) (sequence, \(columns.quotedIdentifiers)) "
      + "SELECT (SELECT sequence + 1 FROM sanderling_sync_control), \(values.joined(separator: ", "))"
      + "\(source) WHERE \((conditions + isWhole).joined(separator: " AND ")) "
      + "ON CONFLICT (\(table.keyNames.joined(separator: ", "))) DO UPDATE SET edited = 1 WHERE state <> 0 AND edited = 0; "
      + "UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0"
  }

  private func key(_ row: String) -> [String] { table.keyColumns.map { "\(row).\($0.quotedIdentifier)" } }

  private func change(of unique: CaptureTarget.UniqueKey) -> String {
    (unique.terms.map(\.column) + (unique.condition?.columns ?? [])).map { column in
      "OLD.\(column.quotedIdentifier) IS NOT \(target.newValue(column)) COLLATE BINARY"
    }.joined(separator: " OR ")
  }
}
