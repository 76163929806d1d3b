import Sanderling

/// The expectations of queries at the last commits, for snapshots that name one of these.
@MainActor
final class ExpectationHistory {
  /// The expectations by commit. A commit can have several, because outside changes create no commit of the store.
  private var expectations: [UInt64: [[Int: Expectation]]] = [:]

  func add(_ expectation: [Int: Expectation], at commits: ClosedRange<Commit>) {
    for number in commits.lowerBound.number...commits.upperBound.number {
      expectations[number, default: []].append(expectation)
    }
  }

  /// Whether the rows can be the rows of a query at a commit. True if no expectation is recorded.
  func mayBe(_ rows: [[StorageValue]], at commit: Commit, query: Int, window: Int) -> Bool {
    let known = (expectations[commit.number] ?? []).compactMap { $0[query] }
    return known.isEmpty || known.contains { $0.difference(from: rows, window: window) == nil }
  }

  /// The difference between the sections and every recorded expectation of a query at a commit. Nil if one matches or
  /// none is recorded.
  func difference(_ shown: ShownSections, at commit: Commit, query: Int) -> String? {
    let known = (expectations[commit.number] ?? []).compactMap { $0[query]?.sections }
    let differences = known.compactMap { $0.difference(from: shown, windows: nil, among: known) }
    return known.isEmpty || differences.count < known.count ? nil : differences.joined(separator: "; or ")
  }

  func difference(_ rows: [[StorageValue]], at commit: Commit, query: Int, window: Int) -> String? {
    let differences = (expectations[commit.number] ?? []).compactMap {
      $0[query]?.difference(from: rows, window: window)
    }
    return differences.isEmpty ? nil : differences.joined(separator: "; or ")
  }

  /// Forgets the expectations at commits that are 20 or more before a commit. Slow consumers may still name these
  /// commits; their values are then not compared.
  func forget(before commit: Commit) {
    expectations = expectations.filter { $0.key + 20 > commit.number }
  }
}
