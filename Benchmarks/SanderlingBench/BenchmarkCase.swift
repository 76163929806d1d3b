/// The same work in several versions: with Sanderling, by hand on SQLite's C API, and with other libraries.
///
/// Each contender does the work once and returns the seconds that it took, without its preparations.
struct BenchmarkCase {
  typealias Contender = () async throws -> Double

  let name: String
  /// The unit of the figures: the factor for a second, and the unit's name.
  let unit: BenchmarkUnit
  let sanderling: Contender
  /// The same work by hand on the C API; nil if there is no meaningful version by hand.
  let limit: Contender?
  let peers: [(name: String, run: Contender)]
}

/// Cases that share their data.
protocol BenchmarkSuite {
  static var name: String { get }

  /// Prepares the data in a folder that is removed afterwards.
  init(folder: String, isShort: Bool) async throws

  var works: [BenchmarkWork.Plan] { get }
}

/// A suite whose cases give one figure each.
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
