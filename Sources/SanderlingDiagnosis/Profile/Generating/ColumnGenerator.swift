/// Gives a column's values, row after row, each as often as the profile says.
struct ColumnGenerator {
  /// A range of values, with the figures for drawing values from it.
  private struct Range {
    var rows: Int64
    var distinct: Int64
    var firstPlace: Int64
    /// Values, and rows, of all classes of frequency up to each.
    var valueEnds: [Int64] = []
    var rowEnds: [Int64] = []
    /// Which class a value is of.
    var mixing: Permutation
  }

  private static let mostWalked: Int64 = 290

  let profile: ProfiledColumn
  private let maker: ValueMaker
  private var ranges: [Range] = []
  /// Rows of all ranges up to each.
  private var rowEnds: [Int64] = []
  private let seed: UInt64
  private let distinct: Int64
  /// For each group of ranges: the first row of it, how many it has, and how many were drawn.
  private var groups: [(first: Int64, rows: Int64, drawn: Int64, order: Permutation)] = []
  /// Where a walk through the values in their order is.
  private var walk: (range: Int, value: Int64, left: Int64) = (0, -1, 0)
  private let walkOrder: Permutation
  private let window: Permutation
  private var drawn: Int64 = 0

  init(_ profile: ProfiledColumn, domain: ProfiledDomain?, groups firsts: [Int]?, seed: UInt64) {
    self.profile = profile
    self.seed = seed
    maker = ValueMaker(domain?.parts ?? profile.parts ?? [])
    distinct = profile.distinct ?? 0
    var (place, rows): (Int64, Int64) = (0, 0)
    for range in profile.ranges {
      var made = Range(
        rows: range.rows, distinct: range.distinct, firstPlace: place,
        mixing: Permutation(count: range.distinct, seed: Scramble.bits(seed, UInt64(place))))
      for pair in range.frequencies {
        made.valueEnds.append((made.valueEnds.last ?? 0) + pair[0])
        made.rowEnds.append((made.rowEnds.last ?? 0) + pair[1])
      }
      ranges.append(made)
      place += range.distinct
      rows += range.rows
      rowEnds.append(rows)
    }
    walkOrder = Permutation(count: max(1, distinct), seed: Scramble.bits(seed, 41))
    window = Permutation(count: profile.window, seed: Scramble.bits(seed, 43))
    let starts = firsts ?? [0]
    for (index, first) in starts.enumerated() where !ranges.isEmpty {
      let begin = first == 0 ? 0 : rowEnds[first - 1]
      let end = index + 1 < starts.count ? rowEnds[starts[index + 1] - 1] : rows
      groups.append(
        (begin, end - begin, 0, Permutation(count: end - begin, seed: Scramble.bits(seed, UInt64(index + 7)))))
    }
  }

  /// Whether its values stand in an order along the rows, so that no cell decides about them.
  private var isOrdered: Bool { profile.order != .scattered }

  /// The next value: of a group of ranges, where one is given.
  mutating func next(group: Int?, row: Int64) -> BoundValue {
    guard profile.parts == nil else {
      return maker.value(ofRow: Scramble.bits(seed, UInt64(bitPattern: row)))
    }
    guard !ranges.isEmpty else { return .null }
    return value(at: isOrdered ? orderedPlace() : place(inGroup: group ?? 0))
  }

  /// Another value instead of the last one, which some constraint refused.
  mutating func another(group: Int?, row: Int64, attempt: Int) -> BoundValue {
    guard profile.parts == nil, !ranges.isEmpty else { return next(group: group, row: row &+ Int64(attempt) &* 7_919) }
    if attempt < 8, !isOrdered { return value(at: place(inGroup: group ?? 0)) }
    // Of few values, one after the other: each of them is tried.
    let isWalk = distinct <= Self.mostWalked
    let chance = Scramble.bits(isWalk ? seed : seed &+ UInt64(attempt), UInt64(bitPattern: row))
    return value(at: Int64((chance &+ UInt64(isWalk ? attempt : 0)) % UInt64(distinct)))
  }

  // MARK: Places

