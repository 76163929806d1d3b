/// A source that can be asked to poll its server while a sequence follows it. Polls have growing numbers, and the last
/// batch of each has ``SyncBatch/endOfLook``.
protocol LookingSource: SyncSource {
  /// Makes a sequence that follows the server poll now.
  ///
  /// - Returns: The number of the last poll that began before; nil if sequences end and don't follow.
  func lookNow() -> Int?

  /// The failed polls since the server became unreachable. A sequence that follows the server continues.
  var failedLooks: AwaitedState<FailedLooks> { get }
}

/// See ``LookingSource/failedLooks``.
struct FailedLooks: Sendable {
  var count = 0
  /// The error of the last failure.
  var error: (any Error)?
}
