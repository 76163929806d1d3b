/// The live queries of a sectioned list, and their consumers: the list itself and the sequences made of it.
///
/// One query reads the headers, and one query for each open section reads its rows. Queries that differ only in the key
/// share their statements. The engine delivers the changes of one commit to all of them in one turn. So the sections
/// that are composed at the end of a turn show one commit: the count of a header always agrees with its rows.
final class SectionsSource<Key: Sendable, Values: Sendable, Element: Sendable>: Sendable {
  typealias Published = SectionedSnapshot<Key, Values, Element>
  typealias Definition = SectionedDefinition<Key, Values, Element>
  typealias Header = SectionHeader<Key, Values>

  private struct State {
    var definition: Definition
    /// The number of rows that each section shows at first, as passed by the app. With less than 1 the headers fail,
    /// and no section is followed.
    let window: Int
    var opening: OpenSections
    var isSuspended = false
    var consumers: [LiveConsumerID: LiveFeed<Published>] = [:]
    /// Nil while there are no consumers.
    var header: SectionPart<Header>?
    /// The parts of the existing sections that should be open.
    var parts: [RowID: SectionPart<Element>] = [:]
    /// The windows of sections that were enlarged.
    var windows: [RowID: Int] = [:]
    /// The sections that were composed last. Consumers may not have received them yet.
    var sections = LiveSections<Key, Values, Element>()
    var sectionIDs: Set<RowID> = []
    /// Parts with changes that weren't processed yet.
    var touched: Set<RowID> = []
    /// Parts that don't contain all processed commits.
    var unsettled: Set<RowID> = []
    var failures: [RowID: any Error] = [:]
    /// New sections that are first shown together with their rows.
    var awaited: Set<RowID> = []
    /// Whether a snapshot waits for parts that aren't current.
    var isHeld = false
    /// Whether the composed sections may differ from the consumers' sections.
    var hasNews = true
    /// The snapshot that the consumers received last.
    var published: Published?
  }

  let engine: LiveEngine
  let id: LiveConsumerID
  /// Guards the live queries, their consumers and their results. Commands are sent under the lock, so that they arrive
  /// in the order of the changes that they report.
  private let state: Lock<State>

  /// The greatest number of new sections for which a snapshot waits until their rows are read. So a row that moves into
  /// a new section is seen as a move.
  static var greatestAwaitedCount: Int { 64 }
  /// The window of the headers. Further sections are left out.
  static var greatestSectionCount: Int { 1_000_000 }

  init(engine: LiveEngine, definition: Definition, window: Int, startsOpen: Bool) {
    self.engine = engine
    id = engine.makeConsumerID()
    state = Lock(
      State(definition: definition, window: window, opening: OpenSections(isOpenByDefault: startsOpen)))
  }
}

// MARK: - Consumers

extension SectionsSource {
  func attach(_ consumer: LiveConsumerID, _ feed: LiveFeed<Published>) {
    state.withLock { state in
      state.consumers[consumer] = feed
      if let published = state.published { feed.publish(published) }
      if state.header == nil { begin(&state) }
    }
  }

  func detach(_ consumer: LiveConsumerID) {
    state.withLock { state in
      state.consumers[consumer] = nil
      guard state.consumers.isEmpty else { return }
      end(&state)
      state.published = nil
      state.sections = LiveSections()
    }
  }

  private func begin(_ state: inout State) {
    let header = SectionPart(
      state.definition.headers.fitting(window: state.window), of: nil, in: self, engine,
      window: Self.greatestSectionCount,
      isSuspended: state.isSuspended)
    state.header = header
    header.subscription.start()
  }

  private func end(_ state: inout State) {
    state.header = nil
    state.parts = [:]
    state.sectionIDs = []
    state.touched = []
    state.unsettled = []
    state.failures = [:]
    state.awaited = []
    state.hasNews = true
  }

  /// The IDs under which the engine knows the queries.
  var followed: [LiveConsumerID] {
    state.withLock { state in [state.header?.id].compactMap { $0 } + state.parts.values.map(\.id) }
  }

