import Sanderling

/// What queries had to be at the last commits, for snapshots that name one.
@MainActor
final class ExpectationHistory {
  /// Several for a commit: other connections write without making one.
  private var expectations: [UInt64: [[Int: Expectation]]] = [:]

  func add(_ expectation: [Int: Expectation], at commits: ClosedRange<Commit>) {
    for number in commits.lowerBound.number...commits.upperBound.number {
      expectations[number, default: []].append(expectation)
    }
  }

  /// Whether rows may be those of a query at a commit, as far as it is known.
  func mayBe(_ rows: [[StorageValue]], at commit: Commit, query: Int, window: Int) -> Bool {
    let known = (expectations[commit.number] ?? []).compactMap { $0[query] }
    return known.isEmpty || known.contains { $0.difference(from: rows, window: window) == nil }
  }

  /// What differs between sections and all that is known of a query at a commit; nil for nothing, and where nothing is known.
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

  /// Slow consumers may still name older commits, of which nothing is known then.
  func forget(before commit: Commit) {
    expectations = expectations.filter { $0.key + 20 > commit.number }
  }
}
