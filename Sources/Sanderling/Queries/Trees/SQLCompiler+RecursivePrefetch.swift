/// Writes the prefetch of recursive associations.
extension SQLCompiler {
  /// Returns the SELECT of the rows that a recursive association finds for any of several keys. Each row begins with
  /// the key.
  ///
  /// A row below several of the keys is returned once for each. UNION drops repeated pairs, which ends cycles.
  static func recursivePrefetch(
    _ association: Association, _ recursion: Association.Recursion, _ keys: [[StorageValue]], _ query: SelectStatement,
    _ type: RecordType
  ) throws -> SQLStatement {
    let roots = association.columns.indices.map { "\(descendants).\"r\($0)\"" }.joined(separator: ", ")
    return try compile(on: type) { compiler in
      try compiler.writeDescendants(of: keys, association, recursion)
      if query.limit == nil {
        compiler.write("SELECT \(roots), ")
        try compiler.writeDescendants(query, association, selecting: query.columns)
        try compiler.writeOrder(query.writtenOrderings) { _ in nil }
      } else {
        try compiler.writeFirstDescendants(query, association, roots)
      }
    }
  }

  private static let keys = "sanderling_keys".quotedIdentifier
  private static let descendants = "sanderling_descendants".quotedIdentifier
  private static let chosen = "sanderling_chosen".quotedIdentifier

  /// Writes `WITH RECURSIVE`: pairs of a key and a row below it.
  private mutating func writeDescendants(
    of keys: [[StorageValue]], _ association: Association, _ recursion: Association.Recursion
  ) throws {
    let indices = association.columns.indices
    func list(_ prefix: String, of table: String = "") -> String {
      indices.map { "\(table)\"\(prefix)\($0)\"" }.joined(separator: ", ")
    }
    planJoins(level: 0, terms: recursion.step.map { [$0] } ?? [])
    write("WITH RECURSIVE ")
    try writeTable(ofKeys: keys, Self.keys)
    write(", \(Self.descendants)(\(list("r")), \(list("k"))) AS (SELECT \(list("k", of: "\(Self.keys)."))")
    write(", ")
    if recursion.includesSelf {
      write("\(list("k", of: "\(Self.keys).")) FROM \(Self.keys)")
    } else {
      try writeChildren(of: Self.keys, association, recursion)
    }
    write(" UNION SELECT \(list("r", of: "\(Self.descendants).")), ")
    try writeChildren(of: Self.descendants, association, recursion)
    write(") ")
  }

  /// Writes the keys of the rows directly below the rows in a table of keys, and FROM.
  private mutating func writeChildren(
    of table: String, _ association: Association, _ recursion: Association.Recursion
  ) throws {
    try writeList(association.columns) { compiler, pair in
      try compiler.write(.column(ColumnTerm(scope: .root, owner: association.destination, index: pair.origin)))
    }
    try writeFrom(table, association, \.destination)
    try writeConditions(recursion.step)
  }

  /// Writes FROM a table of keys and the records whose columns equal them.
  private mutating func writeFrom(
    _ table: String, _ association: Association, _ column: KeyPath<Association.ColumnPair, Int>
  ) throws {
    write(" FROM \(table) CROSS JOIN ")
    try writeTable(association.destination, level: 0)
    write(" ON ")
    try writeList(association.columns.enumerated(), separator: " AND ") { compiler, pair in
      let index = pair.element[keyPath: column]
      try compiler.write(.column(ColumnTerm(scope: .root, owner: association.destination, index: index)))
      compiler.write(" = \(table).\"k\(pair.offset)\"")
    }
    try writeJoins(level: 0)
  }

  /// Writes the selected terms of the query's descendants, FROM and WHERE.
  private mutating func writeDescendants(
    _ query: SelectStatement, _ association: Association, selecting columns: [Term], _ numbering: String? = nil
  ) throws {
    planJoins(level: 0, terms: columns + query.orderings.map(\.term) + [query.condition].compactMap { $0 })
    try writeList(columns) { try $0.write($1) }
    if let numbering {
      write(", row_number() OVER (PARTITION BY \(numbering)")
      try writeOrder(query.writtenOrderings) { _ in nil }
      write(") AS \"n\"")
    }
    try writeFrom(Self.descendants, association, \.origin)
    try writeConditions(query.condition)
  }

  /// Writes a SELECT of the first descendants of each key. The selected terms are evaluated only for these rows.
  private mutating func writeFirstDescendants(
    _ query: SelectStatement, _ association: Association, _ roots: String
  ) throws {
    try query.requireValidLimit()
    let count = association.columns.count
    let keys = association.columns.map {
      Term.column(ColumnTerm(scope: .root, owner: association.destination, index: $0.origin))
    }
    let outerRoots = (0..<count).map { "\(Self.chosen).\"r\($0)\"" }.joined(separator: ", ")
    let inner = frames
    planJoins(level: 0, terms: query.columns)
    let outer = frames
    write("SELECT \(outerRoots), ")
    try writeList(query.columns) { try $0.write($1) }
    frames = inner
    write(" FROM (SELECT ")
    for index in 0..<count { write("\(Self.descendants).\"r\(index)\" AS \"r\(index)\", ") }
    let aliased = keys.enumerated().map { Term.raw([.term($0.element), .sql(ExactText(" AS \"k\($0.offset)\""))]) }
    try writeDescendants(query, association, selecting: aliased, roots)
    write(") AS ")
    write(Self.chosen)
    frames = outer
    // CROSS JOIN keeps the order of the loops: the chosen keys first, then their rows.
    write(" CROSS JOIN ")
    try writeTable(association.destination, level: 0)
    write(" ON ")
    try writeList(keys.enumerated(), separator: " AND ") { compiler, key in
      try compiler.write(key.element)
      compiler.write(" = \(Self.chosen).\"k\(key.offset)\"")
    }
    try writeJoins(level: 0)
    let (last, overflows) = query.offset.addingReportingOverflow(query.limit ?? 0)
    write(" WHERE \(Self.chosen).\"n\" > \(query.offset) AND \(Self.chosen).\"n\" <= \(overflows ? .max : last)")
    write(" ORDER BY \(Self.chosen).\"n\"")
  }
}
