import Foundation
import Testing

@testable import Sanderling

/// A window holds the first rows of a sorted table, whatever happens to the table.
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

  /// Rows 1 to `count`, in this order; nothing is known of the others.
  private func window(_ count: Int64) -> Window<String> {
    var window = Window<String>(ordering: Self.byInteger)
    window.reset((1...count).map { row($0, .integer($0 * 10)) }, isComplete: false)
    return window
  }

  // MARK: The edge

  @Test func aWindowThatWasNotReadKnowsNothing() {
    var window = Window<String>(ordering: Self.byInteger)
    #expect(!window.isComplete)
    #expect(window.isBeyondEdge([.null, .integer(1)]))
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
    #expect(!change(2, of: &window, to: row(2, .real(20.5))))
    #expect(!change(9, of: &window, to: nil))
    #expect(window.rows(0, count: 3).chunkIdentities == before.chunkIdentities)
    #expect(change(2, of: &window, to: row(2, .integer(20), version: 1)))
    #expect(isSame(before, [LiveRow(1), LiveRow(2), LiveRow(3)]))
    #expect(isSame(window.rows(0, count: 3), [LiveRow(1), LiveRow(2, version: 1), LiveRow(3)]))
  }

  @Test func nothingShowsMoreThanTheLimit() {
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
    var window = Window<String>(ordering: [Ordering(term: EvaluationSpecimen.column("nocase"))])
    window.reset(
      ["a", "b", "c"].map { .init(key: RowKey([.text($0)]), sortKey: [.text($0)], element: $0, version: 0) },
      isComplete: true)
    let upper = RowKey([.text("B")])
    window.replace(upper, with: .init(key: upper, sortKey: [.text("B")], element: "B", version: 0))
    window.replace(RowKey([.text("b")]), with: nil)
    #expect(window.rows(0, count: 9).map(\.element) == ["a", "B", "c"])
  }

  // MARK: Random tables

  @Test(arguments: [1, 7, 50, 300]) func aWindowIsTheBeginningOfItsTable(shown: Int) throws {
    var generator = EvaluationTermGenerator()
    print("Window: SANDERLING_SEED=\(generator.seed)")
    for _ in 0..<6 {
      var orderings: [Ordering] = []
      for _ in 0..<generator.number(0..<3) {
        orderings.append(
          Ordering(
            term: generator.element(of: EvaluationSpecimen.columns), isDescending: generator.chance(50),
            nulls: generator.element(of: [nil, .first, .last])))
      }
      orderings.append(Ordering(term: EvaluationSpecimen.column("id")))
      try follow(orderings, shown: shown, &generator)
    }
  }

  private func follow(_ orderings: [Ordering], shown: Int, _ generator: inout EvaluationTermGenerator) throws {
    let prepared = try PreparedOrdering(orderings)
    func row(_ id: Int64, _ step: Int) -> Window<String>.Row {
      let values = orderings.dropLast().map { _ in generator.chance(50) ? .integer(id % 5) : generator.value() }
      return .init(
        key: key(id), sortKey: values + [.integer(id)], element: "\(id).\(step)", version: UInt64(step))
    }
    func isBefore(_ lhs: Window<String>.Row, _ rhs: Window<String>.Row) -> Bool {
      prepared.order(lhs.sortKey, rhs.sortKey) == .orderedAscending
    }
    var table: [Int64: Window<String>.Row] = [:]
    for id in 0..<Int64(generator.number(0..<shown * 3)) { table[id] = row(id, 0) }
    var window = Window<String>(ordering: orderings)
    let first = table.values.sorted(by: isBefore).prefix(shown)
    window.reset(Array(first), isComplete: first.count < shown)
    var shots: [(rows: LiveRows<String>, expected: [TestRow])] = []
    let slack = max(4, shown / 2)
    for step in 1..<100 {
      for _ in 0..<generator.number(1..<6) {
        let id = Int64(generator.number(0..<shown * 4))
        table[id] = generator.chance(table.count > shown * 2 ? 60 : 20) ? nil : row(id, step)
        window.replace(key(id), with: table[id])
      }
      let sorted = table.values.sorted(by: isBefore)
      if window.count < shown, !window.isComplete, let edge = window.edge {
        let missing = sorted.drop { prepared.order($0.sortKey, edge) != .orderedDescending }
        let added = missing.prefix(shown + slack - window.count)
        window.append(Array(added), isComplete: added.count == missing.count)
      }
      window.trim(to: shown + 2 * slack)

      let expected = sorted.prefix(shown).map {
        LiveRow(id: RowID(key: $0.key), element: $0.element, version: $0.version)
      }
      let rows = window.rows(0, count: shown)
      guard isSame(rows, expected), window.isComplete == (window.edge == nil) else {
        Issue.record("step \(step) of \(orderings)\nSANDERLING_SEED=\(generator.seed)")
        return
      }
      if step % 10 == 0 {
        let positions = sorted.prefix(window.count).map { window.position(of: $0.key) }
        #expect(positions == Array(0..<window.count), "SANDERLING_SEED=\(generator.seed)")
      }
      #expect(!window.contains(key(-1)))
      if step % 20 == 0 { shots.append((rows, expected)) }
    }
    #expect(shots.allSatisfy { isSame($0.rows, $0.expected) }, "SANDERLING_SEED=\(generator.seed)")
  }
}
