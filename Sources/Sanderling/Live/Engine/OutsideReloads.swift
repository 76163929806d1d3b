/// The numbers of live results that were read again because another connection or process wrote, by the reason.
///
/// Results of records with a history apply the changed rows instead: see ``ChangeHistory``. A store counts from its opening.
public struct OutsideReloadCounts: Hashable, Sendable {
  /// A table that the result reads has no history with the columns that the result needs.
  public internal(set) var withoutHistory = 0
  /// More than 20,000 changes of the history came at once.
  public internal(set) var tooManyChanges = 0
  /// Changes of the history were pruned or erased before the store had applied them.
  public internal(set) var prunedHistory = 0
}

/// Counts results that are read again. The live engine's turns add to the counts, and the store reads them.
///
/// Lifetime: the runner of turns makes it, and releases it with the store.
final class OutsideReloads: Sendable {
  private let state = Lock(OutsideReloadCounts())

  var counts: OutsideReloadCounts { state.withLock { $0 } }

  func add(_ count: Int, to reason: WritableKeyPath<OutsideReloadCounts, Int> & Sendable) {
    if count > 0 { state.withLock { $0[keyPath: reason] += count } }
  }
}
