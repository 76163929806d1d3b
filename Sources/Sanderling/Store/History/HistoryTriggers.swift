import SanderlingSQL

/// The triggers that keep a record's rows before each write: see ``HistoryTables``.
///
/// They are plain SQL and fire for every writer. A row is noted before it is written, because a trigger of the app that
/// runs first may write it again. Exception: a key that SQLite chooses is known only after the insertion.
struct HistoryTriggers {
  private let recorded: HistoryTables.Recorded
  private let target: CaptureTarget
  private let names: [Int: String]

  init(_ recorded: HistoryTables.Recorded, _ target: CaptureTarget, _ places: [Int: Int]) {
    self.recorded = recorded
    self.target = target
    names = recorded.names(places)
  }

  var triggers: NotingTriggers {
    let notes = RowNotes(target, keyColumns: key) { note($0, exists: true, from: $1, where: $2) }
    let keyOfUpdate = "UPDATE OF \(key.quotedIdentifiers)"
    let bodies: [(purpose: String, event: String, body: [String])] = [
      ("update", "BEFORE UPDATE OF \(columnsOfRecord.quotedIdentifiers)", [note("OLD", exists: true)]),
      ("delete", "BEFORE DELETE", [note("OLD", exists: true)]),
      ("insert", "BEFORE INSERT", notes.replaced + (isLate(onInsert: true) ? [] : [noteAbsent([])])),
      ("inserted", "AFTER INSERT", isLate(onInsert: true) ? [note("NEW", exists: false)] : []),
      ("unique", "BEFORE UPDATE OF \(notes.uniqueColumns)", notes.replacedByUpdate),
      ("key", "BEFORE \(keyOfUpdate)", isLate(onInsert: false) ? [] : [noteAbsent(["(\(notes.keyChanges))"])]),
      (
        "keyed", "AFTER \(keyOfUpdate)",
        isLate(onInsert: false) ? [note("NEW", exists: false, where: ["(\(notes.keyChanges))"])] : []
      ),
    ]
    let triggers = bodies.filter { !$0.body.isEmpty }.map { purpose, event, body in
      let name = "\(HistoryTables.prefix)\(target.name)_\(purpose)"
      return NotingTriggers.Trigger(
        name: name,
        sql: "CREATE TRIGGER \(name.quotedIdentifier) \(event) ON \(target.name.quotedIdentifier) BEGIN "
          + body.map { $0 + "; " }.joined() + "END")
    }
    return NotingTriggers(triggers, keyIsLate: isLate(onInsert: true))
  }

  /// The columns whose assignment is a change. Folded texts and other columns of the store's own are none of these.
  private var columnsOfRecord: [String] {
    recorded.table.columns.map(\.name) + (target.rowIDColumn == nil ? [] : ActualColumn.rowIDNames)
  }

  private var key: [String] { recorded.table.keyColumns.map(\.name) }

  /// Whether the key is known only after the write.
  private func isLate(onInsert: Bool) -> Bool {
    key.contains { target.isDecidedLate($0, onInsert: onInsert) }
  }

  /// Notes that there is no row with the new key, unless there is one: a statement with OR IGNORE leaves that row as it
  /// is, and one with OR REPLACE has it noted as replaced.
  private func noteAbsent(_ conditions: [String]) -> String {
    let isSame = key.map { "existing.\($0.quotedIdentifier)".isIdenticalSQL(to: "NEW.\($0.quotedIdentifier)") }
    let exists = "SELECT 1 FROM \(target.name.quotedIdentifier) AS existing WHERE \(isSame.joined(separator: " AND "))"
    return note("NEW", exists: false, where: conditions + ["NOT EXISTS (\(exists))"])
  }

  private func note(
    _ row: String, exists: Bool, from source: String = "", where conditions: [String] = []
  ) -> String {
    let keyColumns = recorded.table.key.enumerated().map { (column: $1, name: "k\($0)") }
    let kept = exists ? recorded.columns.map { (column: $0, name: names[$0] ?? "") } : []
    let columns = keyColumns + kept
    let values = columns.map { "\(row).\(recorded.table.columns[$0.column].name.quotedIdentifier)" }
    let isWhole = key.map { "\(row).\($0.quotedIdentifier) IS NOT NULL" }
    return
      "INSERT INTO sanderling_history (\((["record", "existed", "at"] + columns.map(\.name)).joined(separator: ", "))) "
      + "SELECT \(recorded.table.name.quotedLiteral), \(exists ? 1 : 0), julianday('now'), "
      + "\(values.joined(separator: ", "))\(source) WHERE \((conditions + isWhole).joined(separator: " AND "))"
  }
}
