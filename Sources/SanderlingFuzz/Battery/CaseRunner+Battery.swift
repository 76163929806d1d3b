import Sanderling

/// The queries that a round has open from its start to its end.
extension CaseRunner {
  func openBattery() {
    let style = OpenStyle(isImmediate: false, consumers: [], isSlow: false)
    battery = fuzzCase.battery.map { spec in
      coverage.noteBattery(spec.constructs)
      return spec.open(in: store, style)
    }
    batteryCounts = BatteryCounts.all(in: fuzzCase.battery)
    // One row more tells whether there are more.
    batterySelects = zip(fuzzCase.battery, battery).map { FreshSelect($0, window: $1.window + 1) }
  }

  /// Has one of the battery's lists show more rows.
  ///
  /// - Parameter place: Which one, counted around as often as need be, so that it is the only one that a smaller case has.
  func growBattery(_ place: Int, by count: Int) {
    let lists = fuzzCase.battery.indices.filter { if case .rows = fuzzCase.battery[$0].form { true } else { false } }
    guard !lists.isEmpty else { return }
    let position = lists[place % lists.count]
    battery[position].grow(by: count)
    batterySelects[position] = FreshSelect(fuzzCase.battery[position], window: battery[position].window + 1)
  }

  /// Compares all of the battery, for which everything has to be delivered.
  func compareBattery() async throws {
    guard !battery.isEmpty else { return }
    let (counts, selects) = (batteryCounts, batterySelects)
    let expectations = try await store.read { tx in
      var expectations: [Int: Expectation] = [:]
      for table in counts {
        guard let found = table.expectations(tx) else { continue }
        for (position, expectation) in zip(table.positions, found) { expectations[position] = expectation }
      }
      for position in selects.indices where expectations[position] == nil {
        expectations[position] = selects[position].expectation(tx)
      }
      return expectations
    }
    for (position, result) in battery.enumerated() {
      guard let expectation = expectations[position] else { continue }
      try await compare(result, fuzzCase.battery[position], expectation, position)
    }
    coverage.noteBatteryChecks(battery.count)
  }

  private func compare(
    _ result: any OpenResult, _ spec: LiveQuerySpec, _ expectation: Expectation, _ position: Int
  ) async throws {
    let shown = result.shown
    if let problem = shown.problem { throw failure(.rows, problem, position) }
    let window = result.window
    guard try await difference(shown, spec, window, expectation) != nil else { return }
    // All rows of the query by itself have the last word: what fails may lie beyond the window.
    let alone = try await store.read { tx in spec.expectation(tx) }
    if let difference = try await difference(shown, spec, window, alone) {
      throw failure(difference.kind, difference.text, position)
    }
  }

  private func failure(_ kind: FuzzFailure.Kind, _ message: String, _ position: Int) -> FuzzFailure {
    FuzzFailure(
      kind: kind, message: "\(message); query \(position) of the battery: \(fuzzCase.battery[position].description)",
      battery: position)
  }
}
