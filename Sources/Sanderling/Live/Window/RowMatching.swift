/// The rows that two lists have in common, in any order.
///
/// Rows of chunks that both lists share are matched as a block. Only the rows of other chunks are looked up one by one.
struct RowMatching {
  /// Rows that are adjacent in both lists.
  struct Block {
    let oldPosition: Int
    let newPosition: Int
    let count: Int
  }

  /// Positions in the old rows, ascending.
  private(set) var removed: [Int] = []
  /// Positions in the new rows, ascending.
  private(set) var inserted: [Int] = []
  /// Positions in the new rows, ascending.
  private(set) var updated: [Int] = []
  /// The rows in both lists, in the order of the new list.
  private(set) var kept: [Block] = []

  init(
    from old: RowStamps, in oldRange: Range<Int>, to new: RowStamps, in newRange: Range<Int>
  ) {
    let oldRuns = old.runs(in: oldRange)
    let newRuns = new.runs(in: newRange)
    let shared = Self.sharedOffsets(oldRuns, newRuns)

    var oldBlocks: [UInt: Int] = [:]
    var candidates: [RowIdentity: (position: Int, version: UInt64)] = [:]
    for run in oldRuns {
      let block = shared[run.identity]
      if let block { oldBlocks[run.identity] = run.position + block.lowerBound - run.offsets.lowerBound }
      Self.forEachRow(of: run, in: old, except: block) { row in
        candidates[row.identityKey] = (row.position, row.version)
      }
    }

    for run in newRuns {
      let block = shared[run.identity]
      var rows: [Block] = []
      Self.forEachRow(of: run, in: new, except: block) { row in
        guard let match = candidates.removeValue(forKey: row.identityKey) else {
          inserted.append(row.position)
          return
        }
        if match.version != row.version { updated.append(row.position) }
        rows.append(Block(oldPosition: match.position, newPosition: row.position, count: 1))
      }
      if let block, let oldPosition = oldBlocks[run.identity] {
        let newPosition = run.position + block.lowerBound - run.offsets.lowerBound
        let index = rows.firstIndex { $0.newPosition > newPosition } ?? rows.endIndex
        rows.insert(Block(oldPosition: oldPosition, newPosition: newPosition, count: block.count), at: index)
      }
      kept += rows
    }
    removed = candidates.values.map(\.position).sorted()
  }

  /// For each chunk with rows in both lists, the offsets of the common rows.
  private static func sharedOffsets(
    _ oldRuns: [RowStamps.Run], _ newRuns: [RowStamps.Run]
  ) -> [UInt: Range<Int>] {
    var offsets: [UInt: Range<Int>] = [:]
    for run in oldRuns { offsets[run.identity] = run.offsets }
    var shared: [UInt: Range<Int>] = [:]
    for run in newRuns {
      guard let common = offsets[run.identity]?.clamped(to: run.offsets), !common.isEmpty else { continue }
      shared[run.identity] = common
    }
    return shared
  }

  private static func forEachRow(
    of run: RowStamps.Run, in rows: RowStamps, except block: Range<Int>?,
    _ body: (RowStamps.Cursor) -> Void
  ) {
    var cursor = rows.cursor(at: run.position)
    let end = run.position + run.offsets.count
    while cursor.position < end {
      if let block, cursor.offset == block.lowerBound {
        cursor.advance(by: block.count)
      } else {
        body(cursor)
        cursor.advance()
      }
    }
  }
}
