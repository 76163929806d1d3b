/// One piece of work, done by Sanderling, by hand on SQLite's C API, and by peers.
///
/// Each contender does the same work once and returns the seconds that it took; what it sets up before is not counted.
struct BenchmarkCase {
  typealias Contender = () async throws -> Double

  let name: String
  /// What a second is multiplied by, and how the product is called.
  let unit: BenchmarkUnit
  let sanderling: Contender
  /// The same work by hand on the C API; nil where none makes sense.
  let limit: Contender?
  let peers: [(name: String, run: Contender)]
}

/// Works that share their data.
protocol BenchmarkSuite {
  static var name: String { get }

  /// Prepares the data in a folder that is removed afterwards.
  init(folder: String, isShort: Bool) async throws

  var works: [BenchmarkWork.Plan] { get }
}

/// A suite whose works give one figure each.
protocol CaseSuite: BenchmarkSuite {
  var cases: [BenchmarkCase] { get }
}

extension CaseSuite {
  var works: [BenchmarkWork.Plan] {
    cases.map { benchmark in BenchmarkWork.Plan(benchmark.name) { BenchmarkWork(benchmark) } }
  }
}

/// The seconds that `body` takes, by a monotonic clock.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return start.duration(to: .now).inSeconds
}

/// The seconds that `body` takes, by a monotonic clock.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await body()
  return start.duration(to: .now).inSeconds
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
