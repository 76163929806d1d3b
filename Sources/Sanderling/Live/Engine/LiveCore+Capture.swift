/// Which tables stay captured, and for how long.
extension LiveCore {
  /// How long a table stays captured that nobody watches: what costs is to install capture, not to have it.
  static let unwatchedTime = Duration.seconds(60)

  /// Notes since when tables are captured that nobody watches.
  ///
  /// - Returns: Whether there are any.
  func noteUnwatched() -> Bool {
    var hasUnwatched = false
    for (type, since) in captured {
      if routes.isWatched(type) {
        if since != nil { captured.updateValue(nil, forKey: type) }
      } else {
        hasUnwatched = true
        if since == nil { captured[type] = clock.now() }
      }
    }
    return hasUnwatched
  }

  /// The tables that were watched by nobody for long, to be captured no more. Queries that need them again wait until
  /// ``uninstalled()``.
  func takeUnwatched() -> (removed: Set<RecordType>, kept: Set<RecordType>) {
    if isMigrating || isInstalling || !uninstalling.isEmpty { return ([], []) }
    let latest = clock.now() - Self.unwatchedTime
    let removed = captured.filter { type, since in !routes.isWatched(type) && since.map { $0 <= latest } ?? false }.keys
    for type in removed { captured.removeValue(forKey: type) }
    uninstalling = Set(removed)
    return (uninstalling, Set(captured.keys))
  }

  func uninstalled() {
    uninstalling = []
  }

  func beginMigration() {
    isMigrating = true
    captured = [:]
    captureAgain()
  }

  func endMigration() {
    isMigrating = false
    captureAgain()
  }
}
