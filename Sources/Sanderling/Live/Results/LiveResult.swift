/// The common part of live lists and values, each with one query. They read nothing until they are first accessed, and
/// never show an earlier commit than before.
@MainActor
protocol LiveResult: AnyObject {
  associatedtype Published: LivePublication
  associatedtype Shown: ShownPublication<Published>

  var shown: Shown { get }
  var source: LiveSource<Published> { get }
  /// Made by ``begin()``. Ends with the result.
  var subscription: LiveSubscription<Published>? { get set }
  var shownCommit: KnownCommit { get set }
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

  /// The shown value, for an observer.
  func look() -> Published {
    begin()
    shown.contentIsRead()
    return shown.published
  }

  /// The last commit that the shown value is known to equal; nil before the first load.
  func lookAtCommit() -> Commit? {
    let published = look()
    guard published.state.isCurrent, let commit = published.commit, let subscription else { return published.commit }
    return shownCommit.latest(commit, number: shown.number, of: subscription.feed, engine: source.engine)
  }

  /// Waits until the shown value contains a commit.
  ///
  /// - Throws: ``LiveError/suspended``, the error of reading the value, or `CancellationError`.
  func show(_ commit: Commit) async throws {
    try await source.engine.reached(commit, by: begin().id)
    source.engine.deliverNow()
    shownCommit.note(commit, number: shown.number)
    if let error = shown.published.state.error { throw error }
  }
}
