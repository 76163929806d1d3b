/// The comparison of two lists of rows: their removed, inserted, moved and updated rows.
struct RowComparison {
  /// Positions in the old rows, ascending.
  private(set) var removed: [Int] = []
  /// Positions in the new rows, ascending.
  private(set) var inserted: [Int] = []
  /// Positions in the new rows, ascending.
  private(set) var updated: [Int] = []
  /// Moves of single rows, made in order between the removals and the insertions.
  private(set) var moves: [RowChange] = []
  private(set) var movedRows: [RowDifference.MovedRow] = []

  init(from old: RowStamps, to new: RowStamps) {
    let front = compareFronts(old, new)
    var updatedAtBack: [Int] = []
    let back = compareBacks(old, new, limit: min(old.count, new.count) - front, updated: &updatedAtBack)
    compareMiddles(old, front..<old.count - back, new, front..<new.count - back)
    updated += updatedAtBack.reversed()
  }

  /// Compares forward while the rows have the same keys.
  ///
  /// - Returns: The number of rows with the same keys.
  private mutating func compareFronts(_ old: RowStamps, _ new: RowStamps) -> Int {
    var oldCursor = old.cursor(at: 0)
    var newCursor = new.cursor(at: 0)
    let end = min(old.count, new.count)
    while newCursor.position < end {
      if oldCursor.isShared(with: newCursor) {
        let shared = min(oldCursor.remainingInChunk, newCursor.remainingInChunk)
        oldCursor.advance(by: shared)
        newCursor.advance(by: shared)
      } else {
        guard oldCursor.hasSameKey(as: newCursor) else { break }
        if oldCursor.version != newCursor.version { updated.append(newCursor.position) }
        oldCursor.advance()
        newCursor.advance()
      }
    }
    return newCursor.position
  }

  /// Compares backward while the rows have the same keys, for `limit` rows at most.
  private mutating func compareBacks(
    _ old: RowStamps, _ new: RowStamps, limit: Int, updated: inout [Int]
  ) -> Int {
    var count = 0
    var oldCursor = old.cursor(at: old.count - 1)
    var newCursor = new.cursor(at: new.count - 1)
    while count < limit {
      if oldCursor.isShared(with: newCursor) {
        let shared = min(oldCursor.precedingInChunk, newCursor.precedingInChunk, limit - count)
        oldCursor.retreat(by: shared)
        newCursor.retreat(by: shared)
        count += shared
      } else {
        guard oldCursor.hasSameKey(as: newCursor) else { break }
        if oldCursor.version != newCursor.version { updated.append(newCursor.position) }
        oldCursor.retreat()
        newCursor.retreat()
        count += 1
      }
    }
    return count
  }

  private mutating func compareMiddles(
    _ old: RowStamps, _ oldRange: Range<Int>, _ new: RowStamps, _ newRange: Range<Int>
  ) {
    if oldRange.isEmpty || newRange.isEmpty {
      removed = Array(oldRange)
      inserted = Array(newRange)
      return
    }
    let matching = RowMatching(from: old, in: oldRange, to: new, in: newRange)
    removed = matching.removed
    inserted = matching.inserted
    updated += matching.updated
    let planner = MovePlanner(blocks: matching.kept, start: oldRange.lowerBound)
    moves = planner.moves
    movedRows = planner.movedRows
  }
}
