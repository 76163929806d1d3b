/// What is to be captured, as the engine wants it. The writer's queue brings it about.
struct CaptureGoal: Hashable, Sendable {
  /// Whether anything is followed at all, so that writes of others and changes of the schema are looked for.
  var isWatching = false
  /// The columns of each table whose old values are needed.
  var tables: [RecordType: Set<Int>] = [:]
  /// The names of the tables of which it is noted that statements may have written them.
  var followedTables: Set<String> = []
}

/// What is captured from now on.
struct CaptureState: Sendable {
  /// Of which columns of each table.
  let layouts: [RecordType: CaptureLayout]
  /// The tables of the goal that can't be captured, and why.
  let obstacles: [RecordType: CaptureObstacle]
}
