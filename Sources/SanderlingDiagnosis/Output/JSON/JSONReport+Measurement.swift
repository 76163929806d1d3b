import SanderlingTerminal

extension JSONReport {
  public struct Comparison: Codable, Sendable {
    public var bindings: String
    public var before: Measurement
    public var after: Measurement

    init(_ comparison: SanderlingDiagnosis.Comparison) {
      bindings = comparison.bindings
      before = Measurement(comparison.before)
      after = Measurement(comparison.after)
    }
  }

  public struct Measurement: Codable, Sendable {
    public var steps: Int64
    public var pages: Int64
    public var coldPages: Int64
    public var warmMilliseconds: Double
    public var coldMilliseconds: Double
    public var rowsReturned: Int64
    public var scannedRows: Int64
    public var sorts: Int64
    public var automaticIndexRows: Int64
    /// False when a budget ended the execution: then the figures are lower bounds.
    public var isComplete: Bool

    init(_ measurement: StatementMeasurement) {
      steps = measurement.steps
      pages = measurement.pages
      coldPages = measurement.coldPages
      warmMilliseconds = Figure.milliseconds(measurement.warmTime)
      coldMilliseconds = Figure.milliseconds(measurement.coldTime)
      rowsReturned = measurement.rowsReturned
      scannedRows = measurement.scannedRows
      sorts = measurement.sorts
      automaticIndexRows = measurement.automaticIndexRows
      isComplete = measurement.isComplete
    }
  }
}