  /// Whether an ID belongs to one of the current queries.
  func follows(_ consumer: LiveConsumerID) -> Bool { followed.contains(consumer) }

  func replace(_ definition: Definition) {
    state.withLock { state in
      state.definition = definition
      state.windows = [:]
      end(&state)
      state.sections = LiveSections()
      if !state.consumers.isEmpty { begin(&state) }
    }
  }

  func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      guard state.isSuspended != isSuspended else { return }
      state.isSuspended = isSuspended
      state.header?.source.setSuspended(isSuspended)
      for part in state.parts.values { part.source.setSuspended(isSuspended) }
    }
  }

  func retry() {
    state.withLock { state in
      state.header?.source.retry()
      for part in state.parts.values { part.source.retry() }
    }
  }
}

// MARK: - Opening and closing

extension SectionsSource {
  func isToBeOpen(_ key: Key) -> Bool {
    state.withLock { state in state.definition.section(key).map(state.opening.contains) ?? false }
  }

  func setOpen(_ key: Key, _ isOpen: Bool) {
    state.withLock { state in
      guard let id = state.definition.section(key) else { return }
      state.opening.set(id, isOpen: isOpen)
      if isOpen { follow(id, &state) } else { close([id], &state) }
    }
  }

  func setAllOpen(_ isOpen: Bool) {
    state.withLock { state in
      state.opening.setAll(isOpen: isOpen)
      if isOpen {
        for id in state.sectionIDs { follow(id, &state) }
      } else {
        close(Array(state.parts.keys), &state)
      }
    }
  }

  /// Enlarges the window of a section.
  ///
  /// - Parameter count: The number of additional rows; nil for as many as sections show at first.
  func loadMore(in key: Key, _ count: Int?) {
    state.withLock { state in
      guard let id = state.definition.section(key) else { return }
      let window = state.windows[id, default: state.window.asWindow].grown(by: count ?? state.window)
      state.windows[id] = window
      state.parts[id]?.source.resize(window)
    }
  }

  /// Begins to follow the rows of a section, if the section exists.
  private func follow(_ id: RowID, _ state: inout State) {
    guard state.sectionIDs.contains(id), state.parts[id] == nil else { return }
    let part = SectionPart(
      state.definition.rows(id.sectionKey), of: id, in: self, engine,
      window: state.windows[id, default: state.window.asWindow], isSuspended: state.isSuspended)
    state.parts[id] = part
    state.unsettled.insert(id)
    part.subscription.start()
  }

  private func removePart(_ id: RowID, _ state: inout State) {
    guard state.parts.removeValue(forKey: id) != nil else { return }
    state.touched.remove(id)
    state.unsettled.remove(id)
    state.failures[id] = nil
    state.awaited.remove(id)
    if state.sections.open.removeValue(forKey: id) != nil { state.hasNews = true }
  }

  /// Closes sections at once. The shown rows of other sections stay as they are.
  private func close(_ ids: [RowID], _ state: inout State) {
    let isWaiting = state.isHeld || !state.failures.isEmpty
    for id in ids { removePart(id, &state) }
    // The snapshot may have waited for these sections, or failed with them. Resizing the headers makes the engine
    // compose it again.
    if isWaiting { state.header?.source.resize(Self.greatestSectionCount) }
    guard let published = state.published else { return }
    var sections = published.sections
    for id in ids { sections.open[id] = nil }
    guard sections.open.count < published.sections.open.count else { return }
    publish(Published(sections: sections, commit: published.commit, state: published.state), &state)
  }
}

// MARK: - Composition

extension SectionsSource: LiveFeedGroup {
  func feedChanged(_ part: RowID?, isFollowing: Bool) {
    state.withLock { state in
      if let part { state.touched.insert(part) }
      if !isFollowing { setFollowing(false, state) }
    }
  }

