/// Measures how long a query takes.
enum QueryTiming {
  /// The median of a few runs: three, or as many as 150 ms allow, and at least one.
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

  /// - Returns: Nil when it took longer than the limit.
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
