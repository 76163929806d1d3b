/// A query: its rows of a table, their order, and the values to read of each.
///
/// Queries are values. They are built without a database, compared, hashed, and run any number of times:
///
/// ```swift
/// let urgent = TodoTask.where { !$0.isCompleted && $0.priority == .high }.order { $0.dueAt }
/// let page = try await store.fetch(urgent.limit(50))
/// ```
///
/// `Root` is the record or projection whose fields the query's closures see, `Output` the values that are read of each row.
///
/// Two queries are equal when they would run the same SQL with the same arguments and read the same type.
public struct Selection<Root: Selectable, Output: Sendable>: Sendable {
  package var statement: SelectStatement
  package let decode: @Sendable (ResultRow) throws -> Output
  package let decodeAll: @Sendable (ResultRows) throws -> [Output]
  /// The SQL, written when it is first asked for and shared by all copies of this value.
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

  /// Only rows that satisfy this condition too, which is true when each line of the closure is; see ``ConditionBuilder``.
  public func filter(@ConditionBuilder _ condition: (Root.Fields) -> Field<Bool>?) -> Selection {
    guard let condition = Nesting.atRoot({ condition(fields)?.condition }) else { return self }
    return updating { $0.choose(by: condition) }
  }

  /// Only rows that satisfy this condition too.
  public func filter(_ condition: Condition<Root.Source>) -> Selection {
    updating { statement in condition.term.map { statement.choose(by: $0) } }
  }

  /// Only rows that satisfy this condition too, which is true when each line of the closure is; see ``ConditionBuilder``.
  public func `where`(@ConditionBuilder _ condition: (Root.Fields) -> Field<Bool>?) -> Selection {
    filter(condition)
  }

  /// Only rows that satisfy this condition too.
  public func `where`(_ condition: Condition<Root.Source>) -> Selection {
    filter(condition)
  }

  /// Ordered by this key. Replaces any earlier ordering.
  ///
  /// Rows that are equal in it come by their primary keys, in the same direction: the greatest first where the order is descending. So groups
  /// come by the terms that group them, and distinct values by the selected terms. It is one order wherever the rows are read: fetched,
  /// followed, by position, in sections and in pages.
  ///
  /// An index of the ordering serves that if the primary key is an integer. For other keys, let the index end with the key, as in
  /// `.on(\.dueAt, \.id)`; without it, SQLite sorts the rows that are equal.
  public func order<Key: OrderingConvertible>(_ key: (Root.Fields) -> Key) -> Selection {
    updating { $0.orderings = [Nesting.atRoot { key(fields).ordering }] }
  }

  /// Ordered by these keys, the first deciding first. Replaces any earlier ordering.
  ///
  /// Rows that are equal in all of them come by their primary keys, in the direction of the last key: see ``order(_:)``.
  public func order<First: OrderingConvertible, each Other: OrderingConvertible>(
    _ keys: (Root.Fields) -> (First, repeat each Other)
  ) -> Selection {
    updating { $0.orderings = orderings(of: keys, in: fields) }
  }

  /// Ordered by keys that are known at run time only, as with others. Without any, a query has no order where it is fetched. Lists and
  /// pages have its rows in the order of their primary keys then.
  public func order(_ orderings: [Ordering]) -> Selection {
    updating { $0.orderings = orderings }
  }

  /// In the opposite order, rows that are equal in it included. A query without an ordering stays without.
  public func reversed() -> Selection {
    updating { $0.orderings = $0.orderings.map(\.reversed) }
  }

  /// At most `count` rows, after skipping `offset`. Replaces an earlier limit.
  ///
  /// - Parameters:
  ///   - count: From 0 on. A query with a negative limit throws ``StoreError/invalidQuery(_:)`` where it runs, and live results of it fail.
  ///   - offset: From 0 on, as the limit.
  public func limit(_ count: Int, offset: Int = 0) -> Selection {
    updating {
      $0.limit = min(count, SelectStatement.mostRows)
      $0.offset = min(offset, SelectStatement.mostRows)
    }
  }

  /// Without duplicates among the selected values.
  public func distinct() -> Selection {
    updating { $0.isDistinct = true }
  }

