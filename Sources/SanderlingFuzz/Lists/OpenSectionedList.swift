import Sanderling

/// A sectioned list with its consumers.
@MainActor
final class OpenSectionedList<Values: Sendable, Element: Sendable>: OpenResult {
  typealias List = LiveSectionedList<AnyValue, Values, Element>
  typealias Sections = LiveSections<AnyValue, Values, Element>

  private let list: List
  private let reading: SectionsReading<Values, Element>
  private let replacing: @MainActor (List, LiveQuerySpec) -> Bool
  private var tasks: [Task<Void, Never>] = []
  private(set) var logs: [ConsumerLog] = []
  let window: Int
  /// The enlarged windows of sections, by the sections' keys.
  private var windows: [StorageValue: Int] = [:]

  init(
    _ list: List, _ style: OpenStyle, window: Int, _ reading: SectionsReading<Values, Element>,
    replace: @escaping @MainActor (List, LiveQuerySpec) -> Bool
  ) {
    self.list = list
    self.window = window
    self.reading = reading
    replacing = replace
    for consumer in style.consumers {
      switch consumer {
      case .changes: follow("sections.changes", reading.follow(list.changes))
      case .snapshots: follow("sections.snapshots", reading.follow(list.snapshots))
      // Sequences that the store makes have their own open sections.
      case .storeChanges, .storeSnapshots: break
      }
    }
    if style.isSlow { for log in logs { log.setOpen(false) } }
    _ = list.sections
  }

  private func follow(_ name: String, _ task: (ConsumerLog) -> Task<Void, Never>) {
    let log = ConsumerLog(name)
    logs.append(log)
    tasks.append(task(log))
  }

  var shown: Shown {
    let current = list.current
    var problem: String?
    // A result whose query can no longer be read shows its previous rows.
    if current.state.isCurrent {
      for section in current.sections where section.isOpen != list.isOpening(section.key) {
        problem = "the section \(section.key.stored.literal) is \(section.isOpen ? "" : "not ")open"
      }
      for (position, section) in current.sections.enumerated()
      where current.sections.position(of: section.id) != position {
        problem = "the section \(section.key.stored.literal) is not found by its identity"
      }
    }
    return Shown(
      rows: [], state: current.state, hasMore: nil, commit: list.commit, problem: problem,
      sections: reading.shown(current.sections),
      sectionWindows: current.sections.map { windows[$0.key.stored, default: window] })
  }

  func suspend() { list.suspend() }
  func resume() { list.resume() }
  func retry() { list.retry() }

  func wander(_ random: inout SeededGenerator) {
    let sections = list.sections
    guard let section = sections.randomElement(using: &random) else { return }
    switch random.number(0..<24) {
    case 0..<5: list.open(section.key)
    case 5..<10: list.close(section.key)
    case 10: list.openAll()
    case 11: list.closeAll()
    case 12..<15: loadMore(in: section.key, random.number(1..<4))
    case 15: list.open(AnyValue(stored: .text("nobody's")))
    default: break
    }
  }

  func grow(by count: Int) {
    for section in list.sections.prefix(2) { loadMore(in: section.key, count) }
  }

  private func loadMore(in key: AnyValue, _ count: Int) {
    list.loadMore(in: key, count)
    windows[key.stored, default: window] += count
  }

  func replace(with spec: LiveQuerySpec) -> Bool {
    guard replacing(list, spec) else { return false }
    windows = [:]
    return true
  }

  func reached(_ commit: Commit) async throws {
    try await list.reached(commit)
  }

  func close() {
    for task in tasks { task.cancel() }
    for log in logs { log.setOpen(true) }
  }
}

/// The way to read sections as stored values.
struct SectionsReading<Values: Sendable, Element: Sendable>: Sendable {
  let values: @Sendable (Values) -> [StorageValue]
  let row: @Sendable (Element) throws -> [StorageValue]

  func shown(_ sections: LiveSections<AnyValue, Values, Element>) -> ShownSections {
    ShownSections(
      sections: sections.map { section in
        ShownSections.Section(
          key: section.key.stored, count: section.count, values: values(section.values), isOpen: section.isOpen,
          hasMore: section.hasMore, rows: storedValues(of: section.rows, row), unreadable: section.unreadableRows.marks)
      })
  }

  private func observation(_ snapshot: SectionedSnapshot<AnyValue, Values, Element>) -> Observation {
    Observation(
      rows: [], commit: snapshot.commit, isCurrent: snapshot.state.isCurrent, sections: shown(snapshot.sections))
  }

  func follow(_ snapshots: SectionedSnapshots<AnyValue, Values, Element>) -> (ConsumerLog) -> Task<Void, Never> {
    { log in
      Task.detached {
        for await snapshot in snapshots {
          log.add(observation(snapshot), problem: nil)
          await log.pass()
        }
      }
    }
  }

  /// Applies each change to the previous sections, and compares the result with the sections that the change names.
  func follow(_ changes: SectionedChanges<AnyValue, Values, Element>) -> (ConsumerLog) -> Task<Void, Never> {
    { log in
      Task.detached {
        var before = ShownSections(sections: [])
        for await change in changes {
          let observation = observation(change.snapshot)
          let after = observation.sections ?? before
          log.add(observation, problem: problem(of: change.difference, from: before, to: after))
          before = after
          await log.pass()
        }
      }
    }
  }

