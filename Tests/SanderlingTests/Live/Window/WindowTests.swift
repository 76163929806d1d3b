import Foundation
import Testing

@testable import Sanderling

/// A window holds the first rows of a sorted table, whatever changes the table.
@Suite struct WindowTests {
  private static let byInteger = [
    Ordering(term: EvaluationSpecimen.column("integer")), Ordering(term: EvaluationSpecimen.column("id")),
  ]

  private func row(_ id: Int64, _ values: StorageValue..., version: UInt64 = 0) -> Window<String>.Row {
    .init(
      key: RowKey([.integer(id)]), sortKey: values + [.integer(id)], element: "\(id).\(version)", version: version)
  }

  private func key(_ id: Int64) -> RowKey { RowKey([.integer(id)]) }

  private func change(_ id: Int64, of window: inout Window<String>, to row: Window<String>.Row?) -> Bool {
    window.replace(key(id), with: row)
  }

  /// Returns a window with the rows 1 to `count`, in this order. It knows of no other rows.
  private func window(_ count: Int64) -> Window<String> {
    var window = Window<String>(ordering: Self.byInteger, keyCount: 1)
    window.reset((1...count).map { row($0, .integer($0 * 10)) }, isComplete: false)
    return window
  }

  // MARK: The edge

  @Test func unreadWindowTakesNoChange() {
    var window = Window<String>(ordering: Self.byInteger, keyCount: 1)
    #expect(!window.isComplete)
    #expect(!change(1, of: &window, to: row(1, .integer(1))))
    #expect(window.count == 0)
  }

  @Test func rowsBeyondTheEdgeDoNotEnter() {
    var window = window(3)
    #expect(window.edge == [.integer(30), .integer(3)])
    #expect(!change(4, of: &window, to: row(4, .integer(40))))
    #expect(!change(5, of: &window, to: row(5, .integer(30))))
    #expect(change(0, of: &window, to: row(0, .integer(30))))
    #expect(window.rows(0, count: 9).numbers == [1, 2, 0, 3])
  }

  @Test func theEdgeStaysWhenItsRowLeaves() {
    var window = window(3)
    #expect(change(3, of: &window, to: nil))
    #expect(window.edge == [.integer(30), .integer(3)])
    #expect(change(4, of: &window, to: row(4, .integer(25))))
    #expect(window.rows(0, count: 9).numbers == [1, 2, 4])
    window.append([row(5, .integer(50)), row(6, .integer(60))], isComplete: false)
    #expect(window.edge == [.integer(60), .integer(6)])
  }

  @Test func aRowThatMovesBeyondTheEdgeLeaves() {
    var window = window(3)
    #expect(change(1, of: &window, to: row(1, .integer(99))))
    #expect(window.rows(0, count: 9).numbers == [2, 3])
  }

  @Test func aCompleteWindowTakesEveryRow() {
    var window = window(3)
    window.append([], isComplete: true)
    #expect(window.edge == nil)
    #expect(change(4, of: &window, to: row(4, .blob(Data([1])))))
    #expect(window.rows(0, count: 9).numbers == [1, 2, 3, 4])
  }

  @Test func trimmingMovesTheEdge() {
    var window = window(5)
    window.append([], isComplete: true)
    window.trim(to: 5)
    #expect(window.isComplete)
    window.trim(to: 3)
    #expect(!window.isComplete)
    #expect(window.edge == [.integer(30), .integer(3)])
    #expect(!window.contains(key(4)))
  }

  // MARK: Rows

  @Test func equalRowsAreNoChange() {
    var window = window(3)
    let before = window.rows(0, count: 3)
    #expect(!change(2, of: &window, to: row(2, .integer(20))))
    #expect(!change(9, of: &window, to: nil))
    #expect(window.rows(0, count: 3).chunkIdentities == before.chunkIdentities)
    // A row with a changed sort value may look the same.
    #expect(!change(2, of: &window, to: row(2, .real(20.5))))
    #expect(window.rows(0, count: 3).stamps == before.stamps)
    #expect(change(2, of: &window, to: row(2, .integer(20), version: 1)))
    #expect(isSame(before, [LiveRow(1), LiveRow(2), LiveRow(3)]))
    #expect(isSame(window.rows(0, count: 3), [LiveRow(1), LiveRow(2, version: 1), LiveRow(3)]))
  }

  @Test func windowShowsNoMoreRowsThanItsLimit() {
    var window = window(3)
    for id in 100..<200 {
      window.replace(key(Int64(id)), with: row(Int64(id), .integer(-Int64(id))))
      #expect(window.rows(0, count: 3).count == 3)
    }
    #expect(window.rows(0, count: 3).numbers == [199, 198, 197])
    #expect(window.rows(100, count: 3).numbers == [1, 2, 3])
    #expect(window.rows(102, count: 3).numbers == [3])
    #expect(window.rows(500, count: 3).isEmpty)
  }

  @Test func showingRowsCopiesNone() {
    let window = window(1_000)
    let all = Set(window.rows(0, count: 1_000).chunkIdentities)
    #expect(window.rows(30, count: 500).chunkIdentities.allSatisfy(all.contains))
  }

