import GRDB

/// The position in the history up to which the current queries contain all changes. Confined to the engine's turns.
///
/// From a known position on, each turn takes the changes of such tables from the history, and not from the capture. The
/// history has the changes of all writers, in their order, exactly up to the turn's snapshot. So a commit of another
/// process is applied row by row, whether it was noticed before the turn or not.
struct FollowedHistory {
  /// Nil while unknown. A query that was read before may lack a change that no one noticed.
  private var position: Int64?
  /// Whether the last turn found that changes are gone which it had not taken.
  private(set) var hasLostChanges = false

  /// Puts the history's changes since the last turn in the place of the captured ones.
  ///
  /// - Returns: The tables with all their changes; nil if the history does not have all of them, so that an outside
  ///   change has all queries read again.
  mutating func take(
    _ changes: inout CapturedChanges, _ images: HistoryImages, _ lifecycle: QueryLifecycle, _ db: Database
  ) -> HistoryImages? {
    hasLostChanges = false
    if images.isEmpty || changes.schemaChanged {
      position = nil
      return nil
    }
    do {
      guard let end = try images.end(db, after: position) else {
        // Notes that were not taken are gone, so all queries are read again.
        hasLostChanges = position != nil
        if hasLostChanges { changes.outside = .all }
        position = try images.end(db, after: nil)
        return nil
      }
      guard let start = position else {
        // All queries are read again, or none depends on the history yet. Later loads contain all changes.
        if changes.outside != .none || !lifecycle.hasCurrent(in: images) { position = end }
        return nil
      }
      try images.replace(&changes, after: start, through: end, db)
      position = end
      return images
    } catch {
      // The tables of the history are gone, and the change of the schema was not noticed yet.
      if position != nil { changes.outside = .all }
      position = nil
      return nil
    }
  }
}
