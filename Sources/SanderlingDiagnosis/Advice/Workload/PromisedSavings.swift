/// The savings that indexes promise for a workload, by plans and by later measurements. They decide which indexes are
/// built next.
struct PromisedSavings {
  /// A set of indexes that a statement may gain from.
  private struct Option {
    /// Places in the pool.
    let indexes: [Int]
    var cost: Double
  }

  private struct Promise {
    let statement: AnalyzedStatement
    let weight: Double
    let tables: Set<String>
    var options: [Option]
  }

  /// All indexes of the options.
  private let pool: [IndexCandidate]
  /// For each index of the pool, the indexes that it can replace.
  private let served: [Set<Int>]
  private let tables: [String]
  private var promises: [Promise]
  private var refused: Set<Int> = []
  private let price: IndexPrice
  /// The least total saving of an index.
  private let least: Double

  /// - Parameters:
  /// - statements: The statements with the weight of an execution.
  /// - options: The planned sets, by the statements' numbers.
  init(
    _ statements: [(statement: AnalyzedStatement, weight: Double)], options: [Int: [PlannedSet]], price: IndexPrice,
    least: Double
  ) {
    var places: [IndexCandidate: Int] = [:]
    var pool: [IndexCandidate] = []
    promises = statements.map { statement, weight in
      let options = (options[statement.statement.id] ?? []).map { set in
        Option(
          indexes: set.indexes.map { index in
            if let place = places[index] { return place }
            places[index] = pool.count
            pool.append(index)
            return pool.count - 1
          }, cost: set.cost)
      }
      return Promise(
        statement: statement, weight: weight, tables: price.advisor.schema.tablesTouched(by: statement),
        options: options)
    }
    self.pool = pool
    (self.price, self.least) = (price, least)
    tables = pool.map(\.table.asciiLowercased)
    let byTable = Dictionary(grouping: pool.indices, by: { pool[$0].table.asciiLowercased })
    served = pool.map { index in
      Set((byTable[index.table.asciiLowercased] ?? []).filter { index.serves(pool[$0]) })
    }
  }

  /// Notes that an index is useless, by measurement or because it can't be built.
  mutating func refuse(_ index: IndexCandidate) {
    refused.formUnion(pool.indices.filter { pool[$0] == index })
  }

  /// Notes the measured cost of a statement with indexes. Options with only these indexes then promise no less cost.
  mutating func learn(_ cost: Double, of place: Int, with indexes: [IndexCandidate]) {
    let there = serving(indexes)
    for option in promises[place].options.indices
    where promises[place].options[option].indexes.allSatisfy(there.contains) {
      promises[place].options[option].cost = max(promises[place].options[option].cost, cost)
    }
  }

  /// The indexes to build beside the chosen ones: the sets with the greatest promised savings, one after the other. A
  /// longer index may replace a chosen one. `costs` has the present costs of the statements. O(indexes · sets ·
  /// statements).
  func proposed(beside chosen: [IndexCandidate], costs now: [Double], maximumIndexes: Int) -> [IndexCandidate] {
    let moves = Set(promises.flatMap { $0.options.map(\.indexes) }).filter { refused.isDisjoint(with: $0) }
      .map { (indexes: $0, order: $0.map { pool[$0].definition }.joined(separator: " ")) }.sorted {
        $0.order < $1.order
      }
    var wanted: [Int] = []
    var costs = now
    while chosen.count + wanted.count < maximumIndexes {
      let there = serving(chosen + wanted.map { pool[$0] })
      var best: (move: [Int], saving: Double)?
      for move in moves {
        let added = move.indexes.filter { !there.contains($0) }
        if added.isEmpty || chosen.count + wanted.count + added.count > maximumIndexes { continue }
        let saving = saving(of: added, there, costs)
        if saving > best?.saving ?? least { best = (added, saving) }
      }
      guard let best else { break }
      // An index replaces an index that is its beginning.
      let gone = best.move.reduce(Set<Int>()) { $0.union(served[$1]) }.subtracting(best.move)
      wanted.removeAll(where: gone.contains)
      wanted += best.move
      let all = there.union(best.move.flatMap { served[$0] })
      for place in costs.indices { costs[place] = cost(of: promises[place], with: all, costs[place]) }
    }
    return wanted.map { pool[$0] }
  }

  private func serving(_ indexes: [IndexCandidate]) -> Set<Int> {
    Set(pool.indices.filter { place in indexes.contains { $0.serves(pool[place]) } })
  }

  private func saving(of added: [Int], _ there: Set<Int>, _ costs: [Double]) -> Double {
    let all = there.union(added.flatMap { served[$0] })
    let near = Set(added.map { tables[$0] })
    var saving = -price.of(added.map { pool[$0] }) { _ in nil }
    var most = 0.0
    for (place, promise) in promises.enumerated() where !promise.tables.isDisjoint(with: near) {
      let saved = costs[place] - cost(of: promise, with: all, costs[place])
      saving += promise.weight * saved
      most = max(most, saved)
      if promise.statement.isWrite {
        let entries = added.reduce(0.0) { $0 + price.writes.entries(of: pool[$1], for: promise.statement) }
        saving -= promise.weight * entries * WorkloadWrites.stepsPerIndexEntry
      }
    }
    // A small saving in each execution justifies no index.
    return most > GainRule.leastCost ? saving : 0
  }

  private func cost(of promise: Promise, with there: Set<Int>, _ now: Double) -> Double {
    promise.options.reduce(now) { $1.cost < $0 && $1.indexes.allSatisfy(there.contains) ? $1.cost : $0 }
  }
}

extension IndexCandidate {
  /// Whether this index finds and orders the same rows as another index: it is the same index, or begins with the same
  /// keys.
  func serves(_ other: IndexCandidate) -> Bool {
    guard table.asciiLowercased == other.table.asciiLowercased, condition == other.condition else { return false }
    if self == other { return true }
    let wanted = other.keys.map(\.definition)
    guard keys.count >= wanted.count else { return false }
    let own = keys.prefix(wanted.count).map(\.definition)
    let free = other.interchangeable
    return Array(own.dropFirst(free)) == Array(wanted.dropFirst(free))
      && Set(own.prefix(free)) == Set(wanted.prefix(free))
  }
}