  @Test func aChangeCopiesAtMostTwoChunksOfAHundredThousandRows() {
    var window = window(100_000)
    let before = window.rows(0, count: .max)
    window.replace(key(50_000), with: row(50_000, .integer(500_000), version: 1))
    window.replace(key(70_000), with: nil)
    let after = window.rows(0, count: .max)
    #expect(Set(after.chunkIdentities).subtracting(before.chunkIdentities).count == 2)
    #expect(before.count == 100_000 && after.count == 99_999)
  }

  @Test func keysThatACollationFindsEqualStandSideBySide() {
    var window = Window<String>(ordering: [Ordering(term: EvaluationSpecimen.column("nocase"))], keyCount: 1)
    window.reset(
      ["a", "b", "c"].map { .init(key: RowKey([.text($0)]), sortKey: [.text($0)], element: $0, version: 0) },
      isComplete: true)
    let upper = RowKey([.text("B")])
    window.replace(upper, with: .init(key: upper, sortKey: [.text("B")], element: "B", version: 0))
    window.replace(RowKey([.text("b")]), with: nil)
    #expect(window.rows(0, count: 9).elements == ["a", "B", "c"])
  }

  // MARK: Chunks

  /// Rows are inserted and deleted at every position of windows that are about as large as chunks.
  @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257]) func rowsComeAndGoAtEveryPosition(count: Int) {
    for position in stride(from: 0, through: count, by: count < 66 ? 1 : 9) {
      var window = window(Int64(count))
      window.append([], isComplete: true)
      var expected = Array(1...count)
      let inserted = row(0, .integer(Int64(position) * 10 + 5))
      #expect(change(0, of: &window, to: inserted))
      expected.insert(0, at: position)
      #expect(window.rows(0, count: .max).numbers == expected)
      #expect(window.position(of: key(0)) == position)
      let removed = expected.remove(at: min(position + 1, count))
      #expect(change(Int64(removed), of: &window, to: nil))
      #expect(window.rows(0, count: .max).numbers == expected)
      #expect(!window.contains(key(Int64(removed))))
      let positions = stride(from: 0, to: expected.count, by: 11)
      #expect(positions.allSatisfy { window.position(of: key(Int64(expected[$0]))) == $0 })
    }
  }

  @Test func aWindowGrowsAndShrinksAcrossTheSizesOfItsChunksAndItsIndex() {
    var generator = SeededGenerator()
    print("Window: SANDERLING_SEED=\(generator.seed)")
    var window = Window<String>(ordering: Self.byInteger, keyCount: 1)
    window.append([], isComplete: true)
    var ids = (0..<Int64(20_000)).shuffled(using: &generator)
    for id in ids { window.replace(key(id), with: row(id, .integer(id / 3))) }
    #expect(window.rows(0, count: .max).numbers == Array(0..<20_000))
    ids.shuffle(using: &generator)
    for id in ids.dropLast(100) { window.replace(key(id), with: nil) }
    let left = ids.suffix(100).sorted()
    #expect(window.rows(0, count: .max).numbers == left.map { Int($0) })
    #expect(left.enumerated().allSatisfy { window.position(of: key($1)) == $0 })
    #expect(!window.contains(key(ids[0])))
  }

  /// A text of ten megabytes isn't copied when a neighbouring row changes, and is compared to its end.
  @Test func rowsAreSortedByTextsOfTenMegabytes() {
    let orderings = [
      Ordering(term: EvaluationSpecimen.column("text")), Ordering(term: EvaluationSpecimen.column("id")),
    ]
    let start = String(repeating: "0123456789", count: 1_000_000)
    var window = Window<String>(ordering: orderings, keyCount: 1)
    window.reset((1...4).map { row($0, .text("\(start)\($0 * 2)")) }, isComplete: true)
    #expect(window.rows(0, count: 9).chunkIdentities.count == 4)
    #expect(change(9, of: &window, to: row(9, .text("\(start)5"))))
    #expect(window.rows(0, count: 9).numbers == [1, 2, 9, 3, 4])
    #expect(change(1, of: &window, to: row(1, .text("\(start)7"))))
    #expect(window.rows(0, count: 9).numbers == [2, 9, 3, 1, 4])
    window.trim(to: 2)
    #expect(window.edge == [.text("\(start)5"), .integer(9)])
  }

  /// Rows whose hashes are equal are distinguished by their keys.
  @Test func keysWithTheSameHashAreDistinguished() throws {
    var window = Window<String>(ordering: Self.byInteger, keyCount: 1)
    window.append([], isComplete: true)
    func row(_ id: Int64) -> Window<String>.Row {
      let row = self.row(id, .integer(0))
      return .init(
        stamp: RowStamp(bytes: row.stamp.bytes, keySize: row.stamp.keySize, hash: 7, version: 0), element: "\(id)")
    }
    window.reset((0..<300).map { row($0) }, isComplete: true)
    let chunks = window.rows(0, count: .max).stamps.storage
    let index = try #require(WindowIndex(chunks, window.ordering))
    for id in stride(from: Int64(0), to: 300, by: 23) {
      let found = key(id).withEncoding { key in
        index.first(7) { chunk in chunks.chunks[chunk].offset(ofKey: key, hash: 7).map { chunk * 64 + $0 } }
      }
      #expect(found == Int(id))
    }
  }
}
