/// A source that can be asked to look at its server while a sequence follows it. Looks have numbers that grow, and the
/// last batch of each has ``SyncBatch/endOfLook``.
protocol LookingSource: SyncSource {
  /// Has a sequence that follows the server look now.
  ///
  /// - Returns: The number of the last look that began before; nil where sequences don't follow, but end.
  func lookNow() -> Int?

  /// The looks that failed since the server wasn't there: a sequence that follows it goes on.
  var failedLooks: AwaitedState<FailedLooks> { get }
}

/// See ``LookingSource/failedLooks``.
struct FailedLooks: Sendable {
  var count = 0
  /// Why the last one failed.
  var error: (any Error)?
}
