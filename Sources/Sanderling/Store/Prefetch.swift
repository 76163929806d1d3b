/// Associated records that are read beside the rows of a query: one query for each association, for any number of rows.
///
/// ```swift
/// let projects = try await store.fetch(
///   Project.order { $0.name }.limit(20)
///     .with(Project.tasks.prefetch { $0.order { $0.dueAt }.limit(3) }, Project.owner.prefetch()))
/// for (project, tasks, owner) in projects { … }
/// ```
public struct Prefetch<Parent: StoredRecord, Value: Sendable>: Sendable {
  /// The prefetched rows, for live results to follow.
  let rows: PrefetchedRows
  /// Reads the value for each of the parents, in their order.
  let load: @Sendable (ReadTransaction, [Parent]) throws -> Prefetched<Value>
}

/// The associated rows that are prefetched with a query's rows.
struct PrefetchedRows: Hashable, Sendable {
  let association: Association
  /// The query that filters, orders and limits the associated rows. A limit counts for each row of the main query.
  let statement: SelectStatement
  /// The rows that are prefetched with these rows.
  var nested: [PrefetchedRows] = []

  /// The statements of these rows and of their nested rows.
  var statements: [SelectStatement] { [statement] + nested.flatMap(\.statements) }
}

/// The prefetched values of some records, in the order of the records.
struct Prefetched<Value> {
  var values: [Value]
  /// A hash for each record, which changes with its value. Empty unless the transaction fingerprints rows.
  var fingerprints: [UInt64] = []
}

/// A query whose records come with associated records, as tuples.
public struct PrefetchingSelection<Root: StoredRecord, Output: Sendable>: Sendable {
  let selection: Selection<Root, Root>
  let prefetched: [PrefetchedRows]
  /// Reads the associated rows of the records, and pairs each record with its own.
  let attach: @Sendable (ReadTransaction, [Root]) throws -> Prefetched<Output>
}

extension Selection where Root: StoredRecord, Output == Root {
  /// The same records, each with its associated records.
  public func with<First, each Other>(
    _ first: Prefetch<Root, First>, _ others: repeat Prefetch<Root, each Other>
  ) -> PrefetchingSelection<Root, (Root, First, repeat each Other)> {
    var rows = [first.rows]
    repeat rows.append((each others).rows)
    return PrefetchingSelection(selection: self, prefetched: rows) { transaction, records in
      let firsts = try first.load(transaction, records)
      let others = (repeat try (each others).load(transaction, records))
      var fingerprints = firsts.fingerprints
      repeat fingerprints.combine((each others).fingerprints)
      return Prefetched(
        values: records.indices.map { index in
          (records[index], firsts.values[index], repeat (each others).values[index])
        }, fingerprints: fingerprints)
    }
  }
}

extension HasMany {
  /// Prefetches the children of each parent, in no particular order.
  public func prefetch() -> Prefetch<Parent, [Child]> {
    prefetch { $0 }
  }

  /// Prefetches the children of each parent, filtered, ordered and limited by a query. A limit counts for each parent.
  public func prefetch(
    _ query: @Sendable (Selection<Child, Child>) -> Selection<Child, Child>
  ) -> Prefetch<Parent, [Child]> {
    query(Child.query).prefetch(by: association)
  }

  /// Prefetches the children of each parent, with their own associated records.
  public func prefetch<Element>(
    _ query: @Sendable (Selection<Child, Child>) -> PrefetchingSelection<Child, Element>
  ) -> Prefetch<Parent, [Element]> {
    query(Child.query).prefetch(by: association)
  }
}

extension BelongsTo {
  /// Prefetches the parent of each child; nil if there is none.
  public func prefetch() -> Prefetch<Child, Parent?> {
    Parent.query.prefetch(by: association).map(\.first)
  }

  /// Prefetches the parent of each child with its own associated records; nil if there is none.
  public func prefetch<Element>(
    _ query: @Sendable (Selection<Parent, Parent>) -> PrefetchingSelection<Parent, Element>
  ) -> Prefetch<Child, Element?> {
    query(Parent.query).prefetch(by: association).map(\.first)
  }
}

extension Prefetch {
  fileprivate func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Prefetch<Parent, Other> {
    Prefetch<Parent, Other>(rows: rows) { [load] transaction, parents in
      let prefetched = try load(transaction, parents)
      return Prefetched(values: prefetched.values.map(transform), fingerprints: prefetched.fingerprints)
    }
  }
}

extension Selection where Root: StoredRecord, Output == Root {
  /// Prefetches the associated records that the query selects.
  fileprivate func prefetch<Parent: StoredRecord>(by association: Association) -> Prefetch<Parent, [Output]> {
    let rows = PrefetchedRows(association: association, statement: statement)
    return Prefetch(rows: rows) { [decode] transaction, parents in
      let groups = try transaction.rows(of: parents, association, rows.statement, decode)
      return Prefetched(values: groups.map(\.elements), fingerprints: groups.compactMap(\.fingerprint))
    }
  }
}

extension PrefetchingSelection {
  /// Prefetches the associated records that the query selects, with their own prefetched rows.
  fileprivate func prefetch<Parent: StoredRecord>(by association: Association) -> Prefetch<Parent, [Output]> {
    let rows = PrefetchedRows(association: association, statement: selection.statement, nested: prefetched)
    return Prefetch(rows: rows) { [selection, attach] transaction, parents in
      let groups = try transaction.rows(of: parents, association, rows.statement, selection.decode)
      // The nested rows of all groups are read at once, and then divided among the groups.
      return try attach(transaction, groups.flatMap(\.elements)).dealt(to: groups)
    }
  }
}

extension Prefetched {
  /// Divides the values among the groups from which they were read.
  fileprivate func dealt<Row>(to groups: [RowGroup<Row>]) -> Prefetched<[Value]> {
    var next = 0
    var dealt = Prefetched<[Value]>(values: [])
    for group in groups {
      let range = next..<next + group.elements.count
      next = range.upperBound
      dealt.values.append(Array(values[range]))
      guard let own = group.fingerprint else { continue }
      dealt.fingerprints.append(fingerprints[range].reduce(own) { RowHash.combining($0, $1) })
    }
    return dealt
  }
}

extension [UInt64] {
  /// Combines each hash with the hash at the same index of an array of the same length.
  fileprivate mutating func combine(_ others: [UInt64]) {
    for index in indices { self[index] = RowHash.combining(self[index], others[index]) }
  }
}
