import Testing

@testable import Sanderling

/// The interval index finds the same ranges as a search of an array.
@Suite struct IntervalIndexTests {
  private func range(_ lower: Int64?, _ upper: Int64?) -> RouteRange {
    RouteRange(
      lower: lower.map { .init(value: .integer($0), isIncluded: true) },
      upper: upper.map { .init(value: .integer($0), isIncluded: false) })
  }

  private func found(_ index: IntervalIndex<String>, _ value: StorageValue) -> [String] {
    var found: [String] = []
    _ = index.forEach(holding: value) { found.append($0) }
    return found.sorted()
  }

  @Test func endsAreIncludedOrNot() {
    let index = IntervalIndex<String>(.binary)
    index.insert(range(1, 5), number: 1, "1 to 5")
    index.insert(range(nil, 3), number: 2, "to 3")
    index.insert(range(4, nil), number: 3, "from 4")
    #expect(found(index, .integer(0)) == ["to 3"])
    #expect(found(index, .integer(1)) == ["1 to 5", "to 3"])
    #expect(found(index, .integer(3)) == ["1 to 5"])
    #expect(found(index, .real(4)) == ["1 to 5", "from 4"])
    #expect(found(index, .integer(5)) == ["from 4"])
    #expect(found(index, .null) == ["to 3"])
    #expect(found(index, .text("")) == ["from 4"])
    index.remove(range(4, nil), number: 3)
    #expect(found(index, .integer(9)) == [])
    #expect(index.count == 2)
  }

  @Test(arguments: [Collation.binary, .nocase, .rtrim])
  func randomRangesAreThoseOfAnArray(collation: Collation) {
    var generator = EvaluationTermGenerator()
    print("IntervalIndex: SANDERLING_SEED=\(generator.seed)")
    let index = IntervalIndex<Int>(collation)
    var ranges: [(range: RouteRange, number: Int)] = []
    for number in 0..<2_000 {
      if generator.chance(ranges.count > 150 ? 60 : 30), !ranges.isEmpty {
        let removed = ranges.remove(at: generator.number(0..<ranges.count))
        index.remove(removed.range, number: removed.number)
      } else {
        let range = RouteRange(lower: end(&generator), upper: end(&generator))
        ranges.append((range, number))
        index.insert(range, number: number, number)
      }
      let value = ranges.isEmpty || generator.chance(50) ? generator.value() : someEnd(of: ranges, &generator)
      var found: [Int] = []
      _ = index.forEach(holding: value) { found.append($0) }
      let expected = ranges.filter { holds($0.range, value, collation) }.map(\.number)
      guard found.sorted() == expected.sorted(), index.count == ranges.count else {
        Issue.record("\(value) in \(ranges): \(found)\nSANDERLING_SEED=\(generator.seed)")
        return
      }
    }
  }

  private func end(_ generator: inout EvaluationTermGenerator) -> RouteRange.End? {
    generator.chance(20) ? nil : .init(value: generator.value(), isIncluded: generator.chance(50))
  }

  private func someEnd(
    of ranges: [(range: RouteRange, number: Int)], _ generator: inout EvaluationTermGenerator
  ) -> StorageValue {
    let range = generator.element(of: ranges).range
    return (range.lower ?? range.upper)?.value ?? .null
  }

  private func holds(_ range: RouteRange, _ value: StorageValue, _ collation: Collation) -> Bool {
    if let lower = range.lower {
      let order = SQLiteComparison.order(value, lower.value, collation: collation)
      guard order == .orderedDescending || order == .orderedSame && lower.isIncluded else { return false }
    }
    if let upper = range.upper {
      let order = SQLiteComparison.order(value, upper.value, collation: collation)
      guard order == .orderedAscending || order == .orderedSame && upper.isIncluded else { return false }
    }
    return true
  }

  @Test func searchExaminesFewRanges() {
    let index = IntervalIndex<Int64>(.binary)
    for number in 0..<10_000 {
      index.insert(range(Int64(number) * 10, Int64(number) * 10 + 10), number: number, Int64(number))
    }
    for value in stride(from: Int64(5), to: 100_000, by: 1_000) {
      var found: [Int64] = []
      #expect(index.forEach(holding: .integer(value)) { found.append($0) } < 80)
      #expect(found == [value / 10])
    }
    #expect(index.forEach(holding: .integer(-1)) { _ in } < 60)
    #expect(index.forEach(holding: .integer(1_000_000)) { _ in } == 1)
  }
}
