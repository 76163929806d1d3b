extension HasMany where Parent == Child {
  /// The records of all trees, each with its place: those without a parent, below each its children, and so on.
  ///
  /// ```swift
  /// let outline = Project.subprojects.tree().orderSiblings { $0.name }
  /// for row in try await store.fetch(outline) { print(String(repeating: "  ", count: row.depth) + row.name) }
  /// ```
  ///
  /// Rows come as an outline shows them, each right before the rows below it, in the order that ``Selection/orderSiblings(_:)-((Record.Fields)->Key)`` gives to the
  /// children of one record; `order` replaces that by an order of all rows. A filter of the association ends the descent at records that
  /// don't satisfy it, roots included; one of the query chooses among the rows. On a recursive association, a filter before `recursive` does
  /// the one, and a filter after it the other.
  ///
  /// A record whose parent isn't there is a root, too, unless a `@References` keeps parents there. Records that are below themselves are
  /// below no root, and in no tree but their own: see ``tree(from:maximumDepth:)``.
  ///
  /// - Parameter maximumDepth: How many steps down from the roots to go, from 0 on; nil for all. A query with a negative depth throws
  ///   ``StoreError/invalidQuery(_:)`` where it runs, and live results of it fail.
  /// - Complexity: O(rows log rows) with an index of the column that holds the parent; with a limit O(limit) where rows come as an
  ///   outline. Without a `@References`, all records are read to find the roots.
  public func tree(maximumDepth: Int? = nil) -> Selection<TreeRow<Child>, TreeRow<Child>> {
    association.walk(.roots, maximumDepth)
  }

  /// The record with a key and all below it, each with its place, as ``tree(maximumDepth:)`` has it.
  ///
  /// The record itself has the depth 0, and is included even if it doesn't satisfy the association's condition. Each record is included
  /// once, even if the data has cycles. The result is empty if the record doesn't exist.
  ///
  /// ```swift
  /// let below = Project.subprojects.tree(from: garden).filter { $0.depth > 0 && $0.tasks.exists }
  /// ```
  ///
  /// - Parameter maximumDepth: How many steps down to go, from 0 on; nil for all. A query with a negative depth throws
  ///   ``StoreError/invalidQuery(_:)`` where it runs, and live results of it fail.
  public func tree(from key: Child.Key, maximumDepth: Int? = nil) -> Selection<TreeRow<Child>, TreeRow<Child>> {
    association.walk(.descendants(of: Child.terms(of: key)), maximumDepth)
  }

  /// The records above the one with a key, from its parent up, each with its place: the parent has the depth 1.
  ///
  /// These are the records whose ``tree(from:maximumDepth:)`` has the one with the key, without itself. The path begins with its key.
  ///
  /// ```swift
  /// let breadcrumbs = Project.subprojects.ancestors(of: garden).reversed().select { $0.name }
  /// ```
  ///
  /// - Parameter maximumDepth: How many steps up to go, from 0 on; nil for all. A query with a negative depth throws
  ///   ``StoreError/invalidQuery(_:)`` where it runs, and live results of it fail.
  /// - Complexity: O(rows²), since each is looked for among those that it came by; the factor is that of comparing texts.
  public func ancestors(of key: Child.Key, maximumDepth: Int? = nil) -> Selection<TreeRow<Child>, TreeRow<Child>> {
    association.walk(.ancestors(of: Child.terms(of: key)), maximumDepth)
  }
}

extension Selection {
  /// In a tree, the order of the children of each record, and of the roots. Those that are equal in it come by their primary keys, in the
  /// same direction.
  ///
  /// The rows come as an outline shows them, each right before the rows below it, unless `order` says otherwise.
  public func orderSiblings<Record, Key: OrderingConvertible>(_ key: (Record.Fields) -> Key) -> Selection
  where Root == TreeRow<Record> {
    orderingSiblings([Nesting.atRoot { key(Record.fields).ordering }])
  }

  /// In a tree, the order of the children of each record, and of the roots. The first key decides; the next ones decide ties.
  public func orderSiblings<Record, First: OrderingConvertible, each Other: OrderingConvertible>(
    _ keys: (Record.Fields) -> (First, repeat each Other)
  ) -> Selection where Root == TreeRow<Record> {
    orderingSiblings(orderings(of: keys, in: Record.fields))
  }

  private func orderingSiblings(_ orderings: [Ordering]) -> Selection {
    guard case .tree(var walk) = statement.source else { return self }
    walk.siblings = orderings
    return updating { $0.source = .tree(walk) }
  }
}

extension Association {
  /// The query of the rows on the way, in its order.
  fileprivate func walk<Record>(
    _ start: TreeWalk.Start, _ maximumDepth: Int?
  ) -> Selection<TreeRow<Record>, TreeRow<Record>> {
    var steps = self
    steps.recursion = nil
    if let recursion { steps.condition = recursion.step }
    let walk = TreeWalk(association: steps, start: start, maximumDepth: maximumDepth)
    var statement = SelectStatement(source: .tree(walk), columns: TreeRow<Record>._terms.map(\.term))
    if recursion != nil, let condition { statement.add(condition: condition) }
    statement.orderings = [.inOrderOfTree]
    return Selection(
      statement: statement, decode: { try TreeRow(_reading: $0) }, decodeAll: { try TreeRow._readAll($0) })
  }
}

extension StoredRecord {
  /// The columns of a key as terms, or why they are none.
  static func terms(of key: Key) -> [Term] {
    do {
      return try ParameterBinder.collecting(table.key.count) { try _bind(key: key, to: $0, from: 1) }
        .map { .constant($0) }
    } catch {
      let reason = (error as? ValueError)?.message ?? String(describing: error)
      return table.key.map { _ in .invalid(reason) }
    }
  }
}
