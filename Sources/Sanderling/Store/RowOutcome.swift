/// What a write did to the row of a record.
public enum RowOutcome: Hashable, Sendable {
  case inserted
  case updated
  /// The row was there, and was left alone.
  case unchanged
}

/// What a write did to the rows of many records.
public struct RowOutcomes: Hashable, Sendable {
  public private(set) var insertedCount = 0
  public private(set) var updatedCount = 0
  /// How many rows were there, and were left alone.
  public private(set) var unchangedCount = 0

  mutating func add(_ outcome: RowOutcome) {
    switch outcome {
    case .inserted: insertedCount += 1
    case .updated: updatedCount += 1
    case .unchanged: unchangedCount += 1
    }
  }
}
