/// Generates a column's values row by row, with the frequencies of the profile.
struct ColumnGenerator {
  /// A range of values, with the figures for drawing values from it.
  private struct Range {
    var rows: Int64
    var distinct: Int64
    var firstPlace: Int64
    /// For each class of frequency, the number of values, and of rows, up to its end.
    var valueEnds: [Int64] = []
    var rowEnds: [Int64] = []
    /// Determines the class of a value.
    var mixing: Permutation
  }

  private static let mostWalked: Int64 = 290

  let profile: ProfiledColumn
  private let maker: ValueMaker
  private var ranges: [Range] = []
  /// The number of rows in all ranges up to each one.
  private var rowEnds: [Int64] = []
  private let seed: UInt64
  private let distinct: Int64
  /// For each group of ranges: its first row, its number of rows, and the number drawn so far.
  private var groups: [(first: Int64, rows: Int64, drawn: Int64, order: Permutation)] = []
  /// The current position of a walk through the values in their order.
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

  /// Whether its values have an order along the rows, so that no cell determines them.
  private var isOrdered: Bool { profile.order != .scattered }

  /// Returns the next value, from a group of ranges if one is given.
  mutating func next(group: Int?, row: Int64) -> BoundValue {
    guard profile.parts == nil else {
      return maker.value(ofRow: Scramble.bits(seed, UInt64(bitPattern: row)))
    }
    guard !ranges.isEmpty else { return .null }
    return value(at: isOrdered ? orderedPlace() : place(inGroup: group ?? 0))
  }

  /// Returns a replacement for the last value, which a constraint refused.
  mutating func another(group: Int?, row: Int64, attempt: Int) -> BoundValue {
    guard profile.parts == nil, !ranges.isEmpty else { return next(group: group, row: row &+ Int64(attempt) &* 7_919) }
    if attempt < 8, !isOrdered { return value(at: place(inGroup: group ?? 0)) }
    // If there are few values, each is tried in turn.
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

  /// Returns the place of the value for a slot. Rows with equal values have consecutive slots; the values of a range
  /// are shuffled.
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

  /// Returns the place in order, with the values of a range about equally frequent.
  private func evenPlace(ofSlot slot: Int64) -> Int64 {
    let index = min(rowEnds.place(of: slot, after: 0), ranges.count - 1)
    let inRange = slot - (index == 0 ? 0 : rowEnds[index - 1])
    let range = ranges[index]
    let value = Int64(clamping: Double(inRange) * Double(range.distinct) / Double(range.rows))
    return range.firstPlace + min(value, range.distinct - 1)
  }

  /// Returns the number of rows with the value at a place.
  private func frequency(of place: Int64) -> Int64 {
    guard let index = ranges.lastIndex(where: { $0.firstPlace <= place }) else { return 1 }
    let range = ranges[index]
    let mixed = range.mixing(place - range.firstPlace)
    let kind = min(range.valueEnds.place(of: mixed, after: 0), range.valueEnds.count - 1)
    let (firstRow, firstValue) = kind == 0 ? (0, 0) : (range.rowEnds[kind - 1], range.valueEnds[kind - 1])
    let (rows, values) = (range.rowEnds[kind] - firstRow, range.valueEnds[kind] - firstValue)
    let number = mixed - firstValue
    // Each value gets the same whole number of rows; the first values get one of the remaining rows each.
    return rows / values + (number < rows % values ? 1 : 0)
  }
}

extension [Int64] {
  /// Returns the number of sorted elements that are not greater than a number. O(log n).
  func place(of number: Int64, after start: Int) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
