/// One section of a sectioned list at one moment.
public struct LiveSection<Key: Sendable, Values: Sendable, Element: Sendable>: Identifiable, Sendable {
  fileprivate let header: SectionHeader<Key, Values>
  fileprivate let open: OpenSection<Element>?

  /// The identity of the section, which is the same in every snapshot.
  public var id: RowID { header.id }
  /// The value that the section's rows share.
  public var key: Key { header.key }
  /// The number of rows of the section, whether it is open or not.
  public var count: Int { header.count }
  /// The aggregates of the section that the query reads.
  public var values: Values { header.values }
  /// Whether the section's rows are shown. An opened section shows its rows as soon as they are read.
  public var isOpen: Bool { open != nil }
  /// The rows in the section's window; none while the section is closed.
  public var rows: LiveRows<Element> { open?.rows ?? LiveRows() }
  /// The unreadable rows in the section's window, in order; none while the section is closed. ``count`` includes them.
  public var unreadableRows: [UnreadableRow] { open?.unreadableRows ?? [] }
  /// Whether the section is open and has rows beyond its window.
  public var hasMore: Bool { open?.hasMore ?? false }
}

/// The shown rows of an open section.
struct OpenSection<Element: Sendable>: Sendable {
  let rows: LiveRows<Element>
  let unreadableRows: [UnreadableRow]
  let hasMore: Bool
}

/// The sections of a sectioned list at one moment, in order: an immutable collection.
///
/// Accessing a section takes O(log sections).
public struct LiveSections<Key: Sendable, Values: Sendable, Element: Sendable>: Sendable {
  typealias Header = SectionHeader<Key, Values>

  var headers = LiveRows<Header>()
  /// The sections whose key or aggregates can't be read. Usually there are none. The ``UnreadableRow/key`` of each is
  /// the section's key as it is stored.
  public internal(set) var unreadableSections: [UnreadableRow] = []
  /// The open sections that have their rows. Each of them is among the headers.
  var open: [RowID: OpenSection<Element>] = [:]
}

extension LiveSections: RandomAccessCollection {
  public typealias Element = LiveSection<Key, Values, Element>

  public var startIndex: Int { 0 }
  public var endIndex: Int { headers.count }

  public subscript(position: Int) -> LiveSection<Key, Values, Element> {
    let header = headers[position]
    return LiveSection(header: header, open: open[header.id])
  }
}

extension LiveSections {
  /// The position of the section with an `id`; nil if there is none. O(sections), at some nanoseconds each.
  public func position(of id: RowID) -> Int? {
    if let position = headers.stamps.position(of: id.key), headers[position].id == id { return position }
    return headers.firstIndex { $0.id == id }
  }

  /// The section with an `id`; nil if there is none. As ``position(of:)``.
  public subscript(id id: RowID) -> LiveSection<Key, Values, Element>? {
    position(of: id).map { self[$0] }
  }
}

/// The sections of a sectioned list at one commit. Immutable; copies share their storage.
public struct SectionedSnapshot<Key: Sendable, Values: Sendable, Element: Sendable>: Sendable {
  /// The sections with their headers, and the rows of open sections.
  public let sections: LiveSections<Key, Values, Element>
  /// The commit whose state all sections, counts and rows show; nil before the first read.
  public let commit: Commit?
  /// The relation of the snapshot to the database: loading, current, suspended or failed.
  public let state: LiveState

  /// The unreadable sections, then the unreadable rows among the shown rows of each section. O(sections).
  public var unreadableRows: [UnreadableRow] {
    sections.unreadableSections + sections.flatMap(\.unreadableRows)
  }
}

extension SectionedSnapshot: LivePublication {
  static var unread: SectionedSnapshot {
    SectionedSnapshot(sections: LiveSections(), commit: nil, state: .loading)
  }

  func inState(_ state: LiveState) -> SectionedSnapshot {
    SectionedSnapshot(sections: sections, commit: commit, state: state)
  }

  func hasSameContent(as other: SectionedSnapshot) -> Bool {
    sections.headers.stamps == other.sections.headers.stamps
      && sections.unreadableSections.areSame(as: other.sections.unreadableSections)
      && sections.open.count == other.sections.open.count
      && sections.open.allSatisfy { id, section in
        other.sections.open[id].map { $0.isSame(as: section) } ?? false
      }
  }
}

extension OpenSection {
  func isSame(as other: OpenSection) -> Bool {
    hasMore == other.hasMore && rows.stamps == other.rows.stamps && unreadableRows.areSame(as: other.unreadableRows)
  }
}
