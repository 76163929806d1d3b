import Foundation
import Testing

@testable import Sanderling

/// A window equals the beginning of a sorted array of all rows, whatever changes the rows.
@Suite struct WindowDifferentialTests {
  /// A type of keys, with the last columns that rows are ordered by.
  struct KeyKind: Sendable, CustomStringConvertible {
    let description: String
    let columns: [String]
    let values: @Sendable (Int) -> [StorageValue]

    static let all = [
      KeyKind(description: "integer", columns: ["id"]) { [.integer(Int64($0))] },
      KeyKind(description: "real", columns: ["real"]) { [.real(Double($0) / 4)] },
      KeyKind(description: "text", columns: ["text"]) { [.text($0 % 3 == 0 ? "\($0) that takes memory" : "\($0)")] },
      KeyKind(description: "blob", columns: ["blob"]) { number in
        [.blob(Data((0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 8)) }) + Data(number % 5 == 0 ? [1] : []))]
      },
      KeyKind(description: "compound", columns: ["integer", "text"]) { [.integer(Int64($0 % 7)), .text("\($0)")] },
    ]

    var orderings: [Ordering] { columns.map { Ordering(term: EvaluationSpecimen.column($0)) } }
  }

  private struct ModelRow {
    let key: RowKey
    let sortKey: [StorageValue]
    let counts: [Int64]
    let version: UInt64
    let isReadable: Bool

    var element: String { "\(key) \(version)" }
    var row: Window<String>.Row {
      let row = Window<String>.Row(key: key, sortKey: sortKey, counts: counts, element: element, version: version)
      return isReadable ? row : row.unreadable
    }
    var liveRow: TestRow { LiveRow(id: RowID(key: key), element: element, version: version) }
  }

  @Test(arguments: KeyKind.all, [1, 7, 50, 300])
  func aWindowIsTheBeginningOfItsTable(kind: KeyKind, shown: Int) throws {
    var generator = EvaluationTermGenerator()
    print("Window: SANDERLING_SEED=\(generator.seed)")
    for _ in 0..<(shown < 100 ? 4 : 1) {
      var orderings: [Ordering] = []
      for _ in 0..<generator.number(0..<3) {
        orderings.append(
          Ordering(
            term: generator.element(of: EvaluationSpecimen.columns), isDescending: generator.chance(50),
            nulls: generator.element(of: [nil, .first, .last])))
      }
      var run = try Run(kind, orderings, shown, generator)
      try run.follow()
      generator = run.generator
    }
  }

  /// A window and its model.
  private struct Run {
    let kind: KeyKind
    let orderings: [Ordering]
    let prepared: PreparedOrdering
    let shown: Int
    var generator: EvaluationTermGenerator
    var table: [Int: ModelRow] = [:]
    var window: Window<String>
    /// The percentage of rows that are unreadable: usually low, and sometimes high.
    var unreadablePercent = 10

    init(_ kind: KeyKind, _ orderings: [Ordering], _ shown: Int, _ generator: EvaluationTermGenerator) throws {
      self.kind = kind
      self.orderings = orderings + kind.orderings
      self.shown = shown
      self.generator = generator
      prepared = try PreparedOrdering(self.orderings)
      window = Window(ordering: self.orderings, keyCount: kind.columns.count)
      if self.generator.chance(20) { unreadablePercent = 80 }
    }

    private var sorted: [ModelRow] {
      table.values.sorted { prepared.order($0.sortKey, $1.sortKey) == .orderedAscending }
    }

    private mutating func row(_ number: Int, _ step: Int) -> ModelRow {
      let key = kind.values(number)
      var values: [StorageValue] = []
      for _ in 0..<orderings.count - key.count {
        values.append(generator.chance(50) ? .integer(Int64(number % 5)) : value())
      }
      // Sometimes only the sort values change, or only the counts.
      let version = generator.chance(20) ? table[number]?.version : nil
      return ModelRow(
        key: RowKey(key), sortKey: values + RowKey(key).values,
        counts: generator.chance(50) ? [Int64(number), Int64(step)] : [], version: version ?? UInt64(step),
        isReadable: !generator.chance(unreadablePercent))
    }

    private mutating func value() -> StorageValue {
      if generator.chance(97) { return generator.value() }
      // A few of these long texts fill a chunk.
      return .text(String(repeating: "long ", count: generator.number(1_000..<8_000)))
    }

    mutating func follow() throws {
      for number in 0..<generator.number(0..<shown * 3) { table[number] = row(number, 0) }
      let first = sorted.prefix(shown)
      window.reset(first.map(\.row), isComplete: first.count < shown)
      var shots: [(rows: LiveRows<String>, expected: [TestRow])] = []
      for step in 1..<(shown < 100 ? 100 : 40) {
        for _ in 0..<generator.number(1..<6) {
          let number = generator.number(0..<shown * 4)
          table[number] = generator.chance(table.count > shown * 2 ? 60 : 20) ? nil : row(number, step)
          window.replace(RowKey(kind.values(number)), with: table[number]?.row)
        }
        guard let shot = check(step) else {
          Issue.record("step \(step) of \(orderings) with \(kind) keys\nSANDERLING_SEED=\(generator.seed)")
          return
        }
        if step % 20 == 0 { shots.append(shot) }
      }
      #expect(shots.allSatisfy { isSame($0.rows, $0.expected) }, "SANDERLING_SEED=\(generator.seed)")
    }

    /// Compares the window with the model.
    ///
    /// - Returns: The shown rows and the expected rows; nil if anything about the window is wrong.
    private mutating func check(_ step: Int) -> (rows: LiveRows<String>, expected: [TestRow])? {
      let sorted = sorted
      let slack = max(4, shown / 2)
      if window.count < shown, !window.isComplete, let edge = window.edge {
        let missing = sorted.drop { prepared.order($0.sortKey, edge) != .orderedDescending }
        let added = missing.prefix(shown + slack - window.count)
        window.append(added.map(\.row), isComplete: added.count == missing.count)
      }
      window.trim(to: shown + 2 * slack)
      let part = window.part(after: 0, count: shown)
      let rows = part.readable
      let expected = sorted.prefix(shown).filter(\.isReadable).map(\.liveRow)
      guard isSame(rows, expected), window.isComplete == (window.edge == nil) else { return nil }
      let unreadable = sorted.prefix(shown).enumerated().filter { !$1.isReadable }
      guard part.unreadable.map(\.position) == unreadable.map(\.offset),
        part.unreadable.map(\.row.id.key) == unreadable.map(\.element.key)
      else { return nil }
      if step % 10 == 0 {
        for (position, row) in sorted.prefix(window.count).enumerated() {
          guard window.position(of: row.key) == position,
            window.counts(of: row.key) == (row.counts.isEmpty ? nil : row.counts)
          else { return nil }
        }
        if sorted.dropFirst(window.count).contains(where: { window.contains($0.key) }) { return nil }
      }
      return window.contains(RowKey([.integer(-1)])) ? nil : (rows, expected)
    }
  }
}
