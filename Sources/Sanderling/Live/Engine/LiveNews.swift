/// Which queries have values that their consumers were not told of. Confined to the engine's turns.
final class LiveNews {
  private var queries: Set<Int> = []
  /// Consumers that were suspended, which have to be told.
  private var suspended: [LiveConsumerID] = []
  /// For each consumer that was replaced with others the consumers, all of which are told once their queries are settled.
  private var groups: [LiveConsumerID: Set<LiveConsumerID>] = [:]

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

  /// Whether a consumer is told nothing yet, since another that was replaced with it has to be read.
  func isHeldBack(_ consumer: LiveConsumerID, _ registry: QueryRegistry, _ loads: LoadQueue) -> Bool {
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
    if !groups.isEmpty { groups = groups.filter { isHeldBack($0.key, registry, loads) } }
    for number in told {
      guard let entry = registry[number] else { continue }
      let failure = loads.failure(number)
      for (id, consumer) in entry.consumers {
        if groups[id] != nil {
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
