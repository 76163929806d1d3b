import SanderlingSQL

/// The triggers that capture a table's changes.
///
/// They are temporary, on the writer's connection, and run before the app's own triggers. REPLACE removes rows without
/// firing triggers, so the triggers look for these rows before the write.
struct CaptureTriggers {
  struct Trigger: Equatable {
    let name: String
    /// The text after CREATE TRIGGER, as SQLite keeps it.
    let definition: String
  }

  /// The prefix of the names of all stores' triggers.
  static let namePrefix = CaptureTarget.temporaryPrefix

  let triggers: [Trigger]
  /// Whether the key of an inserted row is captured only after the write.
  let keyIsLate: Bool

  /// - Parameters:
  ///   - function: The function to call. Its name begins the names of the store's triggers.
  ///   - program: The number of the program. The names of its triggers contain it, so that no name is used twice:
  ///     SQLite can keep a trigger by its name after it lost its table.
  init(function: String, program: Int, _ layout: CaptureLayout, _ target: CaptureTarget) {
    let writer = TriggerWriter(function: function, program: program, layout, target)
    keyIsLate = writer.keyIsLate(onInsert: true)
    let bodies: [(purpose: String, event: String, body: [String])] = [
      ("update", "BEFORE UPDATE", [writer.capture("OLD")]),
      ("delete", "BEFORE DELETE", [writer.capture("OLD")]),
      ("insert", "BEFORE INSERT", writer.beforeInsert),
      ("inserted", "AFTER INSERT", writer.keyIsLate(onInsert: true) ? [writer.captureAbsent] : []),
      ("key", writer.beforeUpdate(ofKey: true), writer.beforeKeyUpdate),
      ("keyed", writer.afterUpdateOfKey, writer.keyIsLate(onInsert: false) ? [writer.captureAbsent] : []),
      ("unique", writer.beforeUpdate(ofKey: false), writer.beforeUniqueUpdate),
    ]
    triggers = bodies.filter { !$0.body.isEmpty }.map { purpose, event, body in
      let name = "\(Self.namePrefix(function: function))\(program)_\(purpose)"
      return Trigger(
        name: name,
        definition: "\(name.quotedIdentifier) \(event) ON main.\(target.name.quotedIdentifier) BEGIN "
          + body.map { $0 + "; " }.joined() + "END")
    }
  }

  /// The prefix of the names of one store's triggers.
  static func namePrefix(function: String) -> String { "\(function)_" }
}

private struct TriggerWriter {
  private let function: String
  private let program: Int
  private let layout: CaptureLayout
  private let target: CaptureTarget
  private let key: [String]

  init(function: String, program: Int, _ layout: CaptureLayout, _ target: CaptureTarget) {
    self.function = function
    self.program = program
    self.layout = layout
    self.target = target
    key = layout.table.table.keyColumns.map(\.name)
  }

  // MARK: Bodies

  var beforeInsert: [String] {
    let lookups = target.uniqueKeys.map(lookup)
    return keyIsLate(onInsert: true) ? lookups : lookups + [captureAbsent]
  }

  /// Captures the row here too, since the order of two triggers on one event is undefined.
  var beforeKeyUpdate: [String] {
    let captures = [capture("OLD")] + target.uniqueKeys.filter(isKey).map(lookup)
    return keyIsLate(onInsert: false) ? captures : captures + [captureAbsent]
  }

  var beforeUniqueUpdate: [String] {
    target.uniqueKeys.filter { !isKey($0) }.map { "\(lookup($0)) AND (\(change(of: $0)))" }
  }

  /// Whether the key is known only after the write.
  func keyIsLate(onInsert: Bool) -> Bool {
    key.contains { target.isDecidedLate($0, onInsert: onInsert) }
  }

  // MARK: Statements

  func capture(_ row: String) -> String {
    call(.present, key.map { "\(row).\($0.quotedIdentifier)" } + columns.map { "\(row).\($0.quotedIdentifier)" })
  }

  var captureAbsent: String {
    call(.absent, key.map { "NEW.\($0.quotedIdentifier)" })
  }

  /// Captures the row that the written row may replace.
  private func lookup(_ unique: CaptureTarget.UniqueKey) -> String {
    "\(capture("existing")) FROM main.\(target.name.quotedIdentifier) AS existing "
      + "WHERE \(target.isReplaced(by: unique).joined(separator: " AND "))"
  }

  private func change(of unique: CaptureTarget.UniqueKey) -> String {
    let columns = unique.terms + (unique.condition?.columns ?? []).map { ($0, nil) }
    return columns.map { column, collation in
      "OLD.\(column.quotedIdentifier) IS NOT \(target.newValue(column))\(CaptureTarget.collate(collation))"
    }.joined(separator: " OR ")
  }

  private func call(_ kind: CaptureProgram.Kind, _ values: [String]) -> String {
    let code = String(CaptureProgram.code(program: program, kind))
    return "SELECT \(function)(\(([code] + values).joined(separator: ", ")))"
  }

  private var columns: [String] { layout.columns.map { layout.table.table.columns[$0].name } }

  // MARK: Events

  func beforeUpdate(ofKey isOfKey: Bool) -> String {
    let uniqueKeys = target.uniqueKeys.filter { isKey($0) == isOfKey }
    let columns = uniqueKeys.flatMap { $0.terms.map(\.column) + ($0.condition?.columns ?? []) }
    return "BEFORE UPDATE\(of(columns, uniqueKeys.contains(where: \.isRowID)))"
  }

  var afterUpdateOfKey: String { "AFTER UPDATE\(of(key, false))" }

  /// The clause with the columns whose assignment fires a trigger. An assignment to the rowid counts by the name in the
  /// statement.
  private func of(_ columns: [String], _ hasRowID: Bool) -> String {
    var names: [String] = []
    for name in columns + (hasRowID ? ActualColumn.rowIDNames : [])
    where !names.contains(where: { $0.folded == name.folded }) { names.append(name) }
    return " OF \(names.quotedIdentifiers)"
  }

  private func isKey(_ unique: CaptureTarget.UniqueKey) -> Bool {
    unique.condition == nil && Set(unique.terms.map(\.column.folded)) == Set(key.folded)
  }
}
