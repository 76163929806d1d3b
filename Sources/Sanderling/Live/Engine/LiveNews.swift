/// Decides when the news of queries are delivered to their consumers, and delivers them. Confined to the engine's
/// turns.
final class LiveNews {
  private let queries: QueryRegistry
  /// Suspended consumers whose new state was not delivered yet.
  private var suspended: [LiveConsumerID] = []
  /// The group of each consumer that was replaced together with others. A group gets its first values together, once
  /// all of its queries are settled.
  private var groups: [LiveConsumerID: Set<LiveConsumerID>] = [:]
  /// The frozen consumers of each hold, by its number.
  private var held: [UInt64: Set<LiveConsumerID>] = [:]
  /// Holds that end once all earlier commits are processed.
  private var ending: Set<UInt64> = []

  init(_ queries: QueryRegistry) {
    self.queries = queries
  }

  func addSuspended(_ consumer: LiveConsumerID) {
    suspended.append(consumer)
  }

  /// Makes a group of consumers: they get the first values of their queries together.
  func tellTogether(_ consumers: Set<LiveConsumerID>) {
    if consumers.count == 1, groups.isEmpty { return }
    for id in consumers { groups[id] = consumers }
  }

  // MARK: Holds

  /// Freezes all consumers until the hold with a number ends. Later consumers, and consumers with another query, are
  /// not frozen.
  func hold(_ number: UInt64) {
    var consumers: Set<LiveConsumerID> = []
    for (id, consumer) in queries.all.lazy.flatMap(\.consumers) {
      consumer.setFollowing(false)
      consumers.insert(id)
    }
    held[number] = consumers
  }

  /// Ends a hold once all commits so far are processed. Before that, its consumers would show a part of them.
  func endHold(_ number: UInt64) {
    if held[number] != nil { ending.insert(number) }
  }

  /// Releases the consumers of ending holds, since all earlier commits are processed.
  func releaseEndedHolds() {
    for number in ending {
      for consumer in held.removeValue(forKey: number) ?? [] { queries.query(of: consumer)?.hasNews = true }
    }
    ending = []
  }

  /// A consumer stops to follow its query.
  func letGo(_ consumer: LiveConsumerID) {
    for number in held.keys { held[number]?.remove(consumer) }
  }

  private func isHeld(_ consumer: LiveConsumerID) -> Bool {
    !held.isEmpty && held.values.contains { $0.contains(consumer) }
  }

  /// Whether any consumer is frozen.
  var isHolding: Bool { held.values.contains { !$0.isEmpty } }

  /// Whether the delivery to a consumer waits for the rest of its group, or for the end of a hold.
  func isHeldBack(_ consumer: LiveConsumerID) -> Bool {
    isHeld(consumer) || isReplacedWithUnread(consumer)
  }

  private func isReplacedWithUnread(_ consumer: LiveConsumerID) -> Bool {
    groups[consumer]?.contains { queries.query(of: $0).map { !$0.isRead } ?? false } ?? false
  }

  // MARK: Telling

  /// Puts the news into the consumers' feeds.
  ///
  /// - Parameter commit: The commit that current queries contain.
  /// - Returns: The deliveries for the main actor.
  func take(commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery] {
    var deliveries: [LiveConsumerID: MainDeliveries.Delivery] = [:]
    // Consumers that show their values as one. All of them must get theirs.
    var composing: [LiveConsumerID: any LiveFeedGroup] = [:]
    for id in suspended where queries.query(of: id) == nil {
      let consumer = queries.consumer(id)
      deliveries[id] = consumer?.publish(.suspended)
      if let group = consumer?.group { composing[group.id] = group }
    }
    suspended = []
    if !groups.isEmpty { groups = groups.filter { isReplacedWithUnread($0.key) } }
    for query in queries.indexes[.untold] where query.isRead {
      let failure = query.failure
      var isHeldBack = false
      for (id, consumer) in query.consumers {
        // An error is delivered at once.
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
