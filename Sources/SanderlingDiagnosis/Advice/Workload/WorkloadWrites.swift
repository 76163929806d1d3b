import SanderlingSQL

/// The writes of a workload, or assumed writes.
struct WorkloadWrites {
  /// The cost of writing an entry of one more index: some steps, and the pages on the way to its place. On tables of
  /// 500,000 rows, 200 to 500 steps were measured.
  static let stepsPerIndexEntry = 400.0
  /// The number of executed reads for each assumed insertion into each table.
  static let readsPerInsertion = 10

  let isAssumed: Bool
  /// The rows that are assumed to be inserted into each table, if the workload has no writes.
  let assumedInsertions: Double

  init(statements: [AnalyzedStatement]) {
    isAssumed = !statements.contains(where: \.isWrite)
    let reads = statements.reduce(0.0) { $0 + Double(max(1, $1.statement.count)) }
    assumedInsertions = isAssumed ? reads / Double(Self.readsPerInsertion) : 0
  }

  /// The number of index entries that the executions of a statement write, with all its samples.
  func entries(of index: IndexCandidate, for statement: AnalyzedStatement) -> Double {
    let table: String
    switch statement.shape?.kind {
    case .insert(let name), .delete(let name): table = name
    case .update(let name, let columns):
      // Updates of other columns write no entry.
      let held = index.names
      guard columns.contains(where: { held.contains($0.asciiLowercased) }) else { return 0 }
      table = name
    case .select, nil: return 0
    }
    guard table.asciiLowercased == index.table.asciiLowercased else { return 0 }
    return statement.measurements.reduce(0) { $0 + Double($1.rowsReturned) }
  }
}

extension IndexCandidate {
  /// The columns and other words of the keys and the condition, in lower case. O(length).
  fileprivate var names: Set<String> {
    var names = Set(keys.compactMap { $0.column?.asciiLowercased })
    for sql in keys.filter({ $0.column == nil }).map(\.sql) + [condition].compactMap(\.self) {
      let text = SQLText(sql)
      for token in SQLTokenizer(text) where !token.isTrivia {
        names.insert(text[token.range].withoutQuotes.asciiLowercased)
      }
    }
    return names
  }
}

extension DatabaseSchema {
  /// The tables that a statement reads or writes, and the tables whose rows refer to its deleted rows, in lower case.
  func tablesTouched(by statement: AnalyzedStatement) -> Set<String> {
    guard let shape = statement.shape else { return [] }
    var touched = Set(shape.selectsWithViews.flatMap(\.sources).compactMap { $0.table?.asciiLowercased })
    let written: String
    switch shape.kind {
    case .select: return touched
    case .insert(let table), .update(let table, _), .delete(let table): written = table.asciiLowercased
    }
    touched.insert(written)
    for fired in statement.fired {
      touched.formUnion(fired.shape.selectsWithViews.flatMap(\.sources).compactMap { $0.table?.asciiLowercased })
    }
    var parents = [written]
    while let parent = parents.popLast() {
      for child in tables where child.foreignKeys.contains(where: { $0.parentTable.asciiLowercased == parent }) {
        if touched.insert(child.name.asciiLowercased).inserted { parents.append(child.name.asciiLowercased) }
      }
    }
    return touched
  }
}
