import Testing

@testable import Sanderling

/// `LiveRows` is an array whose copies share all chunks that did not change.
@Suite struct LiveRowsTests {
  @Test func rowsShowTheirElementsProperties() {
    let row = LiveRow(7, version: 3)
    #expect(row.count == 3)
    #expect(row.element == "7.3")
    #expect(row.id.description == "7")
    #expect(RowID(key: RowKey([.text("it's"), .null])).description == "('it''s', NULL)")
  }

  @Test func emptyRowsAreEmpty() {
    let rows = LiveRows<String>()
    #expect(rows.isEmpty)
    #expect(Array(rows) == [])
    #expect(rows.slice(0..<0).isEmpty)
  }

  @Test func randomChangesAreThoseOfAnArray() {
    var generator = SeededGenerator()
    print("LiveRows: SANDERLING_SEED=\(generator.seed)")
    for size in [3, 70, 400] {
      var rows = LiveRows<String>()
      var model: [TestRow] = []
      var snapshots: [(rows: LiveRows<String>, model: [TestRow])] = []
      for step in 0..<1_500 {
        change(&rows, &model, step: step, size: size, &generator)
        if step % 50 == 0 { snapshots.append((rows, model)) }
        guard isSame(rows, model), rows.count == model.count else {
          Issue.record("step \(step), size \(size), SANDERLING_SEED=\(generator.seed)")
          return
        }
        if let position = model.indices.randomElement(using: &generator) {
          #expect(rows.row(at: position) == model[position], "SANDERLING_SEED=\(generator.seed)")
        }
      }
      #expect(snapshots.allSatisfy { isSame($0.rows, $0.model) }, "SANDERLING_SEED=\(generator.seed)")
    }
  }

  private func change(
    _ rows: inout LiveRows<String>, _ model: inout [TestRow], step: Int, size: Int,
    _ generator: inout SeededGenerator
  ) {
    let row = LiveRow(step, version: UInt64(step))
    let grows = Int.random(in: 0..<2 * size, using: &generator) >= model.count
    switch Int.random(in: 0..<20, using: &generator) {
    case 0:
      let range = randomRange(0..<model.count, &generator)
      rows = rows.slice(range)
      model = Array(model[range])
    case 1:
      let added = (0..<Int.random(in: 0..<size, using: &generator)).map { LiveRow(1_000_000 + step * 1_000 + $0) }
      rows.append(contentsOf: added)
      model += added
    case 2:
      let removed = Int.random(in: 0...Swift.min(model.count, 3), using: &generator)
      rows.removeLast(removed)
      model.removeLast(removed)
    case 3..<8 where !model.isEmpty:
      let position = Int.random(in: 0..<model.count, using: &generator)
      rows.replace(at: position, with: row)
      model[position] = row
    case _ where grows || model.isEmpty:
      let position = Int.random(in: 0...model.count, using: &generator)
      rows.insert(row, at: position)
      model.insert(row, at: position)
    default:
      let position = Int.random(in: 0..<model.count, using: &generator)
      rows.remove(at: position)
      model.remove(at: position)
    }
  }

  private func randomRange(_ range: Range<Int>, _ generator: inout SeededGenerator) -> Range<Int> {
    let quarter = range.count / 4
    return Int.random(in: 0...quarter, using: &generator)..<range.count
      - Int.random(in: 0...quarter, using: &generator)
  }

  @Test func aChangeCopiesOneChunk() {
    let old = LiveRows(Array(0..<10_000))
    #expect(old.chunkIdentities.count == 157)

    var replaced = old
    replaced.replace(at: 5_000, with: LiveRow(5_000, version: 1))
    #expect(copiedChunks(from: old, to: replaced) == 1)

    var removed = old
    removed.remove(at: 5_000)
    #expect(copiedChunks(from: old, to: removed) == 1)

    // A full chunk is split.
    var inserted = old
    inserted.insert(LiveRow(-1), at: 5_000)
    #expect(copiedChunks(from: old, to: inserted) == 2)

    var appended = old
    appended.append(contentsOf: [LiveRow(10_000)])
    #expect(copiedChunks(from: old, to: appended) == 1)
  }

  @Test func aSliceCopiesNoRows() {
    let rows = LiveRows(Array(0..<10_000))
    let slice = rows.slice(100..<9_000)
    #expect(copiedChunks(from: rows, to: slice) == 0)
    #expect(slice.chunkIdentities.count < rows.chunkIdentities.count)
    #expect(slice.numbers == Array(100..<9_000))
    #expect(slice.slice(10..<20).numbers == Array(110..<120))
  }

  @Test func changesInPlaceCopyNoChunk() {
    var rows = LiveRows(Array(0..<1_000))
    let identities = rows.chunkIdentities
    for position in rows.indices { rows.replace(at: position, with: LiveRow(position, version: 1)) }
    #expect(rows.chunkIdentities == identities)
  }

  @Test func chunksStayFilled() {
    var rows = LiveRows(Array(0..<10_000))
    var generator = SeededGenerator()
    while rows.count > 500 { rows.remove(at: Int.random(in: 0..<rows.count, using: &generator)) }
    #expect(rows.chunkIdentities.count < 50)
    for number in 0..<5_000 { rows.insert(LiveRow(number), at: 0) }
    #expect(rows.chunkIdentities.count < 5_500 / 25)
  }

  private func copiedChunks(from old: LiveRows<String>, to new: LiveRows<String>) -> Int {
    Set(new.chunkIdentities).subtracting(old.chunkIdentities).count
  }
}
