import Foundation

/// The medians of one case, in its unit; lower is better.
struct BenchmarkResult: Encodable {
  let suite: String
  let `case`: String
  let unit: String
  let sanderling: Double
  let limit: Double?
  let peers: [String: Double]
  let rounds: Int

  private enum CodingKeys: String, CodingKey {
    case suite, `case`, unit, sanderling, limit, peers, rounds
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(suite, forKey: .suite)
    try container.encode(`case`, forKey: .case)
    try container.encode(unit, forKey: .unit)
    try container.encode(sanderling, forKey: .sanderling)
    // Present also where there is none, as the contract of the format says.
    try container.encode(limit, forKey: .limit)
    try container.encode(peers, forKey: .peers)
    try container.encode(rounds, forKey: .rounds)
  }
}

extension BenchmarkResult {
  /// Runs all contenders in turn, round by round, so that what slows the machine slows them alike.
  init(_ benchmark: BenchmarkCase, suite: String, rounds: Int) async throws {
    var contenders: [(name: String, run: BenchmarkCase.Contender)] = [("", benchmark.sanderling)]
    if let limit = benchmark.limit { contenders.append(("limit", limit)) }
    contenders += benchmark.peers
    var samples: [[Double]] = Array(repeating: [], count: contenders.count)
    for round in 0...rounds {
      for index in contenders.indices {
        // Each contender comes first, second, … equally often.
        let turn = (index + round) % contenders.count
        let sample = try await contenders[turn].run()
        // The first round warms up.
        if round > 0 { samples[turn].append(sample) }
      }
    }
    let medians = samples.map { $0.median * benchmark.unit.perSecond }
    let firstPeer = benchmark.limit == nil ? 1 : 2
    self.suite = suite
    self.case = benchmark.name
    unit = benchmark.unit.rawValue
    sanderling = medians[0]
    limit = benchmark.limit == nil ? nil : medians[1]
    peers = Dictionary(uniqueKeysWithValues: zip(benchmark.peers.map(\.name), medians[firstPeer...]))
    self.rounds = rounds
  }

  /// The head of the table.
  static let header =
    "\("suite".padded(to: 10)) \("case".padded(to: 44)) \("median".leftPadded(to: 10))"
    + "      × limit, and how many times as long the peers take"

  /// A line of the table: the figure, and how many times it the others take.
  var line: String {
    var line = "\(suite.padded(to: 10)) \(self.case.padded(to: 44)) \(sanderling.short.leftPadded(to: 10)) \(unit)"
    if let limit { line += "   \((sanderling / limit).ratio) × limit" }
    for (name, value) in peers.sorted(by: { $0.value < $1.value }) {
      line += "   \(name) \((value / sanderling).ratio) ×"
    }
    return line
  }
}

extension [Double] {
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted.count % 2 == 1
      ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
  }
}

extension Double {
  var short: String { String(format: self < 10 ? "%.3f" : "%.1f", self) }
  var ratio: String { String(format: self < 10 ? "%.2f" : "%.0f", self) }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
  func leftPadded(to width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - count)) + self }
}
