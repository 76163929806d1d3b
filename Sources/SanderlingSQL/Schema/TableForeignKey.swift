/// A foreign key, declared by a record or read from a database.
package struct TableForeignKey: Hashable, Sendable {
  package let columns: [String]
  package let parent: String
  /// The referenced columns; empty for the parent's key.
  package let parentColumns: [String]
  package let onDelete: String
  package let onUpdate: String

  package init(columns: [String], parent: String, parentColumns: [String], onDelete: String, onUpdate: String) {
    (self.columns, self.parent, self.parentColumns) = (columns, parent, parentColumns)
    (self.onDelete, self.onUpdate) = (onDelete, onUpdate)
  }

  /// The foreign key as a table constraint.
  package var constraint: String {
    "FOREIGN KEY (\(columns.quotedIdentifiers)) \(clause)"
  }

  /// The foreign key as a column constraint.
  package var clause: String {
    var sql = "REFERENCES \(parent.quotedIdentifier)"
    if !parentColumns.isEmpty { sql += " (\(parentColumns.quotedIdentifiers))" }
    if onDelete != "NO ACTION" { sql += " ON DELETE \(onDelete)" }
    if onUpdate != "NO ACTION" { sql += " ON UPDATE \(onUpdate)" }
    return sql
  }

  /// Whether both have the same meaning. Omitted parent columns stand for the parent's key.
  package func isEquivalent(to other: TableForeignKey) -> Bool {
    let sameParent =
      parentColumns.isEmpty || other.parentColumns.isEmpty || parentColumns.folded == other.parentColumns.folded
    return columns.folded == other.columns.folded && parent.folded == other.parent.folded && sameParent
      && onDelete == other.onDelete && onUpdate == other.onUpdate
  }
}
