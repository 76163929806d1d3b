import Sanderling

/// The battery: queries that stay open from a round's start to its end.
extension CaseRunner {
  func openBattery() {
    let style = OpenStyle(isImmediate: false, consumers: [], isSlow: false)
    battery = fuzzCase.battery.map { spec in
      coverage.noteBattery(spec.constructs)
      return spec.open(in: store, style)
    }
    batteryCounts = BatteryCounts.all(in: fuzzCase.battery)
    // One more row shows whether there are more.
    batterySelects = zip(fuzzCase.battery, battery).map { FreshSelect($0, window: $1.window + 1) }
  }

  /// Lets one of the battery's lists show more rows.
  ///
  /// - Parameter place: The number of the list, taken modulo the number of lists. A smaller case with a single list
  ///   then uses that list.
  func growBattery(_ place: Int, by count: Int) {
    let lists = fuzzCase.battery.indices.filter { if case .rows = fuzzCase.battery[$0].form { true } else { false } }
    guard !lists.isEmpty else { return }
    let position = lists[place % lists.count]
    battery[position].grow(by: count)
    batterySelects[position] = FreshSelect(fuzzCase.battery[position], window: battery[position].window + 1)
  }

  /// Compares the whole battery. Everything must be delivered before.
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
    // The query's own SELECT over all rows decides: a failing row may be beyond the window.
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
