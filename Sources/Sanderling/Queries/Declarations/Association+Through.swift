// To-many associations through other associations.

extension StoredRecord {
  /// Declares a many-to-many association, to the children of the records in between.
  ///
  /// ```swift
  /// static let taskLabels = hasMany(TaskLabel.self, by: \.taskID)
  /// static let labels = hasMany(Label.self, through: taskLabels, using: TaskLabel.label)
  /// ```
  ///
  /// Each child is included once, however many records in between lead to it. If a key or a unique index of these
  /// records allows only one, the search for duplicates is left out. The query then takes two thirds of the time.
  ///
  /// - Parameter scoped: Whether the association has only children in the child's default scope.
  /// - Precondition: None of the associations is recursive.
  public static func hasMany<Middle: StoredRecord, Child: StoredRecord>(
    _ child: Child.Type, through middle: HasMany<Self, Middle>, using last: BelongsTo<Middle, Child>,
    scoped: Bool = true
  ) -> HasMany<Self, Child> {
    let association = Association.by(middle.association, last.association)
    let scope = scoped ? child.scopeTerm : nil
    return HasMany(association: scope.map(association.filtered) ?? association)
  }

  /// Declares a to-many association to the children of this record's children.
  ///
  /// - Precondition: None of the associations is recursive.
  public static func hasMany<Middle: StoredRecord, Child: StoredRecord>(
    _ child: Child.Type, through middle: HasMany<Self, Middle>, using last: HasMany<Middle, Child>
  ) -> HasMany<Self, Child> {
    HasMany(association: .by(middle.association, last.association))
  }

  /// Declares a to-many association to the children of this record's parent. They may include this record.
  ///
  /// - Precondition: None of the associations is recursive.
  public static func hasMany<Middle: StoredRecord, Child: StoredRecord>(
    _ child: Child.Type, through middle: BelongsTo<Self, Middle>, using last: HasMany<Middle, Child>
  ) -> HasMany<Self, Child> {
    HasMany(association: .by(middle.association, last.association))
  }
}

extension Association {
  /// The association through two others: the rows of the second association for the rows of the first.
  static func by(_ first: Association, _ second: Association) -> Association {
    var way = first.steps + second.steps
    // This check of a declaration doesn't depend on data.
    precondition(
      way.allSatisfy { $0.recursion == nil },
      "a to-many association of \(first.origin.type) can't go through a recursive association: "
        + "declare it through the same association without recursion")
    // The condition of the last step applies to the final rows.
    let condition = way[way.count - 1].condition
    way[way.count - 1].condition = nil
    // If the second association goes through others, its own condition applies too.
    let conditions = [condition, second.way.isEmpty ? nil : second.condition].compactMap { $0 }
    if !first.way.isEmpty, let own = first.condition {
      let end = first.steps.count - 1
      way[end].condition = way[end].condition.map { $0 && own } ?? own
    }
    return Association(
      origin: first.origin, destination: second.destination, columns: [], condition: Term.all(conditions), way: way)
  }

  /// The steps to the rows, in order: the associations that this one goes through, or itself.
  var steps: [Association] { way.isEmpty ? [self] : way }

  /// The columns that connect rows with the rows of the first step.
  var firstColumns: [ColumnPair] { steps[0].columns }

  /// The condition that a row in a scope belongs to rows whose first columns have these values. The association's
  /// condition on the row itself is left out.
  func match(_ scope: _Scope, _ values: [Term]) -> Term {
    match(scope, values, steps[...])
  }

  private func match(_ scope: _Scope, _ values: [Term], _ steps: ArraySlice<Association>) -> Term {
    let step = steps[steps.endIndex - 1]
    let columns = step.columns.map {
      Term.column(ColumnTerm(scope: scope, owner: step.destination, index: $0.destination))
    }
    let before = steps.dropLast()
    guard let previous = before.last else {
      return Term.all(zip(columns, values).map { .binary(.equal, $0, $1) }) ?? .literal(.integer(1))
    }
    var rows = SelectStatement(
      source: .table(step.origin),
      columns: step.columns.map { .column(ColumnTerm(scope: .root, owner: step.origin, index: $0.origin)) })
    rows.condition = match(.root, values, before)
    if let condition = previous.condition { rows.add(condition: condition) }
    if columns.count == 1 { return .subquery(columns[0], Subquery(statement: rows)) }
    var fragments: [RawFragment] = []
    for (index, column) in columns.enumerated() { fragments += [.sql(index == 0 ? "(" : ", "), .term(column)] }
    return .raw(fragments + [.sql(") IN ("), .query(rows), .sql(")")])
  }

  /// Whether each row is found at most once, because the columns of both steps include unique columns of the middle
  /// table. Decided only for two steps, the second of them to-one.
  var leadsOnce: Bool {
    guard way.count == 2, way[0].condition == nil, way.allSatisfy(\.comparesAsStored) else { return false }
    guard Set(way[1].columns.map(\.destination)) == Set(way[1].destination.table.key) else { return false }
    let columns = Set(way[0].columns.map(\.destination) + way[1].columns.map(\.origin))
    return way[1].origin.table.uniqueColumns.contains { columns.isSuperset(of: $0) }
  }
}

extension RecordTable {
  /// The sets of columns with unique values: the key, and the columns of unique indexes over all rows.
  fileprivate var uniqueColumns: [[Int]] {
    [key]
      + indexes.filter { $0.isUnique && $0.condition == nil }.compactMap { index in
        let columns = index.parts.map { part -> Int? in
          guard case .column(let column) = part.term, part.collation ?? .binary == .binary else { return nil }
          return column.index
        }
        return columns.contains(nil) ? nil : columns.compactMap { $0 }
      }
  }
}
