/// Which queries have values that their consumers were not told of. Confined to the engine's turns.
final class LiveNews {
  private var queries: Set<Int> = []
  /// Consumers that were suspended, which have to be told.
  private var suspended: [LiveConsumerID] = []
  /// For each consumer that was replaced with others the consumers, all of which are told once their queries are settled.
  private var groups: [LiveConsumerID: Set<LiveConsumerID>] = [:]
  /// Consumers that are told nothing until a hold ends, by its number.
  private var held: [UInt64: Set<LiveConsumerID>] = [:]
  /// Holds that end when what was committed before is looked at.
  private var ending: Set<UInt64> = []

  func add(_ query: Int) {
    queries.insert(query)
  }

  func remove(_ query: Int) {
    queries.remove(query)
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

  /// Keeps consumers as they are until the hold of a number ends.
  func hold(_ consumers: Set<LiveConsumerID>, _ number: UInt64) {
    held[number] = consumers
  }

  /// Has a hold end once what was committed up to now is looked at: before, its consumers would be told of a part of it.
  func endHold(_ number: UInt64) {
    if held[number] != nil { ending.insert(number) }
  }

  /// What was committed before the holds were asked to end is looked at.
  ///
  /// - Returns: The consumers that were held.
  func takeEndedHolds() -> Set<LiveConsumerID> {
    if ending.isEmpty { return [] }
    defer { ending = [] }
    return ending.reduce(into: []) { $0.formUnion(held.removeValue(forKey: $1) ?? []) }
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
  func isHeldBack(_ consumer: LiveConsumerID, _ registry: QueryRegistry, _ loads: LoadQueue) -> Bool {
    isHeld(consumer) || isReplacedWithUnread(consumer, registry, loads)
  }

  private func isReplacedWithUnread(_ consumer: LiveConsumerID, _ registry: QueryRegistry, _ loads: LoadQueue) -> Bool {
    groups[consumer]?.contains { registry.entry(of: $0).map { !loads.isSettled($0.number) } ?? false } ?? false
  }

  /// Puts what is new into the consumers' feeds.
  ///
  /// - Parameter commit: What current queries stand for.
  /// - Returns: What takes it on the main actor.
  func take(_ registry: QueryRegistry, _ loads: LoadQueue, commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery]
  {
    var deliveries: [LiveConsumerID: MainDeliveries.Delivery] = [:]
    // Those whose values are shown together, which takes that all are told.
    var composing: [LiveConsumerID: any LiveFeedGroup] = [:]
    for id in suspended where registry.entry(of: id) == nil {
      let consumer = registry.consumer(id)
      deliveries[id] = consumer?.publish(.suspended)
      if let group = consumer?.group { composing[group.id] = group }
    }
    suspended = []
    let told = queries.filter(loads.isSettled)
    queries.subtract(told)
    if !groups.isEmpty { groups = groups.filter { isReplacedWithUnread($0.key, registry, loads) } }
    for number in told {
      guard let entry = registry[number] else { continue }
      let failure = loads.failure(number)
      for (id, consumer) in entry.consumers {
        // Why it can't be read is told at once.
        if groups[id] != nil || failure == nil && isHeld(id) {
          queries.insert(number)
          continue
        }
        let delivery =
          failure.map { consumer.publish($0 as? StoreError == .suspended ? .suspended : .failed($0)) }
          ?? consumer.publish(commit)
        if let delivery { deliveries[id] = delivery }
        consumer.setFollowing(loads.isCurrent(number))
        if let group = consumer.group { composing[group.id] = group }
      }
    }
    for group in composing.values { deliveries.merge(group.compose(at: commit)) { $1 } }
    return deliveries
  }
}
