import Synchronization

/// A consumer of a live query, in one engine.
struct LiveConsumerID: Hashable, Sendable {
  let number: UInt64
}

/// What consumers ask of the engine. Commands are carried out in the order in which they were sent, in the engine's next turn.
struct LiveCommand: Sendable {
  let run: @Sendable (LiveCore) -> Void

  static func attach(_ id: LiveConsumerID, _ attach: @escaping @Sendable (LiveCore) -> Void) -> LiveCommand {
    LiveCommand(run: attach)
  }

  static func detach(_ id: LiveConsumerID) -> LiveCommand {
    LiveCommand { $0.detach(id) }
  }

  static func replace(
    _ id: LiveConsumerID, window: Int, query: @escaping @Sendable (LiveCore) -> LiveQuery
  ) -> LiveCommand {
    LiveCommand { $0.replace(id, window: window, query: query) }
  }

  static func resize(_ id: LiveConsumerID, _ window: Int) -> LiveCommand {
    LiveCommand { $0.resize(id, window) }
  }

  static func suspend(_ id: LiveConsumerID) -> LiveCommand {
    LiveCommand { $0.suspend(id) }
  }

  static func resume(_ id: LiveConsumerID) -> LiveCommand {
    LiveCommand { $0.resume(id) }
  }

  static func retry(_ id: LiveConsumerID) -> LiveCommand {
    LiveCommand { $0.retry(id) }
  }
}

/// What a consumer asks to follow: the query, found among those that are followed or made, and how its values are published.
struct LiveRequest<Published: Sendable>: Sendable {
  /// The query's state, shared by all who follow the same.
  let query: @Sendable (LiveCore) -> LiveQuery
  /// Makes the consumer that puts the query's state into the feed.
  let consumer: @Sendable (LiveFeed<Published>, Int) -> LiveConsumer
}

extension LiveRequest {
  func attach(_ core: LiveCore, _ id: LiveConsumerID, _ feed: LiveFeed<Published>, _ window: Int) {
    core.attach(id, consumer(feed, window))
  }
}
