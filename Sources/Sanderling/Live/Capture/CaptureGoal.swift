/// The captures that the engine wants. The writer's queue establishes them.
struct CaptureGoal: Hashable, Sendable {
  /// Whether anything is followed at all, so that writes of others and changes of the schema are looked for.
  var isWatching = false
  /// The columns of each table whose old values are needed.
  var tables: [RecordType: Set<Int>] = [:]
  /// The names of the tables whose writing statements are to be noted.
  var followedTables: Set<String> = []
}

/// The captures from now on.
struct CaptureState: Sendable {
  /// Of which columns of each table.
  let layouts: [RecordType: CaptureLayout]
  /// The tables of the goal that can't be captured, and why.
  let obstacles: [RecordType: CaptureObstacle]
}
