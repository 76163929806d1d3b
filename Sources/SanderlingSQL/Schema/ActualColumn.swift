/// A column of a table in a database.
package struct ActualColumn: Sendable {
  package let name: String
  /// The declared type.
  package let type: String
  /// The affinity of the declared type. In a STRICT table, ANY has another affinity.
  package let affinity: Affinity
  package let isNotNull: Bool
  package let defaultSQL: String?
  /// The position in the key, from 1; 0 for columns outside the key.
  package let keyPosition: Int
  package let isGenerated: Bool
  /// Whether the column is a hidden column of a virtual table.
  package let isHidden: Bool
  /// `BINARY` unless declared otherwise.
  package let collation: String

  package init(
    name: String, type: String, isNotNull: Bool, defaultSQL: String?, keyPosition: Int, isGenerated: Bool,
    isHidden: Bool, collation: String
  ) {
    (self.name, self.type, self.isNotNull, self.defaultSQL) = (name, type, isNotNull, defaultSQL)
    (self.keyPosition, self.isGenerated, self.isHidden) = (keyPosition, isGenerated, isHidden)
    self.collation = collation
    affinity = Affinity(declaredType: type)
  }

  /// The names of the rowid. A column with such a name hides it.
  package static let rowIDNames = ["rowid", "_rowid_", "oid"]
}

extension [ActualColumn] {
  package func named(_ name: String) -> ActualColumn? {
    let name = name.folded
    return first { $0.name.folded == name }
  }

  /// The columns of the key, in the key's order.
  package var key: [ActualColumn] {
    filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// The first name of the rowid that no column hides; nil if columns hide all of them.
  package var freeRowIDName: String? {
    ActualColumn.rowIDNames.first { named($0) == nil }
  }
}
