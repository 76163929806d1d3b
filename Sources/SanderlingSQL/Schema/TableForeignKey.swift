/// A foreign key, declared or found.
package struct TableForeignKey: Hashable, Sendable {
  package let columns: [String]
  package let parent: String
  /// The columns that are referred to, or nothing for the parent's key.
  package let parentColumns: [String]
  package let onDelete: String
  package let onUpdate: String

  package init(columns: [String], parent: String, parentColumns: [String], onDelete: String, onUpdate: String) {
    (self.columns, self.parent, self.parentColumns) = (columns, parent, parentColumns)
    (self.onDelete, self.onUpdate) = (onDelete, onUpdate)
  }

  /// The constraint of a table.
  package var constraint: String {
    "FOREIGN KEY (\(columns.quotedIdentifiers)) \(clause)"
  }

  /// The constraint of a column.
  package var clause: String {
    var sql = "REFERENCES \(parent.quotedIdentifier)"
    if !parentColumns.isEmpty { sql += " (\(parentColumns.quotedIdentifiers))" }
    if onDelete != "NO ACTION" { sql += " ON DELETE \(onDelete)" }
    if onUpdate != "NO ACTION" { sql += " ON UPDATE \(onUpdate)" }
    return sql
  }

  /// Whether both mean the same. Parent columns that are left out are the parent's key.
  package func isEquivalent(to other: TableForeignKey) -> Bool {
    let sameParent =
      parentColumns.isEmpty || other.parentColumns.isEmpty || parentColumns.folded == other.parentColumns.folded
    return columns.folded == other.columns.folded && parent.folded == other.parent.folded && sameParent
      && onDelete == other.onDelete && onUpdate == other.onUpdate
  }
}
