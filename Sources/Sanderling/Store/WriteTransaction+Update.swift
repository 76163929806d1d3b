import GRDB

/// A new value for one column of every updated row.
public struct Assignment<Owner: StoredRecord>: Hashable, Sendable {
  let column: Int
  let value: Term

  /// Sets the column to a value.
  public static func set<Value>(_ column: KeyPath<Owner.Fields, Field<Value>>, to value: Value) -> Assignment {
    Assignment(column: Association.columnIndex(of: column), value: Owner.fields[keyPath: column].constant(value))
  }

  /// Sets the column to the value of an expression, which reads the row before the update.
  public static func set<Value>(
    _ column: KeyPath<Owner.Fields, Field<Value>>, to value: (Owner.Fields) -> Field<Value>
  ) -> Assignment {
    Assignment(
      column: Association.columnIndex(of: column), value: Nesting.atRoot { value(Owner.fields).term })
  }
}

extension WriteTransaction {
  /// Writes the columns in which a record differs from its row, and only these.
  ///
  /// A column with `touch:` keeps the record's value if that differs from the row's. The column's initial value counts
  /// as not set.
  ///
  /// - Returns: Whether any column was written.
  /// - Throws: ``StoreError/notFound(table:)`` if no row has the record's key.
  @discardableResult
  public func update<R: StoredRecord>(_ record: R) throws -> Bool {
    let key = try record.key
    var stored: [StorageValue]?
    try run(R.table.statements.selectByKey) {
      try R._bind(key: key, to: $0, from: 1)
    } row: { row in
      stored = R.table.columns.indices.map { row.storageValue(at: Int32($0)) }
    }
    guard let stored else { throw StoreError.notFound(table: R.table.name) }
    let values = try record.storageValues()
    let columns = R.table.columns
    let changed = values.indices.filter { values[$0] != stored[$0] && !columns[$0].isLeftToTouch(values[$0]) }
    guard !changed.isEmpty else { return false }
    try requireStorage(of: R.table)
    try run(R.table.update(changed)) { parameters in
      for (position, column) in changed.enumerated() {
        try parameters.bind(values[column], at: Int32(position + 1))
      }
      try R._bind(key: key, to: parameters, from: Int32(changed.count + 1))
    }
    return true
  }

  /// Reads a record, changes it, and writes the columns that changed.
  ///
  /// ```swift
  /// try tx.update(TodoTask.self, key: id) { $0.isCompleted.toggle() }
  /// ```
  ///
  /// - Returns: The record after the update.
  /// - Throws: ``StoreError/notFound(table:)`` if no row has the key.
  @discardableResult
  public func update<R: StoredRecord>(_ record: R.Type, key: R.Key, _ change: (inout R) throws -> Void) throws -> R {
    var result = try existingRow(record, key: key)
    try change(&result)
    guard try result.key == key else {
      throw StoreError.invalidQuery(
        "an update can't change the key of a record: delete the record, and insert it with the new key")
    }
    try update(result)
    // The record lacks the values that triggers set.
    return R.table.isTouched ? try existingRow(record, key: key) : result
  }

  /// Reads the record with a key, regardless of its default scope: a write by key means exactly this row.
  func existingRow<R: StoredRecord>(_ record: R.Type, key: R.Key) throws -> R {
    guard let result = try row(record, key: key) else { throw StoreError.notFound(table: R.table.name) }
    return result
  }

  /// Sets columns of all rows that a query returns.
  ///
  /// ```swift
  /// try tx.update(TodoTask.where { $0.projectID == id }, .set(\.isCompleted, to: true), .set(\.rank) { $0.rank + 1 })
  /// ```
  ///
  /// - Returns: The number of these rows, including rows that already had the values.
  @discardableResult
  public func update<R: StoredRecord>(_ query: Selection<R, R>, _ assignments: Assignment<R>...) throws -> Int {
    guard !assignments.isEmpty else { return 0 }
    let statement = try SQLCompiler.compile(on: RecordType(R.self)) { compiler in
      compiler.write("UPDATE \(R.table.name.quotedIdentifier) SET ")
      try compiler.writeList(assignments) { compiler, assignment in
        compiler.write("\(R.table.columns[assignment.column].name.quotedIdentifier) = ")
        try compiler.writeAssigned(assignment.value, RecordType(R.self))
        // The result of an expression is folded before the commit, because a trigger marks the row.
        let value: StorageValue
        switch assignment.value {
        case .constant(let constant), .literal(let constant): value = constant
        default: return
        }
        for folded in R.table.folded where folded.text == assignment.column {
          compiler.write(", \(folded.name.quotedIdentifier) = \(FoldFunction.name)(")
          compiler.writeParameter(value)
          compiler.write(")")
        }
      }
      try compiler.writeRows(of: query.statement)
    }
    return try change(R.table, statement)
  }
}

extension SQLCompiler {
  /// Writes a value for a SET clause. A value that follows to-one associations becomes a subquery, which can join.
  fileprivate mutating func writeAssigned(_ value: Term, _ type: RecordType) throws {
    guard value.followsAssociations else { return try write(value) }
    var row = SelectStatement(source: .table(type), columns: [value])
    row.condition = Term.all(
      type.table.key.map { index in
        let name = type.table.columns[index].name.quotedIdentifier
        let outer = Term.raw([.sql("\(type.table.name.quotedIdentifier).\(name)")])
        return .binary(.equal, .column(ColumnTerm(scope: .root, owner: type, index: index)), outer)
      })
    write("(")
    try write(row)
    write(")")
  }
}

extension RecordTable {
  fileprivate func update(_ changed: [Int]) -> String {
    let assignments = changed.map { "\(columns[$0].name.quotedIdentifier) = ?" }
    let folds = folded.compactMap { column in
      changed.firstIndex(of: column.text).map {
        "\(column.name.quotedIdentifier) = \(FoldedColumn.fold("?\($0 + 1)"))"
      }
    }
    // A parameter without a number follows the largest number before it, which is a column's.
    let condition = keyColumns.map(\.name).areBound(in: name)
    return "UPDATE \(name.quotedIdentifier) SET \((assignments + folds).joined(separator: ", ")) WHERE \(condition)"
  }
}
