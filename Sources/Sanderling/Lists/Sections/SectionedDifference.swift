/// The place of a row in a sectioned list.
public struct SectionedPosition: Hashable, Comparable, Sendable {
  /// The position of the section.
  public let section: Int
  /// The position of the row among the shown rows of its section.
  public let row: Int

  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (lhs: SectionedPosition, rhs: SectionedPosition) -> Bool {
    (lhs.section, lhs.row) < (rhs.section, rhs.row)
  }
}

/// The changes that turn the sections of one snapshot into those of another.
///
/// ```swift
/// for await change in list.changes {
///   change.difference.apply(to: &titles) { change.snapshot.sections[$0.section].rows[$0.row].title }
/// }
/// ```
///
/// A row that moves between open sections is one move, even if a section is inserted or removed with it. Rows of
/// sections that are inserted, removed, opened or closed are among the inserted and removed rows. Batch updates of
/// tables and collection views already include the rows of inserted and removed sections, and allow no moves from or to
/// them.
public struct SectionedDifference: Hashable, Sendable {
  /// A row that moved, with its positions before and after all changes.
  public struct MovedRow: Hashable, Sendable {
    /// The position before all changes.
    public let from: SectionedPosition
    /// The position after all changes.
    public let to: SectionedPosition
  }

  /// The changes of the sections, without their rows. A section is updated if its count or one of its values changed.
  public let sections: RowDifference
  /// Removed rows, ascending, by their positions before all changes.
  public let removed: [SectionedPosition]
  /// Inserted rows, ascending, by their positions after all changes.
  public let inserted: [SectionedPosition]
  /// Rows that moved to another section, or relative to the rows that stay in their own section. Ascending by their
  /// final positions.
  public let moved: [MovedRow]
  /// Rows with changed content, ascending, by their positions after all changes. They may include moved rows.
  public let updated: [SectionedPosition]

  /// Compares two states of the sections.
  ///
  /// O(open sections) for unchanged open sections. Each changed one costs as much as its ``RowDifference``, and
  /// O(sections) to find its position.
  public init<Key, Values, Element>(
    from old: LiveSections<Key, Values, Element>, to new: LiveSections<Key, Values, Element>
  ) {
    sections = RowDifference(from: old.headers, to: new.headers)
    var comparison = SectionsComparison()
    for (id, section) in old.open {
      comparison.add(id, from: section.rows, to: new.open[id]?.rows ?? LiveRows(), old, new)
    }
    for (id, section) in new.open where old.open[id] == nil {
      comparison.add(id, from: LiveRows(), to: section.rows, old, new)
    }
    comparison.findMoves()
    removed = comparison.removed.values.map(\.position).sorted()
    inserted = comparison.inserted.values.map(\.position).sorted()
    moved = comparison.moved.sorted { $0.to < $1.to }
    updated = comparison.updated.sorted()
  }

  /// Whether neither sections nor rows changed.
  public var isEmpty: Bool {
    sections.isEmpty && removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
  }

  /// Applies the changes to arrays with one element for each shown row. There is one array for each section, which is
  /// empty for a closed section.
  ///
  /// - Parameter element: Returns the element for the row at a position of the new sections. Called for inserted and
  ///   updated rows.
  public func apply<Element>(
    to arrays: inout [[Element]], element: (SectionedPosition) throws -> Element
  ) rethrows {
    var arriving: [SectionedPosition: Element] = [:]
    let targets = Dictionary(uniqueKeysWithValues: moved.map { ($0.from, $0.to) })
    for position in (removed + moved.map(\.from)).sorted(by: >) {
      let left = arrays[position.section].remove(at: position.row)
      if let target = targets[position] { arriving[target] = left }
    }
    for change in sections {
      switch change {
      case .remove(let position): arrays.remove(at: position)
      case .insert(let position): arrays.insert([], at: position)
      case .move(let from, let to): arrays.insert(arrays.remove(at: from), at: to)
      case .update: break
      }
    }
    for position in (inserted + moved.map(\.to)).sorted() {
      let new = try arriving[position] ?? element(position)
      arrays[position.section].insert(new, at: position.row)
    }
    for position in updated { arrays[position.section][position.row] = try element(position) }
  }
}

/// The comparison of two snapshots, section by section.
private struct SectionsComparison {
  struct Place {
    let position: SectionedPosition
    let version: UInt64
  }

  var removed: [RowID: Place] = [:]
  var inserted: [RowID: Place] = [:]
  var moved: [SectionedDifference.MovedRow] = []
  var updated: [SectionedPosition] = []

  /// Adds the changes of a section's shown rows.
  mutating func add<Key, Values, Element>(
    _ id: RowID, from oldRows: LiveRows<Element>, to newRows: LiveRows<Element>,
    _ old: LiveSections<Key, Values, Element>, _ new: LiveSections<Key, Values, Element>
  ) {
    if oldRows.stamps == newRows.stamps { return }
    // A section that doesn't exist has no rows, so that its position -1 is never used.
    let (oldSection, newSection) = (old.position(of: id) ?? -1, new.position(of: id) ?? -1)
    let difference = RowDifference(from: oldRows, to: newRows)
    for change in difference {
      switch change {
      case .remove(let row):
        let gone = oldRows.row(at: row)
        removed[gone.id] = Place(
          position: SectionedPosition(section: oldSection, row: row), version: gone.version)
      case .insert(let row):
        let come = newRows.row(at: row)
        inserted[come.id] = Place(
          position: SectionedPosition(section: newSection, row: row), version: come.version)
      case .update(let row): updated.append(SectionedPosition(section: newSection, row: row))
      case .move: break
      }
    }
    for row in difference.movedRows {
      moved.append(
        .init(
          from: SectionedPosition(section: oldSection, row: row.from),
          to: SectionedPosition(section: newSection, row: row.to)))
    }
  }

  /// Turns a removal from one section and an insertion into another into a move.
  mutating func findMoves() {
    for (id, new) in inserted {
      guard let old = removed.removeValue(forKey: id) else { continue }
      inserted[id] = nil
      moved.append(.init(from: old.position, to: new.position))
      if old.version != new.version { updated.append(new.position) }
    }
  }
}
