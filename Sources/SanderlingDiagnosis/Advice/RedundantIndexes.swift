import SanderlingSQL

/// Finds indexes that another index can replace.
struct RedundantIndexes {
  let schema: DatabaseSchema

  /// The indexes that enforce nothing and whose columns another index begins with. The other index exists or is
  /// created. O(indexes²) for each table.
  func find(creating candidates: Set<IndexCandidate>) -> [IndexSchema] {
    var dropped: [String] = []
    return schema.tables.filter { $0.kind == .ordinary }.flatMap { table -> [IndexSchema] in
      table.indexes.filter { index in
        guard index.canBeDropped else { return false }
        let begins = table.indexes.contains { other in
          guard other.name != index.name, !dropped.contains(other.name) else { return false }
          return Self.begins(index, other, in: table)
        }
        let beginsNew = candidates.contains { new in
          new.table.asciiLowercased == table.name.asciiLowercased && Self.begins(index, new, in: table)
        }
        if begins || beginsNew { dropped.append(index.name) }
        return begins || beginsNew
      }
    }
  }

  private static func begins(_ index: IndexSchema, _ other: IndexSchema, in table: TableSchema) -> Bool {
    guard other.keys.count >= index.keys.count, isSame(index.condition, other.condition) else { return false }
    // The other index may have much longer entries, which is a cost of its reads. But each write maintains both
    // indexes.
    return zip(index.keys, other.keys).allSatisfy { one, other in
      one.column?.asciiLowercased == other.column?.asciiLowercased && one.isDescending == other.isDescending
        && one.collation.asciiLowercased == other.collation.asciiLowercased
        && isSame(one.expression, other.expression)
    }
  }

  private static func begins(_ index: IndexSchema, _ new: IndexCandidate, in table: TableSchema) -> Bool {
    guard new.keys.count >= index.keys.count, isSame(index.condition, new.condition) else { return false }
    return zip(index.keys, new.keys).allSatisfy { $0.isLike($1, in: table) && $0.isDescending == $1.isDescending }
  }

  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return SQLText.sameTokens(one, other)
  }
}
