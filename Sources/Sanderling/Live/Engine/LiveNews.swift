/// Decides when consumers receive the news of their queries, and publishes these. Confined to the engine's turns.
final class LiveNews {
  private let queries: QueryRegistry
  /// Suspended consumers that have not received this state yet.
  private var suspended: [LiveConsumerID] = []
  /// The group of each consumer that was replaced together with others. The group receives its news together, once all
  /// its queries are read.
  private var groups: [LiveConsumerID: Set<LiveConsumerID>] = [:]
  /// The consumers of each hold, by its number. They receive nothing until it ends.
  private var held: [UInt64: Set<LiveConsumerID>] = [:]
  /// The holds that end once the commits before their end are processed.
  private var ending: Set<UInt64> = []

  init(_ queries: QueryRegistry) {
    self.queries = queries
  }

  func addSuspended(_ consumer: LiveConsumerID) {
    suspended.append(consumer)
  }

  /// Has consumers receive the first values of their new queries together.
  func deliverTogether(_ consumers: Set<LiveConsumerID>) {
    if consumers.count == 1, groups.isEmpty { return }
    for id in consumers { groups[id] = consumers }
  }

  // MARK: Holds

  /// Keeps all present consumers unchanged until the hold with this number ends. Consumers that come later or change
  /// their query are not held.
  func hold(_ number: UInt64) {
    var consumers: Set<LiveConsumerID> = []
    for (id, consumer) in queries.all.lazy.flatMap(\.consumers) {
      consumer.setFollowing(false)
      consumers.insert(id)
    }
    held[number] = consumers
  }

  /// Ends a hold once the commits up to now are processed. An earlier end would publish a part of them.
  func endHold(_ number: UInt64) {
    if held[number] != nil { ending.insert(number) }
  }

  /// Lets consumers of ended holds receive news again. Called when the earlier commits are processed.
  func releaseEndedHolds() {
    for number in ending {
      for consumer in held.removeValue(forKey: number) ?? [] { queries.query(of: consumer)?.hasNews = true }
    }
    ending = []
  }

  /// Ends the holds of a consumer that changes its query or stops following.
  func forget(_ consumer: LiveConsumerID) {
    for number in held.keys { held[number]?.remove(consumer) }
  }

  private func isHeld(_ consumer: LiveConsumerID) -> Bool {
    !held.isEmpty && held.values.contains { $0.contains(consumer) }
  }

  /// Whether a hold keeps any consumer.
  var isHolding: Bool { held.values.contains { !$0.isEmpty } }

  /// Whether a consumer receives nothing yet: it is held, or a consumer of its group has an unread query.
  func isHeldBack(_ consumer: LiveConsumerID) -> Bool {
    isHeld(consumer) || isReplacedWithUnread(consumer)
  }

  private func isReplacedWithUnread(_ consumer: LiveConsumerID) -> Bool {
    groups[consumer]?.contains { queries.query(of: $0).map { !$0.isRead } ?? false } ?? false
  }

  // MARK: Publishing

  /// Puts the news into the consumers' feeds.
  ///
  /// - Parameter commit: The commit at which current queries are current.
  /// - Returns: The deliveries for the main actor, by consumer.
  func take(commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery] {
    var deliveries: [LiveConsumerID: MainDeliveries.Delivery] = [:]
    // Groups of consumers that show their values together, composed once all consumers have received theirs.
    var composing: [LiveConsumerID: any LiveFeedGroup] = [:]
    for id in suspended where queries.query(of: id) == nil {
      let consumer = queries.consumer(id)
      deliveries[id] = consumer?.publish(.suspended)
      if let group = consumer?.group { composing[group.id] = group }
    }
    suspended = []
    if !groups.isEmpty { groups = groups.filter { isReplacedWithUnread($0.key) } }
    for query in queries.indexes[.undelivered] where query.isRead {
      let failure = query.failure
      var isHeldBack = false
      for (id, consumer) in query.consumers {
        // A failure is published at once, even to held consumers.
        if groups[id] != nil || failure == nil && isHeld(id) {
          isHeldBack = true
          continue
        }
        let delivery =
          failure.map { consumer.publish($0 as? StoreError == .suspended ? .suspended : .failed($0)) }
          ?? consumer.publish(commit)
        if let delivery { deliveries[id] = delivery }
        consumer.setFollowing(query.isCurrent)
        if let group = consumer.group { composing[group.id] = group }
      }
      query.hasNews = isHeldBack
    }
    for group in composing.values { deliveries.merge(group.compose(at: commit)) { $1 } }
    return deliveries
  }
}
