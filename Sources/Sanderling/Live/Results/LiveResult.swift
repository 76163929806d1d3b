/// What lists and values that follow one query have in common: they read nothing until they are first looked at, and show no commit
/// earlier than one that they showed.
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

  /// What is shown now, for one who observes it.
  func look() -> Published {
    begin()
    shown.contentIsRead()
    return shown.published
  }

  /// The last commit that what is shown is known to stand for; nil before anything was read.
  func lookAtCommit() -> Commit? {
    let published = look()
    guard published.state.isCurrent, let commit = published.commit, let subscription else { return published.commit }
    return shownCommit.latest(commit, number: shown.number, of: subscription.feed, engine: source.engine)
  }

  /// Waits until what is shown stands for a commit.
  ///
  /// - Throws: ``LiveError/suspended``, why it could not be read, or `CancellationError`.
  func show(_ commit: Commit) async throws {
    try await source.engine.reached(commit, by: begin().id)
    source.engine.deliverNow()
    shownCommit.note(commit, number: shown.number)
    if let error = shown.published.state.error { throw error }
  }
}
