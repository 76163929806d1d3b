/// Prefix sums of a sequence of numbers that change: a [Fenwick tree](https://en.wikipedia.org/wiki/Fenwick_tree).
/// O(log count) for each sum and each change.
struct PrefixSums {
  private var sums: [Int]

  init(_ values: [Int]) {
    sums = values
    for index in sums.indices {
      let parent = index | (index + 1)
      if parent < sums.count { sums[parent] += sums[index] }
    }
  }

  func sum(before end: Int) -> Int {
    var sum = 0
    var index = end
    while index > 0 {
      sum += sums[index - 1]
      index &= index - 1
    }
    return sum
  }

  mutating func add(_ difference: Int, at position: Int) {
    var index = position
    while index < sums.count {
      sums[index] += difference
      index |= index + 1
    }
  }
}

/// Prefix maxima of a sequence of weights that only grow. O(log count) for each maximum and each change.
struct PrefixMaxima {
  /// A weight, and the index of the item that has it.
  typealias Maximum = (weight: Int, index: Int)

  private var maxima: [Maximum?]

  init(count: Int) {
    maxima = Array(repeating: nil, count: count)
  }

  func maximum(before end: Int) -> Maximum? {
    var result: Maximum?
    var index = end
    while index > 0 {
      if let candidate = maxima[index - 1], candidate.weight > result?.weight ?? 0 { result = candidate }
      index &= index - 1
    }
    return result
  }

  mutating func raise(at position: Int, to weight: Int, index: Int) {
    var position = position
    while position < maxima.count {
      if weight > maxima[position]?.weight ?? 0 { maxima[position] = (weight, index) }
      position |= position + 1
    }
  }
}
