/// The live queries, by number and by key, and the consumers of each. Confined to the engine's turns.
final class QueryRegistry {
  let routes = LiveRoutes<FollowedQuery>()
  let indexes = QueryIndexes()
  private var queries: [Int: FollowedQuery] = [:]
  /// The queries by their forms, and then by their compared values.
  private var queriesByForm: [ObjectIdentifier: [[StorageValue]: FollowedQuery]] = [:]
  /// The query of each consumer.
  private var followed: [LiveConsumerID: FollowedQuery] = [:]
  /// Consumers without a query: new and suspended ones.
  private var idle: [LiveConsumerID: any QueryConsumer] = [:]
  private var lastNumber = 0

  // MARK: Queries

  var all: some Collection<FollowedQuery> { queries.values }

  var isEmpty: Bool { queries.isEmpty }

  /// Returns some queries in the order of their numbers: those after a number first, then from the beginning. If all
  /// fit in the count, returns all in any order.
  ///
  /// - Returns: The queries, and the last searched number. A search skips a limited count of ended queries' numbers, so
  ///   that the next one must begin after the searched numbers, even if there was no query.
  func queries(after number: Int, count: Int) -> (queries: [FollowedQuery], end: Int) {
    if count >= queries.count { return (Array(queries.values), number) }
    var result: [FollowedQuery] = []
    var end = number
    for _ in 0..<max(1, min(lastNumber, 64 * count)) where result.count < count {
      end = end % lastNumber + 1
      if let query = queries[end] { result.append(query) }
    }
    return (result, end)
  }

  /// The query that a consumer follows; nil while it is suspended.
  func query(of consumer: LiveConsumerID) -> FollowedQuery? { followed[consumer] }

  func hasConsumer(_ id: LiveConsumerID) -> Bool { consumer(id) != nil }

  func consumer(_ id: LiveConsumerID) -> (any QueryConsumer)? { followed[id]?.consumers[id] ?? idle[id] }

  private func add(_ key: LiveQueryKey, runAgain reason: RequeryReason?) -> FollowedQuery {
    lastNumber += 1
    let query = FollowedQuery(lastNumber, key, runAgain: reason, indexes)
    if let plan = query.values.plan { routes.insert(query, plan, showsRows: query.values.showsRows) }
    queries[query.number] = query
    queriesByForm[ObjectIdentifier(key.form), default: [:]][key.values] = query
    return query
  }

  /// Ends a query. Its remaining consumers go to ``addReplacement(for:runAgain:)``.
  func remove(_ query: FollowedQuery) {
    queries[query.number] = nil
    let form = ObjectIdentifier(query.key.form)
    queriesByForm[form]?[query.key.values] = nil
    if queriesByForm[form]?.isEmpty == true { queriesByForm[form] = nil }
    routes.remove(query, query.values.plan)
    query.end()
  }

  /// Adds a query in place of a removed one, for the same consumers.
  ///
  /// - Parameter reason: The reason for reruns; nil to maintain the query if possible.
  func addReplacement(for old: FollowedQuery, runAgain reason: RequeryReason?) -> FollowedQuery {
    let query = add(old.key, runAgain: reason)
    query.consumers = old.consumers
    old.consumers = FewValues()
    for (id, consumer) in query.consumers {
      consumer.follow(query.values)
      followed[id] = query
    }
    return query
  }

  // MARK: Consumers

  /// - Precondition: No consumer with the identifier follows a query.
  func attach(_ id: LiveConsumerID, _ consumer: any QueryConsumer) {
    idle[id] = consumer
  }

  /// - Precondition: The consumer follows no query.
  func detach(_ id: LiveConsumerID) {
    idle[id] = nil
  }

  /// Has a consumer follow its query.
  ///
  /// - Returns: The query, and whether it is new; nil when the consumer follows one already.
  func follow(_ id: LiveConsumerID) -> (query: FollowedQuery, isNew: Bool)? {
    guard let consumer = idle.removeValue(forKey: id) else { return nil }
    let known = queriesByForm[ObjectIdentifier(consumer.key.form)]?[consumer.key.values]
    let query = known ?? add(consumer.key, runAgain: nil)
    query.consumers[id] = consumer
    followed[id] = query
    consumer.follow(query.values)
    return (query, known == nil)
  }

  /// Has a consumer follow nothing.
  ///
  /// - Returns: The query that it followed, which may have other consumers.
  func leave(_ id: LiveConsumerID) -> FollowedQuery? {
    guard let query = followed.removeValue(forKey: id), let consumer = query.consumers.removeValue(forKey: id) else {
      return nil
    }
    consumer.follow(nil)
    idle[id] = consumer
    return query
  }
}
