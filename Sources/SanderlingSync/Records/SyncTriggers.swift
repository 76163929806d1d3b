import Sanderling
import SanderlingSQL

/// The triggers that record changed rows with their former values: see ``OutboxSchema``.
///
/// They are plain SQL and fire for every writer. Old rows are recorded before the row is written, because a trigger of
/// the app that runs first may write it again. REPLACE removes rows without firing delete triggers, so these rows are
/// searched before.
enum SyncTriggers {
  static let prefix = "sanderling_sync_"

  private enum Purpose: String, CaseIterable {
    case insert, inserted, update, unique, keyed, delete

    func name(_ table: SyncedTable) -> String { "\(prefix)\(table.name)_\(rawValue)" }
  }

  /// The names of all triggers of a table.
  static func names(_ table: SyncedTable) -> [String] { Purpose.allCases.map { $0.name(table) } }

  static func triggers(_ table: SyncedTable, _ target: CaptureTarget) -> NotingTriggers {
    let writer = TriggerWriter(table: table, target: target)
    let notes = RowNotes(target, keyColumns: table.keyColumns, note: writer.note)
    let triggers = Purpose.allCases.map { purpose in
      let (event, body): (String, [String]) =
        switch purpose {
        case .insert: ("BEFORE INSERT", notes.replaced + [writer.noteAbsent(where: writer.keyIsKnown)])
        case .inserted: ("AFTER INSERT", [writer.noteAbsent()])
        case .update: ("BEFORE UPDATE", [writer.note("OLD")])
        case .unique:
          (
            "BEFORE UPDATE OF \(notes.uniqueColumns)",
            notes.replacedByUpdate + [writer.noteAbsent(where: notes.keyChanges)]
          )
        case .keyed:
          ("AFTER UPDATE OF \(table.keyColumns.quotedIdentifiers)", [writer.noteAbsent(where: notes.keyChanges)])
        case .delete: ("BEFORE DELETE", [writer.note("OLD")])
        }
      let name = purpose.name(table)
      return NotingTriggers.Trigger(
        name: name,
        sql: "CREATE TRIGGER \(name.quotedIdentifier) \(event) ON \(table.quotedName) "
          + "WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN \(body.map { $0 + "; " }.joined())END")
    }
    return NotingTriggers(triggers, keyIsLate: target.rowIDColumn != nil)
  }
}

private struct TriggerWriter {
  let table: SyncedTable
  let target: CaptureTarget

  /// SQLite passes -1 for a rowid that it has yet to choose.
  var keyIsKnown: String? { target.rowIDColumn.map { "NEW.\($0.quotedIdentifier) <> -1" } }

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
}
