/// The fewest moves of single rows that bring rows into a new order.
struct MovePlanner {
  /// The moves, in the order in which they are made.
  private(set) var moves: [RowChange] = []
  private(set) var movedRows: [RowDifference.MovedRow] = []

  /// - Parameters:
  ///   - blocks: The rows, in their new order. No position is in two of them.
  ///   - start: The position of the first row in either order.
  ///
  /// O(blocks) when nothing moves, otherwise O(k log k) in the number k of blocks and of rows that move.
  init(blocks: [RowMatching.Block], start: Int) {
    if zip(blocks, blocks.dropFirst()).allSatisfy({ $0.oldPosition < $1.oldPosition }) { return }
    var kept: [(block: RowMatching.Block, stays: Bool)] = []
    for (block, stays) in zip(blocks, Self.heaviestIncreasing(blocks)) {
      if stays {
        kept.append((block, true))
      } else {
        // Rows move one by one.
        for row in 0..<block.count {
          kept.append(
            (.init(oldPosition: block.oldPosition + row, newPosition: block.newPosition + row, count: 1), false))
        }
      }
    }
    plan(kept, start: start)
  }

  /// The blocks that stay: the blocks of the heaviest increasing subsequence of old positions, found with prefix
  /// maxima. O(n log n).
  static func heaviestIncreasing(_ blocks: [RowMatching.Block]) -> [Bool] {
    let ranks = Self.ranks(blocks)
    var best = PrefixMaxima(count: blocks.count)
    var previous = [Int?](repeating: nil, count: blocks.count)
    var weights = [Int](repeating: 0, count: blocks.count)
    for (index, block) in blocks.enumerated() {
      let predecessor = best.maximum(before: ranks[index])
      previous[index] = predecessor?.index
      weights[index] = (predecessor?.weight ?? 0) + block.count
      best.raise(at: ranks[index], to: weights[index], index: index)
    }
    var stays = [Bool](repeating: false, count: blocks.count)
    var current = best.maximum(before: blocks.count)?.index
    while let index = current {
      stays[index] = true
      current = previous[index]
    }
    return stays
  }

  /// The place of each block in the old order.
  private static func ranks(_ blocks: [RowMatching.Block]) -> [Int] {
    var ranks = [Int](repeating: 0, count: blocks.count)
    for (rank, index) in blocks.indices.sorted(by: { blocks[$0].oldPosition < blocks[$1].oldPosition }).enumerated() {
      ranks[index] = rank
    }
    return ranks
  }

  /// Moves the rows that don't stay, in the new order, each behind its new predecessor, which then is in place.
  ///
  /// A row's position is the number of rows before it, a sum over places. Each moving row has two places: one that it
  /// leaves, and one where it arrives.
  private mutating func plan(_ kept: [(block: RowMatching.Block, stays: Bool)], start: Int) {
    var counts: [Int] = []
    var departures = [Int](repeating: 0, count: kept.count)
    var arrivals = [Int](repeating: 0, count: kept.count)
    var next = 0
    func addArrivals() {
      while next < kept.count, !kept[next].stays {
        arrivals[next] = counts.count
        counts.append(0)
        next += 1
      }
    }
    addArrivals()
    for index in kept.indices.sorted(by: { kept[$0].block.oldPosition < kept[$1].block.oldPosition }) {
      departures[index] = counts.count
      counts.append(kept[index].block.count)
      if kept[index].stays {
        next += 1
        addArrivals()
      }
    }

    var places = PrefixSums(counts)
    for (index, (block, stays)) in kept.enumerated() where !stays {
      let from = places.sum(before: departures[index])
      places.add(-1, at: departures[index])
      let to = places.sum(before: arrivals[index])
      places.add(1, at: arrivals[index])
      moves.append(.move(from: start + from, to: start + to))
      movedRows.append(.init(from: block.oldPosition, to: block.newPosition))
    }
  }
}
