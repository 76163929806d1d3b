/// A query whose rows are grouped into sections. The rows of a section are equal in a key.
///
/// ```swift
/// let byProject = TodoTask.where { !$0.isCompleted }.order { $0.title }
///   .sectioned { $0.project.name }
///   .sectionValues { $0.estimate.sum() }
///   .sectionOrder { $0.count().descending }
/// let list = store.liveSections(byProject)
/// ```
///
/// The query determines the rows, and their order inside each section. Rows whose key is NULL form a section of their
/// own. A limit of the query applies to each section.
///
/// Like all queries, it is a value that is built without a database. Two are equal if they run the same SQL with the
/// same arguments and read the same types.
public struct SectionedSelection<Root: Selectable, Key: Sendable, Values: Sendable, Output: Sendable>: Sendable,
  Hashable
{
  let rows: Selection<Root, Output>
  let key: Field<Key>
  private let values: SelectedFields<Values>
  private var orderings: [Ordering]

  fileprivate init(
    _ rows: Selection<Root, Output>, _ key: Field<Key>, _ values: SelectedFields<Values>, _ orderings: [Ordering]
  ) {
    self.rows = rows
    self.key = key
    self.values = values
    self.orderings = orderings
  }

  /// The query of the sections, with one row for each section. It can be fetched, or followed on its own.
  public var headers: Selection<Root, SectionHeader<Key, Values>> {
    let (key, values, obstacle) = (key, values, rows.statement.sectionsObstacle)
    var query = rows.selecting([key.term, .summary(.count, nil)] + values.terms) { row in
      SectionHeader(
        key: try key.read(row, at: 0), stored: row.storageValue(at: 0), count: try Int.read(row, at: 1),
        values: try values.decode(row.advanced(by: 2)))
    }
    query = query.updating { statement in
      if let obstacle { statement.add(condition: .invalid(obstacle)) }
      statement.groups = [key.term]
      statement.orderings = orderings
      statement.limit = nil
      statement.offset = 0
    }
    return query
  }

  /// The query of one section's rows.
  public func rows(in section: Key) -> Selection<Root, Output> {
    do {
      return rows(in: try key.coding.encode(section))
    } catch {
      return rows.updating { $0.add(condition: .invalid(error)) }
    }
  }

  /// The query of the rows with a stored key.
  func rows(in stored: StorageValue) -> Selection<Root, Output> {
    rows.updating { $0.add(condition: key.isEqual(toStored: stored)) }
  }
}

extension SectionedSelection {
  /// Adds an aggregate of each section beside its count.
  ///
  /// Counts and sums of integers are maintained from changes of rows. Other aggregates are reloaded for the sections of
  /// changed rows.
  public func sectionValues<Value>(
    _ value: (Root.Fields) -> Field<Value>
  ) -> SectionedSelection<Root, Key, Value, Output> {
    SectionedSelection<Root, Key, Value, Output>(
      rows, key, Nesting.atRoot { value(Root.fields) }._selected, orderings)
  }

  /// Adds several aggregates of each section beside its count, as a tuple.
  public func sectionValues<First, each Other>(
    _ values: (Root.Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> SectionedSelection<Root, Key, (First, repeat each Other), Output> {
    SectionedSelection<Root, Key, (First, repeat each Other), Output>(
      rows, key, rows.selectedFields(values), orderings)
  }

  /// Orders the sections by their key or by an aggregate. Without it, the sections are ordered by their keys,
  /// ascending.
  ///
  /// Sections that are equal in the ordering are ordered by their keys, in the same direction. Replaces any earlier
  /// ordering of the sections.
  public func sectionOrder<Order: OrderingConvertible>(_ order: (Root.Fields) -> Order) -> SectionedSelection {
    var result = self
    result.orderings = [Nesting.atRoot { order(Root.fields).ordering }]
    return result
  }

  /// Orders the sections by several terms, the first deciding first. Equal sections are ordered by their keys.
  public func sectionOrder<First: OrderingConvertible, each Other: OrderingConvertible>(
    _ orders: (Root.Fields) -> (First, repeat each Other)
  ) -> SectionedSelection {
    var result = self
    result.orderings = Sanderling.orderings(of: orders, in: Root.fields)
    return result
  }
}

extension Selection {
  /// Groups the rows into sections, one for each value of a key. The key is a column, an expression, a column of a
  /// record that the row belongs to, or a day.
  ///
  /// ```swift
  /// TodoTask.order { $0.title }.sectioned { $0.project.name }
  /// ```
  public func sectioned<Key>(
    by key: (Root.Fields) -> Field<Key>
  ) -> SectionedSelection<Root, Key, Void, Output> {
    let key = Nesting.atRoot { key(fields) }
    let nothing = SelectedFields<Void>(terms: [], properties: []) { _ in }
    return SectionedSelection(self, key, nothing, [Ordering(term: key.term)])
  }
}

extension Selectable {
  /// Groups all rows into sections. See ``Selection/sectioned(by:)``.
  public static func sectioned<Key>(
    by key: (Fields) -> Field<Key>
  ) -> SectionedSelection<Self, Key, Void, Self> {
    query.sectioned(by: key)
  }
}

/// A section without its rows, as ``SectionedSelection/headers`` returns it.
public struct SectionHeader<Key: Sendable, Values: Sendable>: Sendable, Identifiable {
  /// The identity of the section, which is the same in every snapshot.
  public let id: RowID
  /// The value that the section's rows have in common.
  public let key: Key
  /// The number of rows of the section.
  public let count: Int
  /// The aggregates of the section that the query reads.
  public let values: Values

  init(key: Key, stored: StorageValue, count: Int, values: Values) {
    id = RowID(key: RowKey(stored))
    self.key = key
    self.count = count
    self.values = values
  }
}

extension RowID {
  /// The stored key of the section that the identity denotes.
  var sectionKey: StorageValue { key.values[0] }
}

extension SelectStatement {
  /// The reason why the rows can't have sections; nil if they can.
  fileprivate var sectionsObstacle: String? {
    if isGrouped { return "its rows are groups, which have no sections: leave out group(by:) and the aggregates" }
    if isDistinct { return "it removes duplicates, and distinct rows have no sections: leave out distinct()" }
    if offset > 0 { return "it has an offset, which sections can't apply: leave out the offset" }
    return nil
  }
}

extension Field {
  /// A condition that is true for rows with a stored value, which may be NULL.
  fileprivate func isEqual(toStored value: StorageValue) -> Term {
    if let condition = term.isDay(value) { return condition }
    if value.isNull { return .unary(.isNull, term) }
    // Truth values are literals, as in other comparisons, so that partial indexes can serve them.
    let isTruth = coding is any ColumnCoding<Bool>.Type || coding is any ColumnCoding<Bool?>.Type
    return .binary(.equal, term, isTruth ? .literal(value) : .constant(value))
  }
}
