/// A query: rows of a table, their order, and the values to read from each row.
///
/// Queries are values. They are built without a database, compared, hashed, and run any number of times:
///
/// ```swift
/// let urgent = TodoTask.where { !$0.isCompleted && $0.priority == .high }.order { $0.dueAt }
/// let page = try await store.fetch(urgent.limit(50))
/// ```
///
/// `Root` is the record or projection whose fields the query's closures receive. `Output` is the type of the values
/// that are read from each row.
///
/// Two queries are equal if they run the same SQL with the same arguments and read the same type.
public struct Selection<Root: Selectable, Output: Sendable>: Sendable {
  package var statement: SelectStatement
  package let decode: @Sendable (ResultRow) throws -> Output
  package let decodeAll: @Sendable (ResultRows) throws -> [Output]
  /// The fields that the query gives to properties of its projections.
  var givenFields: [GivenField] = []
  /// The SQL, which is written at its first use and shared by all copies of this value.
  private(set) var compilation = Compilation()

  @usableFromInline
  package init(
    statement: SelectStatement, decode: @escaping @Sendable (ResultRow) throws -> Output,
    decodeAll: @escaping @Sendable (ResultRows) throws -> [Output]
  ) {
    self.statement = statement
    self.decode = decode
    self.decodeAll = decodeAll
  }

  func updating(_ change: (inout SelectStatement) -> Void) -> Selection {
    var result = self
    change(&result.statement)
    for field in givenFields { result.statement.fill(field) }
    result.compilation = Compilation()
    return result
  }

  /// The SQL of the query and the values of its parameters, as a store runs it.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` for a query that makes no sense in SQL.
  public var sql: SQLStatement {
    get throws { try compilation.statement { try SQLCompiler.compile(statement) } }
  }
}

extension Selection: Hashable {
  public static func == (lhs: Selection, rhs: Selection) -> Bool {
    lhs.statement == rhs.statement
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(statement)
  }
}

extension Selection {
  var fields: Root.Fields { Root.fields }

  /// Keeps the rows that also satisfy a condition. All lines of the closure must be true; see ``ConditionBuilder``.
  public func filter(@ConditionBuilder _ condition: (Root.Fields) -> Field<Bool>?) -> Selection {
    guard let condition = Nesting.atRoot({ condition(fields)?.condition }) else { return self }
    return updating { $0.choose(by: condition) }
  }

  /// Keeps the rows that also satisfy a condition.
  public func filter(_ condition: Condition<Root.Source>) -> Selection {
    updating { statement in condition.term.map { statement.choose(by: $0) } }
  }

  /// Keeps the rows that also satisfy a condition. All lines of the closure must be true; see ``ConditionBuilder``.
  public func `where`(@ConditionBuilder _ condition: (Root.Fields) -> Field<Bool>?) -> Selection {
    filter(condition)
  }

  /// Keeps the rows that also satisfy a condition.
  public func `where`(_ condition: Condition<Root.Source>) -> Selection {
    filter(condition)
  }

  /// Orders the rows by a key. Replaces any earlier ordering.
  ///
  /// Rows that are equal in the key are sorted by their primary keys, in the same direction: the greatest first in a
  /// descending order. Groups that are equal in the key are sorted by their grouping terms, and distinct values by the
  /// selected terms. The order is the same wherever the rows are read: in fetches, live lists, positions, sections and
  /// pages.
  ///
  /// An index on the ordering serves this whole order if the primary key is an integer. For other keys, let the index
  /// end with the key, as in `.on(\.dueAt, \.id)`. Without the key in the index, SQLite sorts the rows that are equal.
  public func order<Key: OrderingConvertible>(_ key: (Root.Fields) -> Key) -> Selection {
    updating { $0.orderings = [Nesting.atRoot { key(fields).ordering }] }
  }

