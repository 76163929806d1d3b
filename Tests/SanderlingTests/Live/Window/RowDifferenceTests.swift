import Testing

@testable import Sanderling

/// The difference between two lists of rows turns the first into the second.
@Suite struct RowDifferenceTests {
  private func changes(_ old: [Int], _ new: [Int]) -> [RowChange] {
    Array(RowDifference(from: LiveRows(old), to: LiveRows(new)))
  }

  @Test func equalRowsHaveNoDifference() {
    #expect(changes([], []) == [])
    #expect(changes([1, 2, 3], [1, 2, 3]) == [])
    let rows = LiveRows(Array(0..<1_000))
    #expect(RowDifference(from: rows, to: rows).isEmpty)
  }

  @Test func rowsAreInsertedAndRemoved() {
    #expect(changes([], [1, 2]) == [.insert(at: 0), .insert(at: 1)])
    #expect(changes([1, 2], []) == [.remove(at: 1), .remove(at: 0)])
    #expect(changes([1, 2, 3, 4], [2, 5, 4, 6]) == [.remove(at: 2), .remove(at: 0), .insert(at: 1), .insert(at: 3)])
  }

  @Test func rowsMoveAsLittleAsPossible() {
    #expect(changes([1, 2, 3, 4], [2, 3, 4, 1]) == [.move(from: 0, to: 3)])
    #expect(changes([1, 2, 3, 4], [4, 1, 2, 3]) == [.move(from: 3, to: 0)])
    #expect(changes([1, 2, 3], [2, 1, 3]).count == 1)
    #expect(changes([1, 2, 3, 4], [4, 3, 2, 1]).count == 3)
  }

  @Test func aRowCanMoveAndBeUpdated() {
    let old = LiveRows([1, 2, 3])
    let new = LiveRows([LiveRow(2), LiveRow(3, version: 1), LiveRow(1, version: 1)])
    #expect(Array(RowDifference(from: old, to: new)) == [.move(from: 0, to: 2), .update(at: 1), .update(at: 2)])
  }

  @Test func movesAreAlsoGivenByPositionsBeforeAndAfterAllChanges() {
    let difference = RowDifference(from: LiveRows([1, 2, 3, 4]), to: LiveRows([9, 4, 3, 2]))
    #expect(difference.first == .remove(at: 0))
    #expect(difference.movedRows.count == 2)
    for row in difference.movedRows {
      #expect([1, 2, 3, 4][row.from] == [9, 4, 3, 2][row.to])
    }
  }

  @Test func aSharedChunkOfOneRowMovesPastTwoOthers() {
    var all = LiveRows(Array(0..<192))
    for _ in 64..<127 { all.remove(at: 64) }
    let old = all.slice(62..<67)
    #expect(old.numbers == [62, 63, 127, 128, 129])
    #expect(old.chunkIdentities.count == 3)

    for _ in 0..<2 { all.move(from: 62, to: 64) }
    let new = all.slice(62..<67)
    #expect(new.numbers == [127, 62, 63, 128, 129])
    #expect(new.chunkIdentities.first == old.chunkIdentities[1])
    #expect(Array(RowDifference(from: old, to: new)) == [.move(from: 2, to: 0)])
  }

  @Test func randomListsOfAFewRows() {
    var generator = SeededGenerator()
    print("RowDifference: SANDERLING_SEED=\(generator.seed)")
    for _ in 0..<5_000 {
      let old = LiveRows(randomRows(&generator))
      let new = LiveRows(randomRows(&generator))
      guard check(from: old, to: new, generator.seed) else { return }
      let moves = RowDifference(from: old, to: new).movedRows.count
      #expect(moves == fewestMoves(old.numbers, new.numbers), "SANDERLING_SEED=\(generator.seed)")
    }
  }

