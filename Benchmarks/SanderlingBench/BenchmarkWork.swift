/// Work that gives several figures at once, done by Sanderling, by hand on SQLite's C API, and by peers.
struct BenchmarkWork {
  /// A work that is made when its turn comes, so that what one keeps open is gone before the next.
  struct Plan {
    let name: String
    let make: () async throws -> BenchmarkWork

    init(_ name: String, make: @escaping () async throws -> BenchmarkWork) {
      (self.name, self.make) = (name, make)
    }
  }

  struct Figure {
    let name: String
    let unit: BenchmarkUnit
  }

  struct Contender {
    let name: String
    /// In how many of the rounds it takes part: those that take long come less often. One that comes once has no round to warm up.
    var rounds = Int.max
    /// Does the work once and returns its figures in order, in seconds or bytes; nil for those that it has none of.
    let run: () async throws -> [Double?]
  }

  let figures: [Figure]
  let sanderling: Contender
  /// The same work by hand; nil where none makes sense.
  let limit: Contender?
  let peers: [Contender]
  /// How many rounds are enough, however many are asked for.
  var rounds = Int.max
  /// Whether a round comes first whose figures are not counted.
  var warmsUp = true
  /// Whether each contender comes first, second, … equally often. Otherwise Sanderling comes first, as where others do as it did.
  var rotates = true
}

enum BenchmarkUnit: String {
  case milliseconds = "ms"
  case microseconds = "µs"
  case bytes = "B"

  /// What a figure in seconds, or in bytes, is multiplied by.
  var perBase: Double {
    switch self {
    case .milliseconds: 1e3
    case .microseconds: 1e6
    case .bytes: 1
    }
  }
}

extension BenchmarkWork {
  /// A case is work of one figure.
  init(_ benchmark: BenchmarkCase) {
    self.init(
      figures: [Figure(name: benchmark.name, unit: benchmark.unit)],
      sanderling: Contender(name: "Sanderling") { [try await benchmark.sanderling()] },
      limit: benchmark.limit.map { limit in Contender(name: "limit") { [try await limit()] } },
      peers: benchmark.peers.map { peer in Contender(name: peer.name) { [try await peer.run()] } })
  }
}