  func compose(at commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery] {
    state.withLock { state in
      guard let header = state.header, let newest = header.newest else { return [:] }
      switch newest.state {
      case .failed, .suspended: return publish(newest.state, &state)
      case .loading, .current: break
      }
      guard let headers = header.current else {
        setFollowing(false, state)
        return [:]
      }
      takeParts(&state)
      // A snapshot doesn't wait for sections whose rows are read.
      state.awaited.formIntersection(state.unsettled)
      take(headers, &state)
      if let failure = state.failures.first?.value { return publish(.failed(failure), &state) }
      state.isHeld = !isComplete(state)
      if state.isHeld {
        setFollowing(false, state)
        return [:]
      }
      defer { setFollowing(true, state) }
      let composed = Published(sections: state.sections, commit: commit, state: .current)
      if let published = state.published, published.state.isCurrent {
        if !state.hasNews { return [:] }
        state.hasNews = false
        if published.hasSameContent(as: composed) { return [:] }
      }
      state.hasNews = false
      publish(composed, &state)
      return deliveries(state)
    }
  }

  /// Takes the headers over, begins to follow the rows of new open sections, and ends the parts of removed ones.
  private func take(_ snapshot: LiveSnapshot<Header>, _ state: inout State) {
    if !snapshot.unreadableRows.areSame(as: state.sections.unreadableSections) {
      state.sections.unreadableSections = snapshot.unreadableRows
      state.hasNews = true
    }
    let (old, headers) = (state.sections.headers, snapshot.rows)
    if old.stamps == headers.stamps { return }
    state.sections.headers = headers
    state.hasNews = true
    var came: [RowID] = []
    for change in RowDifference(from: old, to: headers) {
      switch change {
      case .remove(let position):
        let id = old[position].id
        state.sectionIDs.remove(id)
        removePart(id, &state)
      case .insert(let position):
        let id = headers[position].id
        state.sectionIDs.insert(id)
        if state.opening.contains(id) { came.append(id) }
      case .move, .update: break
      }
    }
    for id in came { follow(id, &state) }
    if state.awaited.isEmpty, came.count <= Self.greatestAwaitedCount { state.awaited = Set(came) }
  }

  /// Takes over the results of changed parts.
  private func takeParts(_ state: inout State) {
    for id in state.touched {
      guard let part = state.parts[id] else { continue }
      state.failures[id] = part.newest?.state.error
      guard let current = part.current else {
        state.unsettled.insert(id)
        continue
      }
      state.unsettled.remove(id)
      let section = OpenSection(
        rows: current.rows, unreadableRows: current.unreadableRows, hasMore: current.hasMore)
      if let known = state.sections.open[id], known.isSame(as: section) { continue }
      state.sections.open[id] = section
      state.hasNews = true
    }
    state.touched = []
  }

  /// Whether all shown parts are current at the same commit. A newly opened section counts as closed until its rows are
  /// read.
  private func isComplete(_ state: State) -> Bool {
    !state.unsettled.contains { state.sections.open[$0] != nil || state.awaited.contains($0) }
  }

  private func publish(_ newState: LiveState, _ state: inout State) -> [LiveConsumerID: MainDeliveries.Delivery] {
    publish((state.published ?? .unread).inState(newState), &state)
    return deliveries(state)
  }

  private func publish(_ published: Published, _ state: inout State) {
    state.published = published
    for feed in state.consumers.values { feed.publish(published) }
  }

  private func deliveries(_ state: State) -> [LiveConsumerID: MainDeliveries.Delivery] {
    state.consumers.compactMapValues(\.delivery)
  }

  private func setFollowing(_ isFollowing: Bool, _ state: State) {
    for feed in state.consumers.values { feed.isFollowing = isFollowing }
  }
}

/// A consumer's subscription of a source. Its release detaches the consumer.
final class SectionsSubscription<Key: Sendable, Values: Sendable, Element: Sendable>: Sendable {
  typealias Published = SectionedSnapshot<Key, Values, Element>

  let feed: LiveFeed<Published>
  private let id: LiveConsumerID
  private let source: SectionsSource<Key, Values, Element>

  /// Creates a subscription and begins to follow.
  init(_ source: SectionsSource<Key, Values, Element>, feed: LiveFeed<Published>) {
    self.source = source
    self.feed = feed
    id = source.engine.makeConsumerID()
    source.attach(id, feed)
  }

  deinit {
    source.detach(id)
  }
}
