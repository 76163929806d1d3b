/// Decides when consumers are told of the news of their queries, and tells them. Confined to the engine's turns.
final class LiveNews {
  private let queries: QueryRegistry
  /// Consumers that were suspended, which have to be told.
  private var suspended: [LiveConsumerID] = []
  /// For each consumer that was replaced with others the consumers, all of which are told once their queries are settled.
  private var groups: [LiveConsumerID: Set<LiveConsumerID>] = [:]
  /// Consumers that are told nothing until a hold ends, by its number.
  private var held: [UInt64: Set<LiveConsumerID>] = [:]
  /// Holds that end when what was committed before is looked at.
  private var ending: Set<UInt64> = []

  init(_ queries: QueryRegistry) {
    self.queries = queries
  }

  func addSuspended(_ consumer: LiveConsumerID) {
    suspended.append(consumer)
  }

  /// Tells consumers together what becomes of the queries that they follow now.
  func tellTogether(_ consumers: Set<LiveConsumerID>) {
    if consumers.count == 1, groups.isEmpty { return }
    for id in consumers { groups[id] = consumers }
  }

  // MARK: Holds

  /// Keeps all consumers as they are until the hold of a number ends. Those that come later, or follow something else, are told what
  /// there is.
  func hold(_ number: UInt64) {
    var consumers: Set<LiveConsumerID> = []
    for (id, consumer) in queries.all.lazy.flatMap(\.consumers) {
      consumer.setFollowing(false)
      consumers.insert(id)
    }
    held[number] = consumers
  }

  /// Has a hold end once what was committed up to now is looked at: before, its consumers would be told of a part of it.
  func endHold(_ number: UInt64) {
    if held[number] != nil { ending.insert(number) }
  }

  /// Has consumers be told again whose hold ends: what was committed before is looked at.
  func releaseEndedHolds() {
    for number in ending {
      for consumer in held.removeValue(forKey: number) ?? [] { queries.query(of: consumer)?.hasNews = true }
    }
    ending = []
  }

  /// A consumer follows something else, or nothing.
  func letGo(_ consumer: LiveConsumerID) {
    for number in held.keys { held[number]?.remove(consumer) }
  }

  private func isHeld(_ consumer: LiveConsumerID) -> Bool {
    !held.isEmpty && held.values.contains { $0.contains(consumer) }
  }

  /// Whether consumers are told nothing.
  var isHolding: Bool { held.values.contains { !$0.isEmpty } }

  /// Whether a consumer is told nothing yet, since another that was replaced with it has to be read, or since it is held.
  func isHeldBack(_ consumer: LiveConsumerID) -> Bool {
    isHeld(consumer) || isReplacedWithUnread(consumer)
  }

  private func isReplacedWithUnread(_ consumer: LiveConsumerID) -> Bool {
    groups[consumer]?.contains { queries.query(of: $0).map { !$0.isRead } ?? false } ?? false
  }

  // MARK: Telling

  /// Puts what is new into the consumers' feeds.
  ///
  /// - Parameter commit: What current queries stand for.
  /// - Returns: What takes it on the main actor.
  func take(commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery] {
    var deliveries: [LiveConsumerID: MainDeliveries.Delivery] = [:]
    // Those whose values are shown together, which takes that all are told.
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
        // Why it can't be read is told at once.
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
