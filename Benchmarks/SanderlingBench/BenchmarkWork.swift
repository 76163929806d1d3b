/// The same work in several versions, each with several figures: with Sanderling, by hand on SQLite's C API, and with
/// other libraries.
struct BenchmarkWork {
  /// Work that is created when its turn comes, so that the resources of the previous work are released first.
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
    /// The number of rounds in which the contender takes part; slow contenders take part in fewer. A contender with a
    /// single round has no warm-up round.
    var rounds = Int.max
    /// Does the work once and returns its figures in order, in seconds or bytes. A figure that the contender doesn't
    /// have is nil.
    let run: () async throws -> [Double?]
  }

  let figures: [Figure]
  let sanderling: Contender
  /// The same work by hand; nil if there is no meaningful version by hand.
  let limit: Contender?
  let peers: [Contender]
  /// The greatest number of rounds, even if the command asks for more.
  var rounds = Int.max
  /// Whether the first round is a warm-up whose figures are not counted.
  var warmsUp = true
  /// Whether each contender comes first, second and so on equally often. If not, Sanderling always comes first, because
  /// some contenders repeat the writes that it made.
  var rotates = true
}

enum BenchmarkUnit: String {
  case milliseconds = "ms"
  case microseconds = "µs"
  case bytes = "B"

  /// The factor for a figure in seconds or in bytes.
  var perBase: Double {
    switch self {
    case .milliseconds: 1e3
    case .microseconds: 1e6
    case .bytes: 1
    }
  }
}

extension BenchmarkWork {
  /// A case is work with one figure.
  init(_ benchmark: BenchmarkCase) {
    self.init(
      figures: [Figure(name: benchmark.name, unit: benchmark.unit)],
      sanderling: Contender(name: "Sanderling") { [try await benchmark.sanderling()] },
      limit: benchmark.limit.map { limit in Contender(name: "limit") { [try await limit()] } },
      peers: benchmark.peers.map { peer in Contender(name: peer.name) { [try await peer.run()] } })
  }
}
