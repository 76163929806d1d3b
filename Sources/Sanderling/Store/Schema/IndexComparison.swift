import SanderlingSQL

/// Finds the differences between the indexes of a record's table and those in the database.
struct IndexComparison {
  let table: DeclaredTable
  let actual: ActualTable
  let reader: SchemaReader
  /// The names of the indexes that the store created.
  let ours: Set<FoldedName>
  let isOwned: Bool

  var differences: [SchemaPlan.Difference] {
    table.indexes.compactMap(difference) + dropped
  }

  private func difference(of index: DeclaredIndex) -> SchemaPlan.Difference? {
    guard let shape = shape(of: index) else { return nil }
    let satisfying = actual.indexes.contains { other in
      other.name.folded != index.name.folded && !ours.contains(other.name.folded)
        && (index.isAutomatic ? other.shape.finds(rowsBy: shape) : other.shape.satisfies(shape))
    }
    guard let existing = reader.object(named: index.name) else {
      if satisfying { return nil }
      return isOwned ? Self.creation(of: index, replacing: nil) : missing(index)
    }
    if existing.type == "index", existing.table.folded == table.name.folded {
      if actual.indexes.contains(where: { $0.name.folded == index.name.folded && $0.shape == shape }) { return nil }
      if isOwned { return Self.creation(of: index, replacing: existing) }
      return satisfying ? nil : missing(index)
    }
    return isOwned ? Self.nameIsTaken(index) : satisfying ? nil : missing(index)
  }

  private func shape(of index: DeclaredIndex) -> IndexShape? {
    IndexShape(index.sql) { name in table.column(name)?.collation.rawValue }
  }

  private func missing(_ index: DeclaredIndex) -> SchemaPlan.Difference {
    .harmless(
      table.name, "there is no index like \(index.sql)",
      because: index.isUnique
        ? "Equal values are not prevented, and queries that would use it are slower."
        : "Queries that would use it are slower.")
  }

  /// The removal of indexes that the store created and that no record declares any more.
  private var dropped: [SchemaPlan.Difference] {
    guard isOwned else { return [] }
    let declared = Set(table.indexes.map(\.name.folded))
    return actual.indexes.compactMap { index in
      guard index.sql != nil, ours.contains(index.name.folded), !declared.contains(index.name.folded) else {
        return nil
      }
      return .additive(table.name, "drop index \(index.name.quotedIdentifier)", .dropIndex(index.name))
    }
  }

  static func creation(of index: DeclaredIndex, replacing existing: SchemaObject?) -> SchemaPlan.Difference {
    SchemaPlan.Difference(
      table: index.table, summary: existing == nil ? index.sql : "replace the index by \(index.sql)",
      effect: .additive, steps: [],
      changes: (existing.map { [.dropIndex($0.name)] } ?? []) + [.createIndex(index)])
  }

  static func nameIsTaken(_ index: DeclaredIndex) -> SchemaPlan.Difference {
    .refused(
      index.table, "the name of the index \(index.name.quotedIdentifier) is taken",
      because: "Another table, view or index has it. Give the index a name with the parameter name:.")
  }
}

extension IndexShape {
  /// Whether an index with this shape can replace a declared one.
  fileprivate func satisfies(_ declared: IndexShape) -> Bool {
    finds(sameRowsAs: declared) && (isUnique || !declared.isUnique)
  }

  /// Whether the index contains all rows and begins with the columns of the other one.
  fileprivate func finds(rowsBy other: IndexShape) -> Bool {
    condition == nil && terms.starts(with: other.terms) { $0.hasValues(of: $1) }
  }
}