  /// Only groups that satisfy the condition, which may use aggregates such as `count()`.
  public func having(_ condition: (Root.Fields) -> Field<Bool>) -> Selection {
    updating { statement in
      let condition = Nesting.atRoot { condition(fields).condition }
      statement.groupCondition = statement.groupCondition.map { $0 && condition } ?? condition
    }
  }
}

extension Selection {
  /// This field of each row instead of the whole row.
  public func select<Value>(_ field: (Root.Fields) -> Field<Value>) -> Selection<Root, Value> {
    let field = Nesting.atRoot { field(fields) }
    return selecting([field.term]) { try field.read($0, at: 0) }
  }

  /// These two fields of each row, as a tuple, instead of the whole row.
  ///
  /// Two and three fields are spelled out: of a pack the compiler doesn't know the parts in what follows, `map { $0.0 }` say.
  public func select<First, Second>(
    _ fields: (Root.Fields) -> (Field<First>, Field<Second>)
  ) -> Selection<Root, (First, Second)> {
    selectAll(fields)
  }

  /// These three fields of each row, as a tuple, instead of the whole row.
  public func select<First, Second, Third>(
    _ fields: (Root.Fields) -> (Field<First>, Field<Second>, Field<Third>)
  ) -> Selection<Root, (First, Second, Third)> {
    selectAll(fields)
  }

  /// These fields of each row, as a tuple, instead of the whole row.
  public func select<First, each Other>(
    _ fields: (Root.Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection<Root, (First, repeat each Other)> {
    selectAll(fields)
  }

  /// This record of each row instead of the whole row: the one that an association leads to.
  @_disfavoredOverload
  public func select<Part: SelectionPart>(_ part: (Root.Fields) -> Part) -> Selection<Root, Part._Selected> {
    let columns = Nesting.atRoot { part(fields)._selected }
    return selecting(columns.terms, decode: columns.decode)
  }

  /// Two fields or whole records of each row, as a tuple.
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

  /// Three fields or whole records of each row, as a tuple.
  @_disfavoredOverload
  public func select<First: SelectionPart, Second: SelectionPart, Third: SelectionPart>(
    _ parts: (Root.Fields) -> (First, Second, Third)
  ) -> Selection<Root, (First._Selected, Second._Selected, Third._Selected)> {
    selectAll(parts)
  }

  /// Fields or whole records of each row, as a tuple.
  @_disfavoredOverload
  public func select<First: SelectionPart, each Other: SelectionPart>(
    _ parts: (Root.Fields) -> (First, repeat each Other)
  ) -> Selection<Root, (First._Selected, repeat (each Other)._Selected)> {
    selectAll(parts)
  }

  /// This projection of each row instead of the whole row.
  public func select<Projection: StoredProjection>(
    _ projection: Projection.Type
  ) -> Selection<Root, Projection> where Projection.Source == Root.Source {
    selecting(Projection._terms.map(\.term)) {
      try Projection(_reading: $0)
    } decodeAll: {
      try Projection._readAll($0)
    }
  }

  /// One row for each different value of the field, instead of one for each row of the table.
  public func group<Value>(by field: (Root.Fields) -> Field<Value>) -> Selection {
    updating { $0.groups = [Nesting.atRoot { field(fields).term }] }
  }

  /// One row for each different combination of the fields, instead of one for each row of the table.
  public func group<First, each Other>(
    by fields: (Root.Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection {
    updating { $0.groups = terms(of: fields, in: self.fields) }
  }

  // The closure is handed on as it is: taking a tuple of a first element and a pack apart crashes the compiler (6.3).
  private func selectAll<each Part: SelectionPart>(
    _ parts: (Root.Fields) -> (repeat each Part)
  ) -> Selection<Root, (repeat (each Part)._Selected)> {
    let selected = selectedFields(parts)
    return selecting(selected.terms, decode: selected.decode)
  }

  /// Several parts as one.
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
    let decodeEach: @Sendable (ResultRows) throws -> [Other] = { rows in
      var result: [Other] = []
      result.reserveCapacity(rows.expectedCount)
      try rows.forEach { result.append(try decode($0)) }
      return result
    }
    return Selection<Root, Other>(statement: statement, decode: decode, decodeAll: decodeAll ?? decodeEach)
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
