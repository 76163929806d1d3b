extension HasMany where Parent == Child {
  /// A query of the records of all trees, each with its place in the tree.
  ///
  /// ```swift
  /// let outline = Project.subprojects.tree().orderSiblings { $0.name }
  /// for row in try await store.fetch(outline) { print(String(repeating: "  ", count: row.depth) + row.name) }
  /// ```
  ///
  /// Rows are in the order of an outline: each directly before the rows below it.
  /// ``Selection/orderSiblings(_:)-((Record.Fields)->Key)`` determines the order of a record's children, and `order`
  /// replaces the outline by an order of all rows.
  ///
  /// A filter of the association ends the descent at records that don't satisfy it, including roots. A filter of the
  /// query only chooses among the rows. On a recursive association, a filter before `recursive` ends the descent, and a
  /// filter after it chooses among the rows.
  ///
  /// A record whose parent doesn't exist is a root too, unless a `@References` makes the database keep parents. A
  /// record below itself is in no tree that begins at a root, and only in a tree that begins in its cycle: see
  /// ``tree(from:maximumDepth:)``.
  ///
  /// - Parameter maximumDepth: The greatest number of steps down from the roots, at least 0; nil for all. With a
  ///   negative depth, a fetch throws ``StoreError/invalidQuery(_:)``, and live results fail.
  /// - Complexity: O(rows log rows) with an index on the column that contains the parent's key. With a limit, O(limit)
  ///   in the order of an outline. Without a `@References`, all records are read to find the roots.
  public func tree(maximumDepth: Int? = nil) -> Selection<TreeRow<Child>, TreeRow<Child>> {
    association.walk(.roots, maximumDepth)
  }

  /// A query of the record with a key and all records below it, each with its place, as in ``tree(maximumDepth:)``.
  ///
  /// The record itself has the depth 0, and is included even if it doesn't satisfy the association's condition. Each
  /// record is included once, even if the data has cycles. The result is empty if the record doesn't exist.
  ///
  /// ```swift
  /// let below = Project.subprojects.tree(from: garden).filter { $0.depth > 0 && $0.tasks.exists }
  /// ```
  ///
  /// - Parameter maximumDepth: The greatest number of steps down, at least 0; nil for all. With a negative depth, a
  ///   fetch throws ``StoreError/invalidQuery(_:)``, and live results fail.
  public func tree(from key: Child.Key, maximumDepth: Int? = nil) -> Selection<TreeRow<Child>, TreeRow<Child>> {
    association.walk(.descendants(of: Child.terms(of: key)), maximumDepth)
  }

  /// A query of the records above the record with a key, from its parent up, each with its place. The parent has the
  /// depth 1.
  ///
  /// These are the other records whose ``tree(from:maximumDepth:)`` contains the record. The path begins with the
  /// record's key.
  ///
  /// ```swift
  /// let breadcrumbs = Project.subprojects.ancestors(of: garden).reversed().select { $0.name }
  /// ```
  ///
  /// - Parameter maximumDepth: The greatest number of steps up, at least 0; nil for all. With a negative depth, a fetch
  ///   throws ``StoreError/invalidQuery(_:)``, and live results fail.
  /// - Complexity: O(rows²), since each row is searched in the path to it, at the cost of comparing texts.
  public func ancestors(of key: Child.Key, maximumDepth: Int? = nil) -> Selection<TreeRow<Child>, TreeRow<Child>> {
    association.walk(.ancestors(of: Child.terms(of: key)), maximumDepth)
  }
}

extension Selection {
  /// Orders the roots of a tree, and the children of each record. Siblings that are equal in the ordering are sorted by
  /// their primary keys, in the same direction.
  ///
  /// The rows are in the order of an outline, each directly before the rows below it, unless `order` replaces it.
  public func orderSiblings<Record, Key: OrderingConvertible>(_ key: (Record.Fields) -> Key) -> Selection
  where Root == TreeRow<Record> {
    orderingSiblings([Nesting.atRoot { key(Record.fields).ordering }])
  }

  /// Orders the roots of a tree, and the children of each record, by several keys, the first deciding first.
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
  /// The query of the rows of a walk, in its order.
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
  /// The columns of a key as terms; invalid terms for a key that can't be stored.
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
