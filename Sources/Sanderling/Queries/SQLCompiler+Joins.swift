/// Writes the tables of a level, and the joins of its to-one associations.
extension SQLCompiler {
  func unusedAlias(_ name: String, in frames: [Frame]) -> String {
    let used = Set(frames.flatMap(\.aliases.values).map(\.folded))
    var alias = name
    var number = 2
    while used.contains(alias.folded) {
      alias = "\(name)\(number)"
      number += 1
    }
    return alias
  }

  mutating func writeFrom(_ type: RecordType, level: Int) throws {
    write(" FROM ")
    try writeTable(type, level: level)
    try writeJoins(level: level)
  }

  mutating func writeTable(_ type: RecordType, level: Int) throws {
    guard let alias = frames[level].aliases[[]] else { preconditionFailure("a frame has an alias for its own table") }
    write(type.table.name.quotedIdentifier)
    if alias != type.table.name { write(" AS \(alias.quotedIdentifier)") }
  }

  /// Gives aliases to the tables of to-one associations in the terms. Replaces earlier aliases of such tables.
  mutating func planJoins(level: Int, terms: [Term], avoiding enclosing: [Frame] = []) {
    var known: Set<[Association]> = []
    var paths: [[Association]] = []
    for term in terms {
      term.forEachScope { scope in
        guard scope.level == level else { return }
        for length in scope.path.indices {
          let path = Array(scope.path[...length])
          if known.insert(path).inserted { paths.append(path) }
        }
      }
    }
    // Tables come before those joined to them. Otherwise the order depends only on the query.
    frames[level].joins = paths.sorted { lhs, rhs in
      lhs.count == rhs.count ? lhs.joinName.lexicographicallyPrecedes(rhs.joinName) : lhs.count < rhs.count
    }
    frames[level].aliases = frames[level].aliases.filter { $0.key.isEmpty }
    for path in frames[level].joins {
      guard let association = path.last else { continue }
      frames[level].aliases[path] = unusedAlias(association.destination.table.name, in: enclosing + frames)
    }
  }

  /// Writes the joins of to-one associations, each on the key of its table.
  mutating func writeJoins(level: Int) throws {
    for path in frames[level].joins {
      guard let association = path.last, let alias = frames[level].aliases[path] else { continue }
      let table = association.destination.table
      write(" LEFT JOIN \(table.name.quotedIdentifier)")
      if alias != table.name { write(" AS \(alias.quotedIdentifier)") }
      write(" ON ")
      let origin = _Scope(level: level, path: Array(path.dropLast()))
      let destination = _Scope(level: level, path: path)
      try writeColumnPairs(association, from: origin, to: destination)
      if let condition = association.condition {
        write(" AND ")
        try writeJoinCondition(condition, association.destination, destination)
      }
    }
  }

  mutating func writeColumnPairs(_ association: Association, from origin: _Scope, to destination: _Scope) throws {
    try writeList(association.columns, separator: " AND ") { compiler, pair in
      try compiler.write(
        .column(ColumnTerm(scope: destination, owner: association.destination, index: pair.destination)))
      compiler.write(" = ")
      try compiler.write(.column(ColumnTerm(scope: origin, owner: association.origin, index: pair.origin)))
    }
  }

  /// Writes the condition of a to-one association. In an ON clause, tables of further associations aren't joined yet. A
  /// condition that needs them selects keys in a subquery.
  private mutating func writeJoinCondition(_ condition: Term, _ type: RecordType, _ scope: _Scope) throws {
    guard condition.followsAssociations else { return try writeOperand(condition.rebased(onto: scope)) }
    let key = type.table.key
    write("(")
    try writeList(key) { try $0.write(.column(ColumnTerm(scope: scope, owner: type, index: $1))) }
    write(") IN (")
    var keys = SelectStatement(
      source: .table(type), columns: key.map { .column(ColumnTerm(scope: .root, owner: type, index: $0)) })
    keys.condition = condition
    try write(keys)
    write(")")
  }
}

extension [Association] {
  /// The sort key of joins of equal depth: names, because hashes differ from run to run. Joins that differ only in a
  /// condition stay in the order in which the query uses them.
  fileprivate var joinName: [String] {
    map { "\($0.destination.table.name) \($0.columns.map(\.origin))" }
  }
}