  @Test func randomEditsOfManyRows() {
    var generator = SeededGenerator()
    print("RowDifference: SANDERLING_SEED=\(generator.seed)")
    var number = 2_000
    for (size, count) in [(10, 200), (100, 200), (1_000, 50)] {
      var all = LiveRows(Array(0..<size))
      for _ in 0..<count {
        let oldRange = Int.random(in: 0..<4, using: &generator)..<all.count - Int.random(in: 0..<4, using: &generator)
        let old = all.slice(oldRange)
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
          edit(&all, number: &number, size: size, &generator)
        }
        let newRange = Int.random(in: 0..<4, using: &generator)..<all.count - Int.random(in: 0..<4, using: &generator)
        let new = all.slice(newRange)
        guard check(from: old, to: new, generator.seed) else { return }
        let moves = RowDifference(from: old, to: new).movedRows.count
        #expect(moves == fewestMoves(old.numbers, new.numbers), "SANDERLING_SEED=\(generator.seed)")
      }
    }
  }

  private func randomRows(_ generator: inout SeededGenerator) -> [TestRow] {
    (0..<8).filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
      .map { LiveRow($0, version: UInt64.random(in: 0..<2, using: &generator)) }
  }

  private func edit(
    _ rows: inout LiveRows<String>, number: inout Int, size: Int, _ generator: inout SeededGenerator
  ) {
    number += 1
    let position = Int.random(in: 0..<rows.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: rows.insert(LiveRow(number), at: position)
    case 1 where rows.count > max(8, size / 2): rows.remove(at: position)
    case 2: rows.replace(at: position, with: LiveRow(rows.row(at: position).id.number, version: UInt64(number)))
    default:
      rows.move(from: position, to: Int.random(in: 0..<rows.count, using: &generator))
    }
  }

  /// Whether the difference turns the old rows into the new ones, both change by change and as a batch.
  private func check(from old: LiveRows<String>, to new: LiveRows<String>, _ seed: UInt64) -> Bool {
    let difference = RowDifference(from: old, to: new)
    let rows = new.identified
    var sequential = Array(old.identified)
    difference.apply(to: &sequential) { rows[$0] }
    let batch = applyAsBatch(difference, from: old.identified, to: rows)
    let isRight = isSame(sequential, rows) && isSame(batch, rows) && isOrdered(difference)
    if !isRight { Issue.record("\(old.numbers) to \(new.numbers): \(Array(difference))\nSANDERLING_SEED=\(seed)") }
    return isRight
  }

  /// Applies a difference as a table view does. Removals and origins of moves are positions before all changes.
  /// Insertions and destinations of moves are positions after all changes.
  private func applyAsBatch(
    _ difference: RowDifference, from old: IdentifiedRows<String>, to new: IdentifiedRows<String>
  ) -> [TestRow] {
    var left = Set(difference.movedRows.map(\.from))
    var arrived: [Int: TestRow] = [:]
    for row in difference.movedRows { arrived[row.to] = old[row.from] }
    for case .remove(let position) in difference { left.insert(position) }
    for case .insert(let position) in difference { arrived[position] = new[position] }
    var staying = old.indices.filter { !left.contains($0) }.map { old[$0] }[...]
    var result = (0..<staying.count + arrived.count).compactMap { arrived[$0] ?? staying.popFirst() }
    for case .update(let position) in difference where position < result.count { result[position] = new[position] }
    return result
  }

  private func isOrdered(_ difference: RowDifference) -> Bool {
    let order = difference.map { change in
      switch change {
      case .remove(let position): (0, -position)
      case .move: (1, 0)
      case .insert(let position): (2, position)
      case .update(let position): (3, position)
      }
    }
    return zip(order, order.dropFirst()).allSatisfy { $0 < $1 || $0 == (1, 0) && $1 == (1, 0) }
  }

  /// Returns the least number of moves: all common rows except a longest increasing subsequence.
  private func fewestMoves(_ old: [Int], _ new: [Int]) -> Int {
    let positions = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
    let common = new.compactMap { positions[$0] }
    // The least last element of an increasing subsequence, for each length.
    var ends: [Int] = []
    for position in common {
      if let index = ends.firstIndex(where: { $0 >= position }) {
        ends[index] = position
      } else {
        ends.append(position)
      }
    }
    return common.count - ends.count
  }
}