  /// Orders the rows by several keys, the first deciding first. Replaces any earlier ordering.
  ///
  /// Rows that are equal in all keys are sorted by their primary keys, in the direction of the last key: see
  /// ``order(_:)``.
  public func order<First: OrderingConvertible, each Other: OrderingConvertible>(
    _ keys: (Root.Fields) -> (First, repeat each Other)
  ) -> Selection {
    updating { $0.orderings = orderings(of: keys, in: fields) }
  }

  /// Orders the rows by keys that are known only at run time. For an empty array, a fetched query has no order, and
  /// lists and pages sort its rows by their primary keys.
  public func order(_ orderings: [Ordering]) -> Selection {
    updating { $0.orderings = orderings }
  }

  /// Reverses the order, including that of rows that are equal in the ordering. A query without an ordering is
  /// unchanged.
  public func reversed() -> Selection {
    updating { $0.orderings = $0.orderings.map(\.reversed) }
  }

  /// Limits the query to `count` rows, after skipping `offset` rows. Replaces an earlier limit.
  ///
  /// - Parameters:
  ///   - count: The greatest number of rows, at least 0. With a negative limit, a fetch throws
  ///     ``StoreError/invalidQuery(_:)``, and live results fail.
  ///   - offset: The number of skipped rows, at least 0, as for the limit.
  public func limit(_ count: Int, offset: Int = 0) -> Selection {
    updating {
      $0.limit = min(count, SelectStatement.mostRows)
      $0.offset = min(offset, SelectStatement.mostRows)
    }
  }

  /// Removes duplicates among the selected values.
  public func distinct() -> Selection {
    updating { $0.isDistinct = true }
  }

  /// Keeps the groups that satisfy a condition, which may use aggregates such as `count()`.
  public func having(_ condition: (Root.Fields) -> Field<Bool>) -> Selection {
    updating { $0.addGroupCondition(Nesting.atRoot { condition(fields).condition }) }
  }
}

extension Selection {
  /// Selects a field in place of the whole row.
  public func select<Value>(_ field: (Root.Fields) -> Field<Value>) -> Selection<Root, Value> {
    let field = Nesting.atRoot { field(fields) }
    return selecting([field.term]) { try field.read($0, at: 0) }
  }

  /// Selects two fields as a tuple, in place of the whole row.
  ///
  /// Two and three fields have their own overloads: for a parameter pack, the compiler doesn't know the parts in later
  /// code, such as `map { $0.0 }`.
  public func select<First, Second>(
    _ fields: (Root.Fields) -> (Field<First>, Field<Second>)
  ) -> Selection<Root, (First, Second)> {
    selectAll(fields)
  }

  /// Selects three fields as a tuple, in place of the whole row.
  public func select<First, Second, Third>(
    _ fields: (Root.Fields) -> (Field<First>, Field<Second>, Field<Third>)
  ) -> Selection<Root, (First, Second, Third)> {
    selectAll(fields)
  }

