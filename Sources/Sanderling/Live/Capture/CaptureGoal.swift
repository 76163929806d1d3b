/// The capture that the engine wants. The writer's queue establishes it.
struct CaptureGoal: Hashable, Sendable {
  /// Whether there are live results, so that outside changes and schema changes are detected.
  var isWatching = false
  /// The columns of each table whose old values are needed.
  var tables: [RecordType: Set<Int>] = [:]
  /// The names of the tables for which statements that may write them are noted.
  var followedTables: Set<String> = []
}

/// The present capture.
struct CaptureState: Sendable {
  /// The captured columns of each table.
  let layouts: [RecordType: CaptureLayout]
  /// The tables of the goal that can't be captured, and the reasons.
  let obstacles: [RecordType: CaptureObstacle]
  /// The tables whose old images a history has.
  var history = HistoryImages.none
}
