/// The effect of a write on the row of a record.
public enum RowOutcome: Hashable, Sendable {
  /// The row didn't exist and was inserted.
  case inserted
  /// The row existed and was changed.
  case updated
  /// The row existed and was not changed.
  case unchanged
}

/// The effects of a write on the rows of many records.
public struct RowOutcomes: Hashable, Sendable {
  /// The number of rows that were inserted.
  public private(set) var insertedCount = 0
  /// The number of rows that existed and were changed.
  public private(set) var updatedCount = 0
  /// The number of rows that existed and were not changed.
  public private(set) var unchangedCount = 0

  mutating func add(_ outcome: RowOutcome) {
    switch outcome {
    case .inserted: insertedCount += 1
    case .updated: updatedCount += 1
    case .unchanged: unchangedCount += 1
    }
  }
}
