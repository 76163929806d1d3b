/// The trigger that deletes dependent rows with a row, and restores them with it: see ``ColumnTouch/onDelete``.
///
/// It is the counterpart of `ON DELETE CASCADE` for tables that keep their deleted rows. Rows that are deleted with a
/// row get its time. Rows with another time were deleted before, and stay deleted when the row is restored.
///
/// A trigger doesn't fire itself while `recursive_triggers` is off. So a recursive query finds dependent rows in the
/// same table. Dependent rows in other tables follow by the triggers of those tables.
struct DeletionTrigger {
  /// A column of dependent rows, which refers to the deleted rows.
  struct Reference {
    let table: RecordTable
    let column: RecordColumn
    let deletion: RecordColumn
  }

  private let table: RecordTable
  private let key: RecordColumn
  private let deletion: RecordColumn
  private let references: [Reference]

  /// Creates the trigger of a table. Nil if the table removes deleted rows, or if no rows depend on its rows.
  init?(_ table: RecordTable, referredToBy references: [Reference]) {
    guard let deletion = table.deletion, table.key.count == 1, !references.isEmpty else { return nil }
    self.table = table
    self.deletion = table.columns[deletion]
    self.references = references
    key = table.keyColumns[0]
  }

  var trigger: DeclaredTrigger {
    let own = references.filter { $0.table.name == table.name }
    // The rows of the table itself come last, because the other rows are found by their old values.
    let statements =
      references.filter { $0.table.name != table.name }.map { update($0, own) } + own.prefix(1).map(updateOwn(own))
    return DeclaredTrigger(
      "delete", of: table.name, "AFTER UPDATE OF \(deletion.sql)",
      "WHEN NEW.\(deletion.sql) IS NOT OLD.\(deletion.sql) BEGIN \(statements.map { $0 + "; " }.joined())END")
  }

  private func update(_ reference: Reference, _ own: [Reference]) -> String {
    let rows = own.isEmpty ? "= NEW.\(key.sql)" : "IN (\(descendants(own)))"
    return set(reference.table, reference.deletion) + " AND \(reference.column.sql) \(rows)"
  }

  private func updateOwn(_ own: [Reference]) -> (Reference) -> String {
    { set(table, $0.deletion) + " AND \(key.sql) IN (\(descendants(own)))" }
  }

  /// The beginning of an UPDATE that deletes or restores rows in the row's old state.
  private func set(_ table: RecordTable, _ column: RecordColumn) -> String {
    "UPDATE \(table.name.quotedIdentifier) SET \(column.sql) = NEW.\(deletion.sql) WHERE \(column.sql) IS OLD.\(deletion.sql)"
  }

  /// A query for the keys of the row and of all dependent rows in the same table that had the row's old state.
  private func descendants(_ own: [Reference]) -> String {
    let name = table.name.quotedIdentifier
    let links = own.map { "\(name).\($0.column.sql) = \"sanderling_rows\".\"key\"" }.joined(separator: " OR ")
    return "WITH RECURSIVE \"sanderling_rows\"(\"key\") AS (SELECT NEW.\(key.sql) UNION SELECT \(name).\(key.sql) "
      + "FROM \"sanderling_rows\" CROSS JOIN \(name) ON \(links) WHERE \(name).\(deletion.sql) IS OLD.\(deletion.sql)) "
      + "SELECT \"key\" FROM \"sanderling_rows\""
  }
}
