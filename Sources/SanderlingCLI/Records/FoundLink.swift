import SanderlingSQL

/// A foreign key that an association can follow: it refers to the key of the parent's record.
struct FoundLink {
  let child: FoundTable
  let parent: FoundTable
  let reference: TableForeignKey
  /// The child's columns, in the order of the parent's key.
  let columns: [String]

  /// - Returns: Nil if the foreign key refers to other columns than the key, or to a key of another type.
  init?(_ reference: TableForeignKey, of child: FoundTable, to parent: FoundTable, _ types: RecordTypes) {
    let key = parent.recordKey.columns
    let pairs = zip(reference.columns, reference.columns(in: parent))
    let columns = key.compactMap { name in pairs.first { $0.1.folded == name.folded }?.0 }.compactMap(child.column)
    guard !key.isEmpty, columns.count == key.count, reference.columns.count == key.count,
      zip(columns, key).allSatisfy({ column, name in
        let type = types.type(of: name, in: parent.name)
        return !column.isGenerated && !type.isAny && types.type(of: column.name, in: child.name).isAlike(type)
      })
    else { return nil }
    (self.child, self.parent, self.reference) = (child, parent, reference)
    self.columns = columns.map(\.name)
  }

  /// The column that tells the link from others, and the property of the parent's key that the column refers to; nil if no
  /// single column does. Of several columns, it is the only one that has another name than in the parent's key.
  func end(among links: [FoundLink]) -> (column: String, key: String)? {
    let pairs = zip(columns, parent.recordKey.columns).map { (column: $0, key: SwiftName.property(of: $1)) }
    if pairs.count == 1 { return pairs[0] }
    let own = pairs.filter { pair in
      SwiftName.property(of: pair.column) != pair.key
        && !links.contains { $0.columns.folded != columns.folded && $0.columns.folded.contains(pair.column.folded) }
    }
    return own.count == 1 ? own[0] : nil
  }

  /// Whether the child is a join table between this link's parent and another link's parent. Then no two rows connect the
  /// same rows, or the table is named after both parents and nothing else.
  func isJoin(with other: FoundLink, among links: [FoundLink], _ names: RecordNames) -> Bool {
    let columns = Set((columns + other.columns).folded)
    guard columns.count == self.columns.count + other.columns.count else { return false }
    let key = Set(child.keyColumns.map(\.name.folded))
    let unique = child.indexes.filter { $0.isUnique && !$0.isPartial }.map { Set($0.terms.map { $0.column?.folded }) }
    if key == columns || unique.contains(Set(columns.map { Optional($0) })) { return true }
    return links.count == 2 && isNamed(after: [parent, other.parent], names)
  }

  private func isNamed(after parents: [FoundTable], _ names: RecordNames) -> Bool {
    var words = NameWords(names[child.name].one).words.map { $0.lowercased() }
    for parent in parents {
      for word in NameWords(names[parent.name].one).words {
        guard let index = words.firstIndex(of: word.lowercased()) else { return false }
        words.remove(at: index)
      }
    }
    return words.allSatisfy(["and", "join", "link", "map", "mapping", "relation", "rel", "to", "xref"].contains)
  }
}