  /// Selects several fields as a tuple, in place of the whole row.
  public func select<First, each Other>(
    _ fields: (Root.Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection<Root, (First, repeat each Other)> {
    selectAll(fields)
  }

  /// Selects the record that an association leads to, in place of the whole row.
  @_disfavoredOverload
  public func select<Part: SelectionPart>(_ part: (Root.Fields) -> Part) -> Selection<Root, Part._Selected> {
    let columns = Nesting.atRoot { part(fields)._selected }
    return selecting(columns.terms, decode: columns.decode)
  }

  /// Selects two fields or whole records of each row, as a tuple.
  ///
  /// ```swift
  /// TodoTask.select { ($0, $0.project) }
  /// ```
  @_disfavoredOverload
  public func select<First: SelectionPart, Second: SelectionPart>(
    _ parts: (Root.Fields) -> (First, Second)
  ) -> Selection<Root, (First._Selected, Second._Selected)> {
    selectAll(parts)
  }

  /// Selects three fields or whole records of each row, as a tuple.
  @_disfavoredOverload
  public func select<First: SelectionPart, Second: SelectionPart, Third: SelectionPart>(
    _ parts: (Root.Fields) -> (First, Second, Third)
  ) -> Selection<Root, (First._Selected, Second._Selected, Third._Selected)> {
    selectAll(parts)
  }

  /// Selects fields or whole records of each row, as a tuple.
  @_disfavoredOverload
  public func select<First: SelectionPart, each Other: SelectionPart>(
    _ parts: (Root.Fields) -> (First, repeat each Other)
  ) -> Selection<Root, (First._Selected, repeat (each Other)._Selected)> {
    selectAll(parts)
  }

  /// Selects a projection of each row, in place of the whole row. `order`, `where` and `having` then take the fields of the
  /// projection, too:
  ///
  /// ```swift
  /// TodoTask.group { $0.projectID }.select(ProjectLoad.self).order { $0.open.descending }
  /// ```
  public func select<Projection: StoredProjection>(
    _ projection: Projection.Type
  ) -> Selection<Root, Projection> where Projection.Source == Root.Source {
    selecting(Projection._terms.map(\.term)) {
      try Projection(_reading: $0)
    } decodeAll: {
      try Projection._readAll($0)
    }
  }

  /// Groups the rows: one row for each distinct value of a field, in place of one for each row of the table.
  public func group<Value>(by field: (Root.Fields) -> Field<Value>) -> Selection {
    updating { $0.groups = [Nesting.atRoot { field(fields).term }] }
  }

  /// Groups the rows: one row for each distinct combination of fields, in place of one for each row of the table.
  public func group<First, each Other>(
    by fields: (Root.Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection {
    updating { $0.groups = terms(of: fields, in: self.fields) }
  }

  // The closure is passed on unchanged: destructuring a tuple of a first element and a pack crashes the compiler (6.3).
  private func selectAll<each Part: SelectionPart>(
    _ parts: (Root.Fields) -> (repeat each Part)
  ) -> Selection<Root, (repeat (each Part)._Selected)> {
    let selected = selectedFields(parts)
    return selecting(selected.terms, decode: selected.decode)
  }

  /// Combines several parts.
  func selectedFields<each Part: SelectionPart>(
    _ parts: (Root.Fields) -> (repeat each Part)
  ) -> SelectedFields<(repeat (each Part)._Selected)> {
    let selected = Nesting.atRoot { parts(fields) }
    let reader = TupleReader(repeat (each selected)._selected)
    return SelectedFields(terms: reader.terms, properties: reader.terms.map { _ in "" }) { try reader.read($0) }
  }

  func selecting<Other>(
    _ terms: [Term], decode: @escaping @Sendable (ResultRow) throws -> Other,
    decodeAll: (@Sendable (ResultRows) throws -> [Other])? = nil
  ) -> Selection<Root, Other> {
    var statement = statement
    statement.columns = terms
    for field in givenFields { statement.fill(field) }
    let decodeEach: @Sendable (ResultRows) throws -> [Other] = { rows in
      var result: [Other] = []
      result.reserveCapacity(rows.expectedCount)
      try rows.forEach { result.append(try decode($0)) }
      return result
    }
    var result = Selection<Root, Other>(statement: statement, decode: decode, decodeAll: decodeAll ?? decodeEach)
    result.givenFields = givenFields
    return result
  }
}

func terms<Fields, each Value>(of closure: (Fields) -> (repeat Field<each Value>), in fields: Fields) -> [Term] {
  let selected = Nesting.atRoot { closure(fields) }
  var terms: [Term] = []
  repeat terms.append((each selected).term)
  return terms
}

func orderings<Fields, each Key: OrderingConvertible>(
  of closure: (Fields) -> (repeat each Key), in fields: Fields
) -> [Ordering] {
  let keys = Nesting.atRoot { closure(fields) }
  var orderings: [Ordering] = []
  repeat orderings.append((each keys).ordering)
  return orderings
}
