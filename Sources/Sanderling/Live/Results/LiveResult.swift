/// The common part of lists and values that follow one query. A result reads nothing until its first access. It never
/// shows an earlier commit than one that it showed.
@MainActor
protocol LiveResult: AnyObject {
  associatedtype Published: LivePublication
  associatedtype Shown: ShownPublication<Published>

  var shown: Shown { get }
  var source: LiveSource<Published> { get }
  /// Made by ``begin()``; ends with the result.
  var subscription: LiveSubscription<Published>? { get set }
  var shownCommit: ShownCommit { get set }
}

extension LiveResult {
  /// Follows the source, if it isn't followed yet.
  @discardableResult
  func begin() -> LiveSubscription<Published> {
    if let subscription { return subscription }
    let subscription = LiveSubscription(source, feed: LiveFeed(target: shown))
    self.subscription = subscription
    subscription.start()
    return subscription
  }

  /// The current content, for an observer.
  func look() -> Published {
    begin()
    shown.contentIsRead()
    return shown.published
  }

  /// The last commit that the shown content is known to contain; nil before the first read.
  func lookAtCommit() -> Commit? {
    let published = look()
    guard published.state.isCurrent, let commit = published.commit, let subscription else { return published.commit }
    return shownCommit.latest(commit, number: shown.number, of: subscription.feed, engine: source.engine)
  }

  /// Waits until the shown content contains a commit.
  ///
  /// - Throws: ``LiveError/suspended``, the error of a failed read, or `CancellationError`.
  func show(_ commit: Commit) async throws {
    try await source.engine.reached(commit, by: begin().id)
    source.engine.deliverNow()
    shownCommit.note(commit, number: shown.number)
    if let error = shown.published.state.error { throw error }
  }
}
