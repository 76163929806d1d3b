/// Measures the duration of a query.
enum QueryTiming {
  /// Returns the median of up to three runs. No run begins after 150 ms, except the first.
  ///
  /// - Parameter limit: The time after which a run is cancelled.
  static func median(
    limit: Duration = .seconds(10), _ query: @escaping @Sendable () async throws -> Void
  ) async throws -> DemoReport.Measurement {
    var durations: [Duration] = []
    repeat {
      guard let duration = try await run(query, limit: limit) else { return .exceeded(limit) }
      durations.append(duration)
    } while durations.count < 3 && durations.reduce(.zero, +) < .milliseconds(150)
    return .took(durations.sorted()[durations.count / 2])
  }

  /// - Returns: The duration, or nil if the run exceeded the limit.
  private static func run(
    _ query: @escaping @Sendable () async throws -> Void, limit: Duration
  ) async throws -> Duration? {
    try await withThrowingTaskGroup(of: Duration?.self) { group in
      group.addTask {
        let start = ContinuousClock.now
        try await query()
        return start.duration(to: .now)
      }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
