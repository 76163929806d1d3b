import Synchronization

/// The request of a live result, and its consumers: the result itself and the sequences made of it.
///
/// `Published` is the type that consumers receive: snapshots or readings.
final class LiveSource<Published: LivePublication>: Sendable {
  private struct State {
    var request: LiveRequest<Published>
    var window: Int
    var isSuspended = false
    var consumers = FewValues<LiveConsumerID, LiveFeed<Published>>()
  }

  let engine: LiveEngine
  /// Guards the request and the consumers. Commands are sent under the lock, so that they arrive in the order of the
  /// changes.
  private let state: Lock<State>

  init(engine: LiveEngine, request: LiveRequest<Published>, window: Int) {
    self.engine = engine
    state = Lock(State(request: request, window: window))
  }

  func attach(_ id: LiveConsumerID, _ feed: LiveFeed<Published>) {
    state.withLock { state in
      state.consumers[id] = feed
      let (request, window) = (state.request, state.window)
      engine.send(.attach(id) { request.makeConsumer(feed, window: window) })
      if state.isSuspended { engine.send(.suspend(id)) }
    }
  }

  func detach(_ id: LiveConsumerID) {
    state.withLock { state in
      if state.consumers.removeValue(forKey: id) != nil { engine.send(.detach(id)) }
    }
  }

  /// Follows another request. Consumers keep their values until the new ones are read.
  func replace(_ request: LiveRequest<Published>, window: Int) {
    state.withLock { state in
      state.request = request
      state.window = window
      engine.replace(
        state.consumers.map { id, feed in LiveReplacement(id: id) { request.makeConsumer(feed, window: window) } })
    }
  }

  func resize(_ window: Int) {
    state.withLock { state in
      state.window = window
      for id in state.consumers.keys { engine.send(.resize(id, window)) }
    }
  }

  var isSuspended: Bool { state.withLock { $0.isSuspended } }

  func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      guard state.isSuspended != isSuspended else { return }
      state.isSuspended = isSuspended
      for id in state.consumers.keys { engine.send(isSuspended ? .suspend(id) : .resume(id)) }
    }
  }

  func retry() {
    state.withLock { state in
      for id in state.consumers.keys { engine.send(.retry(id)) }
    }
  }
}

/// A consumer's subscription to a source. Its release ends the work for this consumer.
final class LiveSubscription<Published: LivePublication>: Sendable {
  let id: LiveConsumerID
  let feed: LiveFeed<Published>
  private let source: LiveSource<Published>
  private let isStarted = Atomic(false)

  init(_ source: LiveSource<Published>, feed: LiveFeed<Published>) {
    self.source = source
    self.feed = feed
    id = source.engine.makeConsumerID()
  }

  deinit {
    if isStarted.load(ordering: .acquiring) { source.detach(id) }
  }

  /// Begins to follow. Further calls do nothing.
  func start() {
    if isStarted.exchange(true, ordering: .acquiringAndReleasing) { return }
    source.attach(id, feed)
  }

  func next(after number: UInt64, isolation: isolated (any Actor)?) async -> (Published, UInt64)? {
    start()
    return await feed.next(after: number, isolation: isolation)
  }
}
