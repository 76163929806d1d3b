import GRDB

/// What the engine knows: the queries that are followed, and which changes concern them. Confined to the engine's turns.
final class LiveCore {
  let capture: ChangeCapture
  let clock: LiveClock
  let agenda = LiveAgenda()
  var routes = LiveRoutes()
  private var consumers: [LiveConsumerID: LiveConsumer] = [:]
  private var queries: [Int: LiveQuery] = [:]
  private var numbers: [AnyHashable: Int] = [:]
  private var lastNumber = 0
  /// Consumers that were suspended, which have to be told.
  private var newlySuspended: [LiveConsumerID] = []
  /// The commit that all queries which are current stand for.
  var commit: UInt64 = 0
  /// The number of the last event.
  var lastEvent = 0
  /// Tables that changes are noted of for queries which are run again.
  var followedTables: Set<String> = []
  var isInstalling = false
  /// Queries that are read again in place of being maintained, for whose values those of others wait: what one commit
  /// changes changes together.
  var held: Set<Int> = []
  /// Tables that were watched by nobody for long, whose capture is being removed.
  var uninstalling: Set<RecordType> = []
  /// Tables that are captured, with the time since when nobody watches them, if so.
  var captured: [RecordType: Duration?] = [:]
  /// Whether capture is off while the schema is migrated.
  var isMigrating = false

  let writer: any DatabaseWriter

  init(writer: any DatabaseWriter, capture: ChangeCapture, clock: LiveClock) {
    self.writer = writer
    self.capture = capture
    self.clock = clock
  }
}

// MARK: - Consumers

extension LiveCore {
  func attach(_ id: LiveConsumerID, _ consumer: LiveConsumer) {
    consumers[id] = consumer
    follow(id, consumer)
  }

  func detach(_ id: LiveConsumerID) {
    guard let consumer = consumers.removeValue(forKey: id) else { return }
    leave(id, consumer)
  }

  func replace(_ id: LiveConsumerID, window: Int, query: @escaping @Sendable (LiveCore) -> LiveQuery) {
    guard let consumer = consumers[id] else { return }
    consumer.window = window
    consumer.makeQuery = query
    guard consumer.query != nil else { return }
    leave(id, consumer)
    follow(id, consumer)
  }

  func resize(_ id: LiveConsumerID, _ window: Int) {
    guard let consumer = consumers[id] else { return }
    consumer.window = window
    if let query = consumer.query { consumersChanged(query) }
  }

  func suspend(_ id: LiveConsumerID) {
    guard let consumer = consumers[id], consumer.query != nil else { return }
    leave(id, consumer)
    newlySuspended.append(id)
  }

  func resume(_ id: LiveConsumerID) {
    guard let consumer = consumers[id], consumer.query == nil else { return }
    follow(id, consumer)
  }

  func retry(_ id: LiveConsumerID) {
    guard let query = consumers[id]?.query, query.failure != nil else { return }
    reload(query)
  }

  private func follow(_ id: LiveConsumerID, _ consumer: LiveConsumer) {
    let query = consumer.makeQuery(self)
    consumer.query = query
    query.consumers[id] = consumer
    consumersChanged(query)
  }

  private func leave(_ id: LiveConsumerID, _ consumer: LiveConsumer) {
    guard let query = consumer.query else { return }
    consumer.query = nil
    consumer.isFollowing = false
    query.consumers[id] = nil
    if query.consumers.isEmpty { remove(query) }
  }

  private func consumersChanged(_ query: LiveQuery) {
    agenda.tell(query)
    query.consumersChanged(self)
  }

  /// Puts what is new into the consumers' feeds.
  ///
  /// - Returns: What takes it on the main actor.
  func takeNews() -> [LiveConsumerID: MainDeliveries.Delivery] {
    var deliveries: [LiveConsumerID: MainDeliveries.Delivery] = [:]
    for id in newlySuspended {
      guard let consumer = consumers[id], consumer.query == nil else { continue }
      deliveries[id] = consumer.publishSuspended()
    }
    newlySuspended = []
    for number in agenda.takeNews() {
      guard let query = queries[number], query.isSettled else { continue }
      // What was noted isn't in the values yet.
      if agenda.noted.contains(number) {
        agenda.tell(query)
        continue
      }
      for (id, consumer) in query.consumers {
        if let delivery = consumer.publish(query, commit: Commit(number: commit)) { deliveries[id] = delivery }
        consumer.isFollowing = query.phase == .current
      }
    }
    return deliveries
  }
}

// MARK: - Queries

extension LiveCore {
  func query(_ number: Int) -> LiveQuery? { queries[number] }

  /// The query that a consumer follows; nil while it is suspended.
  func query(of consumer: LiveConsumerID) -> LiveQuery? { consumers[consumer]?.query }

  /// The query that is followed under a key, or a new one.
  func query(_ key: AnyHashable, _ make: (Int) -> LiveQuery) -> LiveQuery {
    if let number = numbers[key], let query = queries[number] { return query }
    lastNumber += 1
    return add(make(lastNumber))
  }

  private func add(_ query: LiveQuery) -> LiveQuery {
    numbers[query.key] = query.number
    queries[query.number] = query
    query.agenda = agenda
    routes.insert(query)
    return query
  }

  private func remove(_ query: LiveQuery) {
    queries[query.number] = nil
    if numbers[query.key] == query.number { numbers[query.key] = nil }
    query.agenda = nil
    held.remove(query.number)
    agenda.remove(query)
    routes.remove(query)
  }

  /// Puts a query that is run again in the place of one whose tables can't be captured.
  func replace(_ query: LiveQuery, byRunningAgain reason: RequeryReason) {
    let consumers = query.consumers
    remove(query)
    lastNumber += 1
    let other = add(query.runningAgain(number: lastNumber, reason))
    other.standsInForMaintained = true
    other.consumers = consumers
    for consumer in consumers.values {
      consumer.query = other
      consumer.isFollowing = false
    }
  }

  var allQueries: some Collection<LiveQuery> { queries.values }

  /// Has the query read again.
  func reload(_ query: LiveQuery) {
    query.forgetChanges()
    switch query.phase {
    case .waitsForCapture, .needsLoad: break
    case .loading: query.needsAnotherLoad = true
    case .current:
      query.phase = .needsLoad
      if query.route != nil { held.insert(query.number) }
    case .failed: query.phase = isPrepared(query) ? .needsLoad : .waitsForCapture
    }
  }

  /// Has all queries wait until what they depend on is captured, since the schema changed.
  func captureAgain() {
    defer { held = [] }
    for query in allQueries where query.standsInForMaintained {
      let consumers = query.consumers
      remove(query)
      for (id, consumer) in consumers { follow(id, consumer) }
    }
    for query in allQueries {
      query.forgetChanges()
      query.setTables(nil, in: &routes)
      query.needsAnotherLoad = query.phase == .loading
      if query.phase != .loading { query.phase = .waitsForCapture }
    }
    followedTables = []
  }
}
