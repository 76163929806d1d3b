/// Records that are fetched beside the rows of another query: one query for each association, however many rows there are.
///
/// ```swift
/// let projects = try await store.fetch(
///   Project.order { $0.name }.limit(20)
///     .with(Project.tasks.prefetch { $0.order { $0.dueAt }.limit(3) }, Project.owner.prefetch()))
/// for (project, tasks, owner) in projects { … }
/// ```
public struct Prefetch<Parent: StoredRecord, Value: Sendable>: Sendable {
  /// The values for each of the parents, in their order.
  let load: @Sendable (ReadTransaction, [Parent]) throws -> [Value]
}

/// A query whose records come with associated ones, as tuples.
public struct PrefetchingSelection<Root: StoredRecord, Output: Sendable>: Sendable {
  let selection: Selection<Root, Root>
  /// Fetches what belongs to the records and puts each beside it.
  let attach: @Sendable (ReadTransaction, [Root]) throws -> [Output]
}

extension Selection where Root: StoredRecord, Output == Root {
  /// The same records, each with its associated ones.
  public func with<First, each Other>(
    _ first: Prefetch<Root, First>, _ others: repeat Prefetch<Root, each Other>
  ) -> PrefetchingSelection<Root, (Root, First, repeat each Other)> {
    PrefetchingSelection(selection: self) { transaction, records in
      let firsts = try first.load(transaction, records)
      let others = (repeat try (each others).load(transaction, records))
      return records.indices.map { index in (records[index], firsts[index], repeat (each others)[index]) }
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
    let (association, selection) = (association, query(Child.query))
    return Prefetch { transaction, parents in
      try transaction.children(of: parents, association, selection.statement) { try Child(_reading: $0) }.map(
        \.elements)
    }
  }

  /// The children of each parent with their own associated records.
  public func prefetch<Element>(
    _ query: @Sendable (Selection<Child, Child>) -> PrefetchingSelection<Child, Element>
  ) -> Prefetch<Parent, [Element]> {
    let (association, selection) = (association, query(Child.query))
    return Prefetch { transaction, parents in
      let groups = try transaction.children(of: parents, association, selection.selection.statement) {
        try Child(_reading: $0)
      }
      // All grandchildren are fetched at once, then dealt out to the groups again.
      let children = try selection.attach(transaction, groups.flatMap(\.elements))
      return deal(children, inGroupsOf: groups.map(\.elements.count))
    }
  }
}

extension BelongsTo {
  /// The parent of each child, or nil.
  public func prefetch() -> Prefetch<Child, Parent?> {
    let association = association
    return Prefetch { transaction, children in
      try transaction.parents(of: children, association, SelectStatement(all: Parent.self)) { try Parent(_reading: $0) }
    }
  }

  /// The parent of each child, or nil, with its own associated records.
  public func prefetch<Element>(
    _ query: @Sendable (Selection<Parent, Parent>) -> PrefetchingSelection<Parent, Element>
  ) -> Prefetch<Child, Element?> {
    let (association, selection) = (association, query(Parent.query))
    return Prefetch { transaction, children in
      let parents = try transaction.parents(of: children, association, selection.selection.statement) {
        try Parent(_reading: $0)
      }
      let complete = try selection.attach(transaction, parents.compactMap { $0 })
      return deal(complete, inGroupsOf: parents.map { $0 == nil ? 0 : 1 }).map(\.first)
    }
  }
}

extension SelectStatement {
  fileprivate init<R: StoredRecord>(all record: R.Type) {
    self = record.query.statement
  }
}

/// Splits a list into consecutive groups.
private func deal<Element>(_ elements: [Element], inGroupsOf counts: [Int]) -> [[Element]] {
  var next = elements.startIndex
  return counts.map { count in
    defer { next += count }
    return Array(elements[next..<next + count])
  }
}