  private func value(at own: Int64) -> BoundValue {
    maker.value(at: place(inDomain: own))
  }

  private func place(inDomain own: Int64) -> Int64 {
    guard let last = profile.places.last else { return own }
    guard own < last[0] else { return last[1] + (own - last[0]) }
    var (low, high) = (0, profile.places.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if profile.places[middle][0] <= own { low = middle } else { high = middle }
    }
    let (from, to) = (profile.places[low], profile.places[high])
    let (steps, width) = (own - from[0], max(1, to[0] - from[0]))
    let share = Double(to[1] - from[1]) / Double(width)
    return max(0, min(from[1] + Int64(clamping: Double(steps) * share), maker.count - 1))
  }

  private mutating func place(inGroup group: Int) -> Int64 {
    let index = groups.indices.contains(group) ? group : 0
    let slot = groups[index].first + groups[index].order(groups[index].drawn)
    groups[index].drawn += 1
    return place(ofSlot: slot)
  }

  /// Rows with equal values follow each other in slots; values of a range are mixed.
  private func place(ofSlot slot: Int64) -> Int64 {
    let index = min(rowEnds.place(of: slot, after: 0), ranges.count - 1)
    let range = ranges[index]
    let inRange = slot - (index == 0 ? 0 : rowEnds[index - 1])
    let kind = min(range.rowEnds.place(of: inRange, after: 0), range.rowEnds.count - 1)
    let (firstRow, firstValue) = kind == 0 ? (0, 0) : (range.rowEnds[kind - 1], range.valueEnds[kind - 1])
    let (rows, values) = (range.rowEnds[kind] - firstRow, range.valueEnds[kind] - firstValue)
    let value = firstValue + Int64(clamping: Double(inRange - firstRow) * Double(values) / Double(rows))
    return range.firstPlace + range.mixing(min(value, range.distinct - 1))
  }

  private mutating func orderedPlace() -> Int64 {
    defer { drawn += 1 }
    if profile.window > 1 {
      let begin = drawn / profile.window * profile.window
      let total = rowEnds.last ?? 1
      let mixed = min(begin + window(drawn - begin), total - 1)
      let slot = profile.order == .descending ? total - 1 - mixed : mixed
      return evenPlace(ofSlot: max(0, slot))
    }
    while walk.left == 0 {
      walk.value = (walk.value + 1) % max(1, distinct)
      walk.left = frequency(of: walkedPlace)
    }
    walk.left -= 1
    return walkedPlace
  }

  private var walkedPlace: Int64 {
    switch profile.order {
    case .descending: distinct - 1 - walk.value
    case .runs: walkOrder(walk.value)
    default: walk.value
    }
  }

  /// In order, with values of a range about as frequent.
  private func evenPlace(ofSlot slot: Int64) -> Int64 {
    let index = min(rowEnds.place(of: slot, after: 0), ranges.count - 1)
    let inRange = slot - (index == 0 ? 0 : rowEnds[index - 1])
    let range = ranges[index]
    let value = Int64(clamping: Double(inRange) * Double(range.distinct) / Double(range.rows))
    return range.firstPlace + min(value, range.distinct - 1)
  }

  /// How many rows have the value at a place.
  private func frequency(of place: Int64) -> Int64 {
    guard let index = ranges.lastIndex(where: { $0.firstPlace <= place }) else { return 1 }
    let range = ranges[index]
    let mixed = range.mixing(place - range.firstPlace)
    let kind = min(range.valueEnds.place(of: mixed, after: 0), range.valueEnds.count - 1)
    let (firstRow, firstValue) = kind == 0 ? (0, 0) : (range.rowEnds[kind - 1], range.valueEnds[kind - 1])
    let (rows, values) = (range.rowEnds[kind] - firstRow, range.valueEnds[kind] - firstValue)
    let number = mixed - firstValue
    // Each value gets whole rows; the first values get one of the remaining rows each.
    return rows / values + (number < rows % values ? 1 : 0)
  }
}

extension [Int64] {
  /// How many of the sorted elements are not above a number. O(log n).
  func place(of number: Int64, after start: Int) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
