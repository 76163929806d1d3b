extension SQLCompiler {
  /// Returns the SELECT of the rows that an association finds for any of several keys. Each row begins with the columns
  /// that match the key.
  ///
  /// Without a limit, the rows are found by membership. A limit applies to each key, so that each key has its own
  /// subquery. It stops at the limit, and visits only rows that it returns. Associations through others use such
  /// subqueries too, since several keys may lead to the same row.
  static func prefetch(
    _ association: Association, keys: [[StorageValue]], _ query: SelectStatement
  ) throws -> SQLStatement {
    guard case .table(let type) = query.source, !query.isGrouped, !query.isDistinct else {
      throw StoreError.invalidQuery(
        "a prefetch reads rows of a table: leave out distinct(), group(by:) and other sources")
    }
    var query = query
    if let condition = association.condition { query.add(condition: condition) }
    if let recursion = association.recursion {
      return try recursivePrefetch(association, recursion, keys, query, type)
    }
    guard query.limit == nil, association.way.isEmpty else { return try prefetchEach(association, keys, query, type) }
    let matching = association.columns.map { Term.column(ColumnTerm(scope: .root, owner: type, index: $0.destination)) }
    query.columns = matching + query.columns
    query.add(condition: try membership(of: matching, in: keys))
    return try compile(query)
  }

  private static func membership(of columns: [Term], in keys: [[StorageValue]]) throws -> Term {
    if columns.count == 1 { return .membership(columns[0], Members(keys.map { $0[0] })) }
    var fragments: [RawFragment] = [.sql("(")]
    for (index, column) in columns.enumerated() {
      fragments += [.sql(index == 0 ? "" : ", "), .term(column)]
    }
    return .raw(fragments + [.sql(") IN (")] + rows(of: keys) + [.sql(")")])
  }

  private static func prefetchEach(
    _ association: Association, _ keys: [[StorageValue]], _ query: SelectStatement, _ type: RecordType
  ) throws -> SQLStatement {
    let table = "sanderling_keys".quotedIdentifier
    let columns = association.firstColumns.indices.map { "\"k\($0)\"" }
    let names = columns.map { "\(table).\($0)" }
    var chosen = query
    chosen.columns = type.table.key.map { .column(ColumnTerm(scope: .root, owner: type, index: $0)) }
    chosen.condition = association.match(.root, names.map { .raw([.sql(ExactText($0))]) })
    if let condition = query.condition { chosen.add(condition: condition) }
    let inner = try compile(chosen)

    return try compile(on: type) { compiler in
      compiler.planJoins(level: 0, terms: query.orderings.map(\.term))
      compiler.write("WITH ")
      try compiler.writeTable(ofKeys: keys, table)
      compiler.write(" SELECT \(names.joined(separator: ", "))")
      for column in query.columns {
        compiler.write(", ")
        try compiler.write(column)
      }
      compiler.write(" FROM \(table) CROSS JOIN ")
      try compiler.writeTable(type, level: 0)
      compiler.write(" ON (")
      try compiler.writeList(chosen.columns) { try $0.write($1) }
      compiler.write(") IN (")
      compiler.write(inner)
      compiler.write(")")
      try compiler.writeJoins(level: 0)
      try compiler.writeOrder(query.writtenOrderings) { _ in nil }
    }
  }

  /// Writes keys as a table of a WITH clause, with the columns k0, k1 and so on.
  mutating func writeTable(ofKeys keys: [[StorageValue]], _ name: String) throws {
    write("\(name)(\(keys[0].indices.map { "\"k\($0)\"" }.joined(separator: ", "))) AS (")
    if keys[0].count == 1 {
      writeTable(of: Members(keys.map { $0[0] }))
    } else {
      try write(.raw(Self.rows(of: keys)))
    }
    write(")")
  }

  /// Keys of several columns as rows. The keys must not be empty.
  private static func rows(of keys: [[StorageValue]]) -> [RawFragment] {
    var fragments: [RawFragment] = [.sql("VALUES ")]
    for (row, key) in keys.enumerated() {
      for (column, value) in key.enumerated() {
        fragments += [.sql(column > 0 ? ", " : row > 0 ? "), (" : "("), .value(value)]
      }
    }
    return fragments + [.sql(")")]
  }
}
