import Sanderling

/// The values that a live result shows on the main actor.
struct Shown: Sendable {
  /// The readable rows, followed by marks for the unreadable ones.
  let rows: [[StorageValue]]
  let state: LiveState
  /// Nil for a live value, a long list and a sectioned list.
  let hasMore: Bool?
  let commit: Commit?
  /// The error in the rows themselves.
  var problem: String?
  /// The rows that a long list shows, in place of its first rows.
  var long: LongRows?
  /// The sections that a sectioned list shows, in place of rows.
  var sections: ShownSections?
  /// The greatest number of shown rows of each section.
  var sectionWindows: [Int] = []

  /// Whether the result is a single value rather than a list.
  var isValue: Bool { hasMore == nil && long == nil && sections == nil }

  var shape: OpenStyle.Shape { sections != nil ? .sections : long != nil ? .long : .list }

  /// The number of shown rows.
  var rowCount: Int {
    rows.count + (long?.pieces ?? []).reduce(0) { $0 + $1.rows.count }
      + (sections?.sections ?? []).reduce(0) { $0 + $1.rows.count }
  }

  /// The contradiction between the state and the commit; nil if they agree.
  ///
  /// - Parameter last: The store's last commit.
  func inconsistency(last: Commit) -> String? {
    guard state.isCurrent else { return nil }
    guard let commit else { return "it is current, but names no commit" }
    return commit > last ? "it names commit \(commit.number), and the last one is \(last.number)" : nil
  }
}

/// A live list, count or value that a round has open.
@MainActor
protocol OpenResult: AnyObject {
  var shown: Shown { get }
  /// The greatest number of shown rows.
  var window: Int { get }
  var logs: [ConsumerLog] { get }
  func suspend()
  func resume()
  func retry()
  func grow(by count: Int)
  /// Moves to other rows of a long list, or to the rows of other sections.
  func wander(_ random: inout SeededGenerator)
  /// Requests rows that aren't shown.
  ///
  /// - Parameters:
  ///   - rows: All rows of the query.
  ///   - spec: The query.
  /// - Returns: The error in the answers; nil if they are right.
  func inquire(_ rows: [[StorageValue]], of spec: LiveQuerySpec) async throws -> String?
  /// Replaces the query of the open result.
  ///
  /// - Returns: Whether the result supports it.
  func replace(with spec: LiveQuerySpec) -> Bool
  func reached(_ commit: Commit) async throws
  /// Releases the result and ends its consumers.
  func close()
}

extension OpenResult {
  func grow(by count: Int) {}
  func wander(_ random: inout SeededGenerator) {}
  func inquire(_ rows: [[StorageValue]], of spec: LiveQuerySpec) async throws -> String? { nil }
  func replace(with spec: LiveQuerySpec) -> Bool { false }
}

extension LiveQuerySpec {
  /// Opens the query in a store.
  @MainActor
  func open(in store: Store, _ style: OpenStyle) -> any OpenResult {
    switch style.shape {
    case .list: break
    case .long: if mayBeLong { return openLong(in: store, .fuzzed(style.blockSize)) }
    case .sections: if let result = openSections(in: store, style) { return result }
    }
    switch (form, reading) {
    case (.raw(let sql), _):
      let query = RawQuery(RawSQL(stringLiteral: sql), as: AnyValue.self, AnyValue.self)
      let list = store.liveList(query, window: window, start: style.start)
      return OpenList(list, style) { [$0.0.stored, $0.1.stored] }
    case (.rows, .stored): return openList(query, in: store, style) { $0.values }
    case (.rows, .typed(let output)): return openTypedList(output, in: store, style)
    case (.rows, .prefetched(let prefetch)): return prefetch.query(statement).openList(store, window, style)
    case (.value, .prefetched(let prefetch)): return prefetch.query(statement).openValue(store, style)
    case (.count, _):
      return OpenValue(
        store.liveCount(query, start: style.start), style, readings: { store.counts(of: query) }
      ) { [.integer(Int64($0))] }
    case (.value, .stored):
      return OpenValue(
        store.liveValue(query, start: style.start), style, readings: { store.values(of: query) }
      ) { $0.values }
    case (.value, .typed(let output)): return openTypedValue(output, in: store, style)
    case (.key(let key), _):
      guard let record = record.type as? any FuzzRecord.Type else { preconditionFailure("\(record.type) is made here") }
      return openRecord(record, key, in: store, style)
    }
  }

  /// Opens the query as a long list with as many visible rows as the window has.
  @MainActor
  private func openLong(in store: Store, _ sizes: BlockSizes) -> any OpenResult {
    switch reading {
    case .stored:
      OpenLongList(store.longList(query, visible: window, sizes: sizes), window: window) { $0.values }
    case .typed(let output): openLong(output, in: store, sizes)
    case .prefetched(let prefetch): prefetch.query(statement).openLongList(store, window, sizes)
    }
  }

  @MainActor
  private func openLong<Output: FuzzOutput>(
    _ output: Output.Type, in store: Store, _ sizes: BlockSizes
  ) -> any OpenResult {
    OpenLongList(store.longList(query(reading: output), visible: window, sizes: sizes), window: window) {
      try $0.storedValues()
    }
  }

  @MainActor
  private func openList<Root, Element>(
    _ query: Selection<Root, Element>, in store: Store, _ style: OpenStyle,
    _ values: @escaping @Sendable (Element) throws -> [StorageValue]
  ) -> any OpenResult {
    let list = store.liveList(query, window: window, start: style.start)
    return OpenList(
      list, style, changes: store.changes(of: query, window: window),
      snapshots: store.snapshots(of: query, window: window),
      replace: { list, spec in
        guard let other = spec.query as? Selection<Root, Element>, case .rows = spec.form, case .stored = spec.reading
        else { return false }
        list.replace(other)
        return true
      }, values)
  }

  @MainActor
  private func openTypedList<Output: FuzzOutput>(
    _ output: Output.Type, in store: Store, _ style: OpenStyle
  ) -> any OpenResult {
    openList(query(reading: output), in: store, style) { try $0.storedValues() }
  }

  @MainActor
  private func openTypedValue<Output: FuzzOutput>(
    _ output: Output.Type, in store: Store, _ style: OpenStyle
  ) -> any OpenResult {
    let query = query(reading: output)
    return OpenValue(
      store.liveValue(query, start: style.start), style, readings: { store.values(of: query) }
    ) { try $0.storedValues() }
  }

  @MainActor
  private func openRecord<R: FuzzRecord>(
    _ record: R.Type, _ key: [StorageValue], in store: Store, _ style: OpenStyle
  ) -> any OpenResult {
    guard let key = R.key(key) else { return openTypedValue(record, in: store, style) }
    return OpenValue(store.liveValue(record, key: key, start: style.start), style) { try $0.storedValues() }
  }
}

extension OpenStyle {
  var start: LiveStart { isImmediate ? .immediate : .whenObserved }
}
