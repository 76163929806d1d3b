import SanderlingSQL

/// The missing columns that the removed columns of a table may be called now.
///
/// A missing column of the same type is the new name of a removed column if the names are similar. Otherwise it is only if
/// the choice is certain: both are declared alike, and neither has another partner of its type. So `currency` is not
/// renamed to `merchantName` beside a column `merchant`.
struct ColumnRenames {
  private let columns: [FoldedName: [DeclaredColumn]]

  /// - Parameters:
  ///   - removed: The columns that no property has any more.
  ///   - missing: The columns of properties that the table lacks.
  ///   - isCompatible: Whether both columns have the same type.
  init(
    removed: [ActualColumn], missing: [DeclaredColumn], isCompatible: (DeclaredColumn, ActualColumn) -> Bool
  ) {
    var columns: [FoldedName: [DeclaredColumn]] = [:]
    for column in removed {
      columns[column.name.folded] = missing.filter {
        isCompatible($0, column) && SimilarNames.are($0.name, column.name)
      }
    }
    let found = Set(columns.values.flatMap { $0 }.map(\.name.folded))
    let left = missing.filter { !found.contains($0.name.folded) }
    let others = removed.filter { columns[$0.name.folded]?.isEmpty == true }
    for column in others {
      let candidates = left.filter { isCompatible($0, column) }
      guard let candidate = candidates.first, candidates.count == 1,
        others.filter({ isCompatible(candidate, $0) }).count == 1, candidate.isNotNull == column.isNotNull,
        (candidate.defaultValue == nil) == (column.defaultSQL == nil)
      else { continue }
      columns[column.name.folded] = [candidate]
    }
    self.columns = columns
  }

  /// The new names that a removed column may have.
  func newColumns(of removed: String) -> [DeclaredColumn] { columns[removed.folded] ?? [] }

  /// The removed columns that a missing column may be.
  func formerColumns(of missing: DeclaredColumn, among removed: [ActualColumn]) -> [ActualColumn] {
    removed.filter { newColumns(of: $0.name).contains { $0.name.folded == missing.name.folded } }
  }
}