  /// The error in a difference, for a consumer that has the sections before it; nil if it is right.
  private func problem(
    of difference: SectionedDifference, from before: ShownSections, to after: ShownSections
  ) -> String? {
    var rows = before.sections.map(\.rows)
    difference.apply(to: &rows) { after.sections[$0.section].rows[$0.row] }
    guard rows == after.sections.map(\.rows) else {
      return "the changes \(difference) don't lead from \(before) to \(after)"
    }
    var headers = before.sections.map(\.header)
    for change in difference.sections {
      switch change {
      case .remove(let position): headers.remove(at: position)
      case .insert(let position): headers.insert(after.sections[position].header, at: position)
      case .move(let from, let to): headers.insert(headers.remove(at: from), at: to)
      case .update(let position): headers[position] = after.sections[position].header
      }
    }
    guard headers == after.sections.map(\.header) else {
      return "the changes of the headers \(difference.sections) don't lead from \(before) to \(after)"
    }
    let both = Set(difference.inserted).intersection(difference.moved.map(\.to))
    return both.isEmpty ? nil : "a row is inserted and moved: \(difference)"
  }
}

extension ShownSections.Section {
  fileprivate var header: [StorageValue] { [key, .integer(Int64(count))] + values }
}

extension LiveQuerySpec {
  /// Opens the query in sections; nil if it can't be shown in sections.
  @MainActor
  func openSections(in store: Store, _ style: OpenStyle) -> (any OpenResult)? {
    guard let sections, mayBeSectioned else { return nil }
    return switch reading {
    case .stored: openSections(query, sections, in: store, style) { $0.values }
    case .typed(let output): openTypedSections(output, sections, in: store, style)
    case .prefetched: nil
    }
  }

  @MainActor
  private func openTypedSections<Output: FuzzOutput>(
    _ output: Output.Type, _ sections: SectionSpec, in store: Store, _ style: OpenStyle
  ) -> any OpenResult {
    openSections(query(reading: output), sections, in: store, style) { try $0.storedValues() }
  }

  @MainActor
  private func openSections<Root, Element>(
    _ query: Selection<Root, Element>, _ sections: SectionSpec, in store: Store, _ style: OpenStyle,
    _ row: @escaping @Sendable (Element) throws -> [StorageValue]
  ) -> any OpenResult {
    if sections.values.isEmpty {
      return open(sections.selection(of: query), sections, in: store, style, { _ in [] }, row) {
        $0.values.isEmpty ? $0.selection(of: $1) : nil
      }
    }
    return open(
      sections.selectionWithValues(of: query), sections, in: store, style, { [$0.0.stored, $0.1.stored] }, row
    ) {
      $0.values.isEmpty ? nil : $0.selectionWithValues(of: $1)
    }
  }

  /// - Parameter selection: The sections of another query in place of this query's; nil if they have other values.
  @MainActor
  private func open<Root, Values, Element>(
    _ query: SectionedSelection<Root, AnyValue, Values, Element>, _ sections: SectionSpec, in store: Store,
    _ style: OpenStyle, _ values: @escaping @Sendable (Values) -> [StorageValue],
    _ row: @escaping @Sendable (Element) throws -> [StorageValue],
    selection: @escaping (SectionSpec, Selection<Root, Element>) -> SectionedSelection<Root, AnyValue, Values, Element>?
  ) -> any OpenResult {
    let list = store.liveSections(query, window: window, startsOpen: sections.startsOpen)
    return OpenSectionedList(list, style, window: window, SectionsReading(values: values, row: row)) { list, spec in
      guard spec.mayBeSectioned, let sections = spec.sections, case .stored = spec.reading,
        let rows = spec.query as? Selection<Root, Element>, let other = selection(sections, rows)
      else { return false }
      list.replace(other)
      return true
    }
  }
}

extension SectionSpec {
  fileprivate func selection<Root, Element>(
    of query: Selection<Root, Element>
  ) -> SectionedSelection<Root, AnyValue, Void, Element> {
    ordered(query.sectioned { _ in Field<AnyValue>(key, as: AnyValue.self) })
  }

  fileprivate func selectionWithValues<Root, Element>(
    of query: Selection<Root, Element>
  ) -> SectionedSelection<Root, AnyValue, (AnyValue, AnyValue), Element> {
    let sectioned = query.sectioned { _ in Field<AnyValue>(key, as: AnyValue.self) }
    return ordered(
      sectioned.sectionValues { _ in
        (Field<AnyValue>(values[0], as: AnyValue.self), Field<AnyValue>(values[1], as: AnyValue.self))
      })
  }

  private func ordered<Root, Values, Element>(
    _ query: SectionedSelection<Root, AnyValue, Values, Element>
  ) -> SectionedSelection<Root, AnyValue, Values, Element> {
    switch orderings.count {
    case 0: query
    case 1: query.sectionOrder { _ in orderings[0] }
    default: query.sectionOrder { _ in (orderings[0], orderings[1]) }
    }
  }
}
