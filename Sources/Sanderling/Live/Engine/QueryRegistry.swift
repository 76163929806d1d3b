/// The live queries, by number and by what they are, and who follows which. Confined to the engine's turns.
final class QueryRegistry {
  /// A query that is followed.
  final class Entry {
    let number: Int
    let key: LiveQueryKey
    let query: any LiveQuery
    /// Whether it is run again only because a table can't be captured, or for what its rows hold, which another schema may change.
    let standsInForMaintained: Bool
    /// How changes of other tables' rows are those of its own.
    let dependencies: LiveRoutes.Dependencies
    fileprivate(set) var consumers = FewValues<LiveConsumerID, any QueryConsumer>()

    fileprivate init(
      _ number: Int, _ key: LiveQueryKey, _ query: any LiveQuery, standsInForMaintained: Bool,
      _ dependencies: LiveRoutes.Dependencies
    ) {
      self.number = number
      self.key = key
      self.query = query
      self.standsInForMaintained = standsInForMaintained
      self.dependencies = dependencies
    }

    /// How many rows the consumers show at most.
    var window: Int { consumers.values.map(\.window).max() ?? 0 }
  }

  let routes = LiveRoutes()
  private var entries: [Int: Entry] = [:]
  /// By their forms, and then by what they compare with.
  private var entriesByForm: [ObjectIdentifier: [[StorageValue]: Entry]] = [:]
  /// What consumers follow.
  private var followed: [LiveConsumerID: Entry] = [:]
  /// Consumers that follow nothing: new ones, and suspended ones.
  private var idle: [LiveConsumerID: any QueryConsumer] = [:]
  private var lastNumber = 0

  // MARK: Queries

  subscript(number: Int) -> Entry? { entries[number] }

  var all: some Collection<Entry> { entries.values }

  var isEmpty: Bool { entries.isEmpty }

  /// Some queries, those that came after one first, and then the first ones.
  func entries(after number: Int, count: Int) -> [Entry] {
    if count >= entries.count { return Array(entries.values) }
    var result: [Entry] = []
    // Numbers of queries that are gone are passed over, up to a limit.
    for offset in 1...max(1, min(lastNumber, 64 * count)) where result.count < count {
      if let entry = entries[(number + offset - 1) % lastNumber + 1] { result.append(entry) }
    }
    return result
  }

  /// The query that a consumer follows; nil while it is suspended.
  func entry(of consumer: LiveConsumerID) -> Entry? {
    followed[consumer]
  }

  func hasConsumer(_ id: LiveConsumerID) -> Bool { consumer(id) != nil }

  func consumer(_ id: LiveConsumerID) -> (any QueryConsumer)? { followed[id]?.consumers[id] ?? idle[id] }

  private func add(
    _ key: LiveQueryKey, _ query: any LiveQuery, standsInForMaintained: Bool
  ) -> Entry {
    lastNumber += 1
    let dependencies = query.plan.map { routes.insert(lastNumber, $0, showsRows: query.showsRows) }
    let entry = Entry(
      lastNumber, key, query, standsInForMaintained: standsInForMaintained, dependencies ?? LiveRoutes.Dependencies())
    entries[entry.number] = entry
    entriesByForm[ObjectIdentifier(key.form), default: [:]][key.values] = entry
    return entry
  }

  /// Forgets a query that nobody follows any more.
  func remove(_ entry: Entry) {
    entries[entry.number] = nil
    let form = ObjectIdentifier(entry.key.form)
    if entriesByForm[form]?[entry.key.values] === entry { entriesByForm[form]?[entry.key.values] = nil }
    if entriesByForm[form]?.isEmpty == true { entriesByForm[form] = nil }
    if let plan = entry.query.plan {
      routes.remove(entry.number, plan)
    } else {
      routes.setTables(nil, of: entry.number)
    }
  }

  /// Puts another query in the place of one, for the same consumers.
  ///
  /// - Parameter reason: Why it is run again; nil for the best way to follow it.
  /// - Returns: The other one.
  func replace(_ entry: Entry, runAgain reason: RequeryReason?) -> Entry? {
    guard let first = entry.consumers.first?.value else { return nil }
    remove(entry)
    let other = add(entry.key, first.makeQuery(runAgain: reason), standsInForMaintained: reason != nil)
    for (id, consumer) in entry.consumers {
      consumer.follow(other.query)
      other.consumers[id] = consumer
      followed[id] = other
    }
    entry.consumers = FewValues()
    return other
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

  /// Has a consumer follow the query that it asks for.
  ///
  /// - Returns: The query, and whether it is a new one.
  func follow(_ id: LiveConsumerID) -> (entry: Entry, isNew: Bool)? {
    guard let consumer = idle.removeValue(forKey: id) else { return nil }
    let known = entriesByForm[ObjectIdentifier(consumer.key.form)]?[consumer.key.values]
    let entry =
      known ?? add(consumer.key, consumer.makeQuery(runAgain: nil), standsInForMaintained: false)
    entry.consumers[id] = consumer
    followed[id] = entry
    consumer.follow(entry.query)
    return (entry, known == nil)
  }

  /// Has a consumer follow nothing.
  ///
  /// - Returns: The query that it followed, which somebody else may follow.
  func leave(_ id: LiveConsumerID) -> Entry? {
    guard let entry = followed.removeValue(forKey: id), let consumer = entry.consumers.removeValue(forKey: id) else {
      return nil
    }
    consumer.follow(nil)
    idle[id] = consumer
    return entry
  }
}
