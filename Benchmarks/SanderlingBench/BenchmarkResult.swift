import Foundation

/// The medians of one case, in its unit; lower is better.
struct BenchmarkResult: Encodable {
  let suite: String
  let `case`: String
  let unit: String
  /// Nil if the work ended before it could be measured, for example with the small data of `--short`.
  let sanderling: Double?
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
    // The key is written even for nil, as the documented format requires.
    try container.encode(limit, forKey: .limit)
    try container.encode(peers, forKey: .peers)
    try container.encode(rounds, forKey: .rounds)
  }
}

extension BenchmarkResult {
  /// Runs all contenders in turn, round by round, so that other load on the machine affects all of them alike.
  static func results(of work: BenchmarkWork, suite: String, rounds: Int) async throws -> [BenchmarkResult] {
    let rounds = min(rounds, work.rounds)
    let contenders = [work.sanderling] + (work.limit.map { [$0] } ?? []) + work.peers
    var samples: [[[Double]]] = contenders.map { _ in work.figures.map { _ in [] } }
    // The first round only warms up.
    for round in (work.warmsUp ? 0 : 1)...rounds {
      for index in contenders.indices {
        let turn = work.rotates ? (index + round) % contenders.count : index
        let last = contenders[turn].rounds
        if round > last || round == 0 && last == 1 { continue }
        let figures = try await contenders[turn].run()
        if round == 0 { continue }
        for (position, figure) in figures.enumerated() {
          if let figure { samples[turn][position].append(figure) }
        }
      }
    }
    return work.figures.enumerated().map { position, figure in
      let medians = samples.map { $0[position].isEmpty ? nil : $0[position].median * figure.unit.perBase }
      let firstPeer = work.limit == nil ? 1 : 2
      return BenchmarkResult(
        suite: suite, case: figure.name, unit: figure.unit.rawValue, sanderling: medians[0],
        limit: work.limit == nil ? nil : medians[1],
        peers: Dictionary(
          uniqueKeysWithValues: zip(work.peers, medians[firstPeer...]).compactMap { peer, median in
            median.map { (peer.name, $0) }
          }),
        rounds: rounds)
    }
  }

  /// The head of the table.
  static let header =
    "\("suite".padded(to: 10)) \("case".padded(to: 64)) \("median".leftPadded(to: 10))"
    + "      × limit, and how many times as long the peers take"

  /// A line of the table: Sanderling's figure, and the other figures as multiples of it.
  var line: String {
    guard let sanderling else {
      return "\(suite.padded(to: 10)) \(self.case.padded(to: 64)) \("—".leftPadded(to: 10))"
    }
    var line = "\(suite.padded(to: 10)) \(self.case.padded(to: 64)) \(sanderling.short.leftPadded(to: 10)) \(unit)"
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
