import Foundation

/// The cost of each statement without any change and with each listed remedy, measured once for all scores of a run.
actor CorpusBaseline {
  static let shared = CorpusBaseline()

  struct Costs: Sendable {
    var before: CorpusTrial.Cost
    /// The costs with the best remedy and with its alternatives, in this order. Empty if none can be measured.
    var remedies: [CorpusTrial.Cost]
  }

  /// Measurements by schema. They are tasks, so that tests that need the same costs at once wait for one measurement.
  private var measurements: [String: Task<[String: Costs], any Error>] = [:]

  /// The costs of a schema's statements by their ids.
  func costs(of schema: CorpusSchema) async throws -> [String: Costs] {
    if let known = measurements[schema.name] { return try await known.value }
    let measurement = Task { try await Self.measure(schema) }
    measurements[schema.name] = measurement
    return try await measurement.value
  }

  private static func measure(_ schema: CorpusSchema) async throws -> [String: Costs] {
    let path = try await CorpusFolder.shared.copy(of: schema)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trial = CorpusTrial(path: path)
    var measured: [String: Costs] = [:]
    for statement in schema.statements {
      let remedies = try statement.remedies.filter(\.isMeasurable).map { try trial.cost(of: statement, $0) }
      measured[statement.id] = Costs(before: try trial.cost(of: statement, Remedy()), remedies: remedies)
    }
    return measured
  }
}
