/// The places at which the connections of a scripted run are cut, by the number of the request and the byte. They are
/// the same in each run.
///
/// Pulls and pushes are counted separately, because a session requests the next page while it sends changes.
struct CutScript: Sendable {
  enum Side: CaseIterable {
    /// The request is cut, and the server never receives it.
    case request
    /// The server has acted, and its answer is cut at a byte.
    case answer
    /// The server has acted, and no byte of its answer arrives.
    case silence
  }

  struct Cut: Sendable {
    let side: Side
    /// The number of bytes before the cut. Beyond the answer's length, counting starts again at its beginning.
    let place: Int
  }

  private var pulls: [Int: Cut] = [:]
  private var pushes: [Int: Cut] = [:]
  private(set) var pullCount = 0
  private(set) var pushCount = 0
  /// The requests that were cut.
  private(set) var cutCount = 0

  /// A script without cuts.
  init() {}

  /// Chooses one to six cuts of each kind: among the first three requests, or among more, which small pages and small
  /// batches need.
  init(_ random: inout SeededGenerator) {
    for _ in 0..<random.number(1..<7) { pulls[random.number(0..<random.element(of: [3, 24]))] = Self.cut(&random) }
    for _ in 0..<random.number(1..<7) { pushes[random.number(0..<random.element(of: [3, 12]))] = Self.cut(&random) }
  }

  private static func cut(_ random: inout SeededGenerator) -> Cut {
    Cut(side: random.element(of: Side.allCases), place: random.number(0..<1_000_000))
  }

  /// - Returns: The cut of the next request; nil for a request that arrives and is answered.
  mutating func next(isPull: Bool) -> Cut? {
    let number = isPull ? pullCount : pushCount
    if isPull { pullCount += 1 } else { pushCount += 1 }
    let cut = isPull ? pulls[number] : pushes[number]
    if cut != nil { cutCount += 1 }
    return cut
  }
}
