// To-many associations by way of others.

extension StoredRecord {
  /// Declares a many-to-many association: the children that the records in between lead to.
  ///
  /// ```swift
  /// static let taskLabels = hasMany(TaskLabel.self, by: \.taskID)
  /// static let labels = hasMany(Label.self, through: taskLabels, using: TaskLabel.label)
  /// ```
  ///
  /// Each child is among them once, however many records in between lead to it. Where the key of these, or a unique index, makes sure that
  /// there is one at most, no duplicates are looked for, which takes two thirds of the time.
  ///
  /// - Parameter scoped: Whether it leads to children of the child's default scope only.
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

  /// Declares a to-many association to the children of this record's parent, which may be among them itself.
  ///
  /// - Precondition: None of the associations is recursive.
  public static func hasMany<Middle: StoredRecord, Child: StoredRecord>(
    _ child: Child.Type, through middle: BelongsTo<Self, Middle>, using last: HasMany<Middle, Child>
  ) -> HasMany<Self, Child> {
    HasMany(association: .by(middle.association, last.association))
  }
}

extension Association {
  /// The rows of the second association for the rows of the first.
  static func by(_ first: Association, _ second: Association) -> Association {
    var way = first.steps + second.steps
    // This check of a declaration doesn't depend on data.
    precondition(
      way.allSatisfy { $0.recursion == nil },
      "a to-many association of \(first.origin.type) goes through a recursive one, which is not possible: "
        + "declare it through the association that isn't recursive")
    // The last condition is about the rows themselves.
    let condition = way[way.count - 1].condition
    way[way.count - 1].condition = nil
    // That of a second which goes through others itself stands beside them.
    let conditions = [condition, second.way.isEmpty ? nil : second.condition].compactMap { $0 }
    if !first.way.isEmpty, let own = first.condition {
      let end = first.steps.count - 1
      way[end].condition = way[end].condition.map { $0 && own } ?? own
    }
    return Association(
      origin: first.origin, destination: second.destination, columns: [], condition: Term.all(conditions), way: way)
  }

  /// The associations that lead to the rows, in order: itself, or the associations that it goes through.
  var steps: [Association] { way.isEmpty ? [self] : way }

  /// The columns that connect rows with the rows of the first step.
  var firstColumns: [ColumnPair] { steps[0].columns }

  /// Whether a row in a scope belongs to rows whose first columns have these values, apart from the conditions on the
  /// row.
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

  /// Whether each row is found at most once: one to-many association, followed by to-one associations.
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
