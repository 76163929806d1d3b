/// The triggers that set a table's columns automatically: see ``ColumnTouch``.
///
/// An UPDATE that sets such a column itself must keep its value. That value may equal the old one, so a comparison of
/// values can't detect the assignment. SQLite shows which columns a statement sets only by firing an UPDATE OF trigger.
///
/// So there are two kinds of triggers. The first kind touches the apparently unchanged columns after an update of other
/// columns. The second kind, on the column itself, restores the statement's value. The first must run before the
/// second.
///
/// Of two triggers on one event, SQLite runs the newer one first. No documentation promises that order, and a test
/// checks it. Nothing else depends on the order: if the statement sets a different value, the first trigger doesn't
/// touch the column at all.
///
/// With `recursive_triggers` on, no trigger fires another in a circle. The first kind sets columns that don't fire it.
/// The second sets only a value other than the row's, and so doesn't fire itself again.
struct TouchTriggers {
  private let table: RecordTable
  private let touched: [RecordColumn]

  init(_ table: RecordTable) {
    self.table = table
    touched = table.columns.filter(\.isTouched)
  }

  /// The triggers, in the order in which they must be created.
  var triggers: [DeclaredTrigger] {
    [insertion].compactMap { $0 } + updates
  }

  /// Sets the touched columns of an inserted row. The trigger sets all touched columns, so that its own update touches
  /// none.
  private var insertion: DeclaredTrigger? {
    let unset = touched.compactMap { column in column.unsetSQL.map { (column, $0) } }
    let assignments: [(column: RecordColumn, condition: String, value: String)] = unset.compactMap {
      column, unset in
      column.insertedSQL.map { (column, "NEW.\(column.sql) IS \(unset)", $0) }
    }
    if assignments.isEmpty { return nil }
    let others = touched.filter { column in !assignments.contains { $0.column.name == column.name } }
    return DeclaredTrigger(
      "insert", of: table.name, "AFTER INSERT",
      body(when: assignments.map(\.condition), assignments, others.map { "\($0.sql) = \($0.sql)" }))
  }

  private var updates: [DeclaredTrigger] {
    let assignments = touched.compactMap { column in
      column.updatedSQL(from: "NEW.\(column.sql)").map {
        (column: column, condition: "NEW.\(column.sql) IS OLD.\(column.sql)", value: $0)
      }
    }
    let others = table.columns.filter { !$0.isTouched }
    if assignments.isEmpty || others.isEmpty { return [] }
    let keeping = assignments.map { column, condition, _ in
      DeclaredTrigger(
        "keep", of: table.name, column: column.name, "AFTER UPDATE OF \(column.sql)",
        "WHEN \(condition) BEGIN UPDATE \(table.name.quotedIdentifier) SET \(column.sql) = NEW.\(column.sql) "
          + "WHERE \(row) AND \(column.sql) IS NOT NEW.\(column.sql); END")
    }
    return keeping + [
      DeclaredTrigger(
        "update", of: table.name, "AFTER UPDATE OF \(others.map(\.name).quotedIdentifiers)",
        body(when: assignments.map(\.condition), assignments, []))
    ]
  }

  private func body(
    when conditions: [String], _ assignments: [(column: RecordColumn, condition: String, value: String)],
    _ others: [String]
  ) -> String {
    let values = assignments.map { column, condition, value in
      "\(column.sql) = CASE WHEN \(condition) THEN \(value) ELSE \(column.sql) END"
    }
    return "WHEN \(conditions.joined(separator: " OR ")) BEGIN UPDATE \(table.name.quotedIdentifier) "
      + "SET \((values + others).joined(separator: ", ")) WHERE \(row); END"
  }

  private var row: String { table.keyEquals("NEW") }
}

extension RecordTable {
  /// The statements that create the triggers of the table's touched columns, in the order in which they must be
  /// created.
  package var touchTriggerSQL: [String] { TouchTriggers(self).triggers.map(\.sql) }
}

extension RecordTable {
  /// The condition that a row has the key of another row, by the other row's name in a trigger.
  func keyEquals(_ row: String) -> String {
    keyColumns.map { "\($0.sql) = \(row).\($0.sql)" }.joined(separator: " AND ")
  }
}

extension RecordColumn {
  /// Whether the database sets the column when a row is inserted or updated.
  fileprivate var isTouched: Bool { touch != nil && touch != .onDelete }

  var sql: String { name.quotedIdentifier }

  /// The value that counts as not set, as a literal; nil if there is none.
  var unsetSQL: String? {
    unsetValue.map { $0.isNull ? "NULL" : $0.defaultLiteral(for: .creation) }
  }

  /// Whether a trigger sets the column in a new row that has this value.
  func isSetInNewRows(_ value: StorageValue) -> Bool { insertedSQL != nil && isLeftToTouch(value) }

  /// The SQL of the column's value after an insertion that leaves it to the database; nil if the value stays.
  fileprivate var insertedSQL: String? {
    switch touch {
    case .onInsert, .onUpdate: currentTimeSQL
    // A counter with another initial value starts at that value.
    case .version: unsetValue?.isNull == true ? "1" : nil
    case .onDelete, nil: nil
    }
  }

  /// The SQL of the column's value after an update that leaves it to the database, from its old value; nil if the value
  /// stays.
  func updatedSQL(from value: String) -> String? {
    switch touch {
    case .onUpdate: currentTimeSQL
    case .version: "ifnull(\(value), 0) + 1"
    case .onInsert, .onDelete, nil: nil
    }
  }

  var currentTimeSQL: String? {
    (form.coding as? any TimestampCoding.Type)?.currentTimeSQL
  }

  /// The reason why the database can't set the column as it is declared; nil if it can.
  var touchProblem: String? {
    switch touch {
    case nil: nil
    case .version:
      type == .integer ? nil : "counts versions, and is stored as \(type.title): make it an Int"
    case .onInsert where unsetValue == nil:
      "has a value in each insertion, so that touch: never sets it: make it optional, or give it a constant initial value, "
        + "such as Date.distantPast"
    case .onDelete where unsetValue?.isNull != true:
      "holds the time of the deletion, and NULL before the deletion: make it optional, without an initial value"
    case .onInsert, .onUpdate, .onDelete:
      currentTimeSQL == nil
        ? "is set to the current time, for which its coding has no SQL: make it a Date with a coding of the library, or conform "
          + "your coding to TimestampCoding" : nil
    }
  }
}
