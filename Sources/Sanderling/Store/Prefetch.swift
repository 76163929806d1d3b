/// Records that are fetched beside the rows of another query: one query for each association, however many rows there are.
///
/// ```swift
/// let projects = try await store.fetch(
///   Project.order { $0.name }.limit(20)
///     .with(Project.tasks.prefetch { $0.order { $0.dueAt }.limit(3) }, Project.owner.prefetch()))
/// for (project, tasks, owner) in projects { … }
/// ```
public struct Prefetch<Parent: StoredRecord, Value: Sendable>: Sendable {
  /// The rows that are fetched, for live results to follow.
  let rows: PrefetchedRows
  /// The values for each of the parents, in their order.
  let load: @Sendable (ReadTransaction, [Parent]) throws -> Prefetched<Value>
}

/// The associated rows of a query's rows, which are prefetched with them.
struct PrefetchedRows: Hashable, Sendable {
  let association: Association
  /// Which of the rows, in which order, and how many for each row of the query.
  let statement: SelectStatement
  /// The prefetched rows of these rows.
  var nested: [PrefetchedRows] = []

  /// The statements of these rows and of their prefetched rows.
  var statements: [SelectStatement] { [statement] + nested.flatMap(\.statements) }
}

/// The prefetched value of each of some records.
struct Prefetched<Value> {
  var values: [Value]
  /// A number for each record that differs when its value does; empty unless the transaction fingerprints rows.
  var fingerprints: [UInt64] = []
}

/// A query whose records come with associated ones, as tuples.
public struct PrefetchingSelection<Root: StoredRecord, Output: Sendable>: Sendable {
  let selection: Selection<Root, Root>
  let prefetched: [PrefetchedRows]
  /// Fetches the associated rows of the records, and pairs each record with its own.
  let attach: @Sendable (ReadTransaction, [Root]) throws -> Prefetched<Output>
}

extension Selection where Root: StoredRecord, Output == Root {
  /// The same records, each with its associated ones.
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
  /// The children of each parent, in no particular order.
  public func prefetch() -> Prefetch<Parent, [Child]> {
    prefetch { $0 }
  }

  /// The children of each parent, filtered, ordered and limited by a query. A limit counts for each parent.
  public func prefetch(
    _ query: @Sendable (Selection<Child, Child>) -> Selection<Child, Child>
  ) -> Prefetch<Parent, [Child]> {
    query(Child.query).prefetch(by: association)
  }

  /// The children of each parent with their own associated records.
  public func prefetch<Element>(
    _ query: @Sendable (Selection<Child, Child>) -> PrefetchingSelection<Child, Element>
  ) -> Prefetch<Parent, [Element]> {
    query(Child.query).prefetch(by: association)
  }
}

extension BelongsTo {
  /// The parent of each child, or nil.
  public func prefetch() -> Prefetch<Child, Parent?> {
    Parent.query.prefetch(by: association).map(\.first)
  }

  /// The parent of each child, or nil, with its own associated records.
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
  /// The records that an association leads to.
  fileprivate func prefetch<Parent: StoredRecord>(by association: Association) -> Prefetch<Parent, [Output]> {
    let rows = PrefetchedRows(association: association, statement: statement)
    return Prefetch(rows: rows) { [decode] transaction, parents in
      let groups = try transaction.rows(of: parents, association, rows.statement, decode)
      return Prefetched(values: groups.map(\.elements), fingerprints: groups.compactMap(\.fingerprint))
    }
  }
}

extension PrefetchingSelection {
  /// The records of an association, with their prefetched rows.
  fileprivate func prefetch<Parent: StoredRecord>(by association: Association) -> Prefetch<Parent, [Output]> {
    let rows = PrefetchedRows(association: association, statement: selection.statement, nested: prefetched)
    return Prefetch(rows: rows) { [selection, attach] transaction, parents in
      let groups = try transaction.rows(of: parents, association, rows.statement, selection.decode)
      // The rows of all groups are fetched at once and then divided among the groups.
      return try attach(transaction, groups.flatMap(\.elements)).dealt(to: groups)
    }
  }
}

extension Prefetched {
  /// The values of rows that were fetched group by group, in their groups again.
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
  /// Makes the numbers differ if the others do. There are as many others.
  fileprivate mutating func combine(_ others: [UInt64]) {
    for index in indices { self[index] = RowHash.combining(self[index], others[index]) }
  }
}
