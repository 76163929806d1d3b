/// A query whose rows are shown in sections: those that are equal in a key are in one section.
///
/// ```swift
/// let byProject = TodoTask.where { !$0.isCompleted }.order { $0.title }
///   .sectioned { $0.project.name }
///   .sectionValues { $0.estimate.sum() }
///   .sectionOrder { $0.count().descending }
/// let list = store.liveSections(byProject)
/// ```
///
/// The query decides which rows there are, and their order inside of each section. Rows whose key is NULL are a section of their own. A
/// limit of the query is one for each section: none shows more rows.
///
/// Like all queries it is a value, built without a database.
public struct SectionedSelection<Root: Selectable, Key: Sendable, Values: Sendable, Output: Sendable>: Sendable {
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

  /// The sections themselves, one row for each, as a query: to be fetched, or followed on their own.
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

  /// The rows of one section, as a query.
  public func rows(in section: Key) -> Selection<Root, Output> {
    do {
      return rows(in: try key.coding.encode(section))
    } catch {
      return rows.updating { $0.add(condition: .invalid(error)) }
    }
  }

  /// The rows whose key is stored so.
  func rows(in stored: StorageValue) -> Selection<Root, Output> {
    rows.updating { $0.add(condition: key.isEqual(toStored: stored)) }
  }
}

extension SectionedSelection {
  /// With these aggregates of each section beside its count: one, or several as a tuple.
  ///
  /// Counts, and sums of integers, follow changes of single rows. Others are read again for the sections that a change concerns.
  public func sectionValues<Value>(
    _ value: (Root.Fields) -> Field<Value>
  ) -> SectionedSelection<Root, Key, Value, Output> {
    SectionedSelection<Root, Key, Value, Output>(
      rows, key, Nesting.atRoot { value(Root.fields) }._selected, orderings)
  }

  /// With these aggregates of each section beside its count.
  public func sectionValues<First, each Other>(
    _ values: (Root.Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> SectionedSelection<Root, Key, (First, repeat each Other), Output> {
    SectionedSelection<Root, Key, (First, repeat each Other), Output>(
      rows, key, rows.selectedFields(values), orderings)
  }

  /// The sections ordered by this, which is the key or an aggregate of the section; by the key from the least to the greatest if nothing
  /// is said. Sections that are equal in it are ordered by the key, in the same direction. Replaces any earlier ordering of the sections.
  public func sectionOrder<Order: OrderingConvertible>(_ order: (Root.Fields) -> Order) -> SectionedSelection {
    var result = self
    result.orderings = [Nesting.atRoot { order(Root.fields).ordering }]
    return result
  }

  /// The sections ordered by these, the first deciding first. As with one.
  public func sectionOrder<First: OrderingConvertible, each Other: OrderingConvertible>(
    _ orders: (Root.Fields) -> (First, repeat each Other)
  ) -> SectionedSelection {
    var result = self
    result.orderings = Sanderling.orderings(of: orders, in: Root.fields)
    return result
  }
}

extension Selection {
  /// The rows in sections: one for each value of the key, which is a column, an expression, a column of a record that the row belongs to,
  /// or a day.
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
  /// All rows in sections. See ``Selection/sectioned(by:)``.
  public static func sectioned<Key>(
    by key: (Fields) -> Field<Key>
  ) -> SectionedSelection<Self, Key, Void, Self> {
    query.sectioned(by: key)
  }
}

/// A section without its rows, as ``SectionedSelection/headers`` reads it.
public struct SectionHeader<Key: Sendable, Values: Sendable>: Sendable, Identifiable {
  /// The same for a section in every snapshot.
  public let id: RowID
  /// The value that the section's rows have in common.
  public let key: Key
  /// How many rows the section has.
  public let count: Int
  /// The aggregates that the query reads of it.
  public let values: Values

  init(key: Key, stored: StorageValue, count: Int, values: Values) {
    id = RowID(key: RowKey(stored))
    self.key = key
    self.count = count
    self.values = values
  }
}

extension RowID {
  /// The stored form of the key of the section that this identifies.
  var sectionKey: StorageValue { key.values[0] }
}

extension SelectStatement {
  /// Why the rows have no sections; nil when they have.
  fileprivate var sectionsObstacle: String? {
    if isGrouped { return "its rows are groups, which have no sections: leave out group(by:) and the aggregates" }
    if isDistinct { return "it removes duplicates, which has no sections: leave out distinct()" }
    if offset > 0 { return "it has an offset, which sections can't apply: leave out the offset" }
    return nil
  }
}

extension Field {
  /// True for rows in which the field is stored so, NULL included.
  fileprivate func isEqual(toStored value: StorageValue) -> Term {
    if let condition = term.isDay(value) { return condition }
    if value.isNull { return .unary(.isNull, term) }
    // As comparisons with truth values are written elsewhere, so that partial indexes serve.
    let isTruth = coding is any ColumnCoding<Bool>.Type || coding is any ColumnCoding<Bool?>.Type
    return .binary(.equal, term, isTruth ? .literal(value) : .constant(value))
  }
}
