/// Writes trees: a recursive common table expression that finds the rows in order, then their records.
extension SQLCompiler {
  private static let walk = "sanderling_walk".quotedIdentifier
  private static let tree = "sanderling_tree".quotedIdentifier

  /// Writes the FROM of a query that starts from a walk, with the columns of the walk that it reads.
  ///
  /// SQLite takes the rows of the expression from a queue. An ORDER BY in the recursive SELECT determines the next row
  /// (https://sqlite.org/lang_with.html, "Queries Against A Graph"). It sorts by the greatest depth, then by the order
  /// of siblings. So the next row is a child of the last row, if there is any: other rows in the queue are less deep,
  /// except for siblings of that child. Hence the rows come depth first.
  ///
  /// Without a LIMIT, SQLite would drop this ORDER BY where a join reads the expression, as in any subquery. The join
  /// with the records keeps the order, since CROSS JOIN makes the walk its outer loop.
  ///
  /// - Parameter isOrdered: Whether the rows must come in the order of the walk, or be numbered in it.
  mutating func writeFrom(_ tree: TreeWalk, reading columns: Set<TreeColumn>, isOrdered: Bool) throws {
    guard !tree.association.columns.isEmpty else {
      throw StoreError.invalidQuery(
        "a tree needs records that store the key of their parent: declare the association by that column")
    }
    let hasPath = columns.contains(.path) || !tree.hasSingleParents
    write(" FROM (")
    try writeWalk(tree, isOrdered: isOrdered, hasPath: hasPath)
    write("SELECT \(names("k", tree.type.table.key)), \"depth\"")
    if columns.contains(.path) { write(", \"path\"") }
    if columns.contains(.position) { write(", row_number() OVER () AS \"position\"") }
    write(" FROM \(Self.walk)")
    // The start itself is no ancestor.
    if case .ancestors = tree.start { write(" WHERE \"depth\" > 0") }
    write(") AS \(Self.tree) CROSS JOIN ")
    try writeTable(tree.type, level: 0)
    write(" ON ")
    try writeList(tree.type.table.key.enumerated(), separator: " AND ") { compiler, key in
      try compiler.write(tree.column(key.element))
      compiler.write(" = \(Self.tree).\"k\(key.offset)\"")
    }
    try writeJoins(level: 0)
  }

  /// Writes a column of the walk, such as the depth of a row.
  mutating func write(_ column: TreeColumn) throws {
    guard isOverTree else {
      throw StoreError.invalidQuery(
        "the \(column.rawValue) in a tree needs a query that starts with the tree or the ancestors of an association"
      )
    }
    write("\(Self.tree).\"\(column.rawValue)\"")
  }

  private mutating func writeWalk(_ tree: TreeWalk, isOrdered: Bool, hasPath: Bool) throws {
    let outer = frames
    defer { frames = outer }
    frames = [Frame(type: tree.type, aliases: [[]: tree.type.table.name])]
    planJoins(level: 0, terms: tree.terms)
    let key = tree.type.table.key
    let goesUp = if case .ancestors = tree.start { true } else { false }
    let siblings = isOrdered && !goesUp ? tree.siblings : []

    write("WITH RECURSIVE \(Self.walk)(\(names("k", key)), \"depth\"")
    if hasPath { write(", \"path\"") }
    if goesUp { write(", \(names("p", tree.association.columns))") }
    if !siblings.isEmpty { write(", \(names("s", siblings))") }
    write(") AS (")
    for isStart in [true, false] {
      write(isStart ? "SELECT " : " UNION ALL SELECT ")
      try writeList(key) { try $0.write(tree.column($1)) }
      write(isStart ? ", 0" : ", \(Self.walk).\"depth\" + 1")
      if hasPath {
        write(isStart ? ", " : ", \(Self.walk).\"path\" || '/' || ")
        writeKeyInPath(of: tree)
      }
      if goesUp { try writeParent(of: tree) }
      for ordering in siblings {
        write(", ")
        try write(ordering.term)
      }
      if isStart {
        try writeStart(of: tree)
      } else {
        try writeStep(of: tree, goesUp: goesUp)
      }
    }
    if isOrdered {
      let first = 3 + (hasPath ? 1 : 0) + key.count - 1
      write(" ORDER BY \(key.count + 1)\(goesUp ? "" : " DESC")")
      for (index, ordering) in siblings.enumerated() { write(", \(first + index)\(ordering.direction)") }
      let ties = siblings.tieBreakers(key.map(tree.column))
      for (index, ordering) in ties.enumerated() { write(", \(index + 1)\(ordering.direction)") }
      write(" LIMIT -1")
    }
    write(") ")
  }

  private mutating func writeStart(of tree: TreeWalk) throws {
    write(" FROM ")
    try writeTable(tree.type, level: 0)
    try writeJoins(level: 0)
    write(" WHERE ")
    switch tree.start {
    case .descendants(let start), .ancestors(let start):
      try writeList(zip(tree.type.table.key, start), separator: " AND ") { compiler, key in
        try compiler.write(.binary(.equal, tree.column(key.0), key.1))
      }
    case .roots:
      try writeIsRoot(of: tree)
      if let condition = tree.association.condition {
        write(" AND ")
        try writeOperand(condition)
      }
    }
  }

  private mutating func writeIsRoot(of tree: TreeWalk) throws {
    guard !tree.hasReferencedParents else {
      return try write(.unary(.isNull, tree.column(tree.association.columns[0].destination)))
    }
    let own = frames
    defer { frames = own }
    frames.append(Frame(type: tree.type, aliases: [[]: unusedAlias(tree.type.table.name, in: frames)]))
    write("NOT EXISTS (SELECT 1 FROM ")
    try writeTable(tree.type, level: 1)
    write(" WHERE ")
    try writeColumnPairs(tree.association, from: _Scope(level: 1), to: .root)
    write(")")
  }

  private mutating func writeStep(of tree: TreeWalk, goesUp: Bool) throws {
    write(" FROM \(Self.walk) CROSS JOIN ")
    try writeTable(tree.type, level: 0)
    write(" ON ")
    try writeList(tree.association.columns.enumerated(), separator: " AND ") { compiler, pair in
      if goesUp {
        compiler.write("\(Self.walk).\"p\(pair.offset)\" = ")
        try compiler.write(tree.column(pair.element.origin))
      } else {
        try compiler.write(tree.column(pair.element.destination))
        compiler.write(" = \(Self.walk).\"k\(tree.keyPosition(of: pair.element))\"")
      }
    }
    try writeJoins(level: 0)
    var separator = " WHERE "
    func separate(_ compiler: inout SQLCompiler) {
      compiler.write(separator)
      separator = " AND "
    }
    if let depth = tree.maximumDepth {
      guard depth >= 0 else {
        throw StoreError.invalidQuery(
          "its tree has a maximum depth of \(depth): pass a depth from 0 on, or nil for all levels")
      }
      separate(&self)
      write("\(Self.walk).\"depth\" < \(depth)")
    }
    if !goesUp, let condition = tree.association.condition {
      separate(&self)
      try writeOperand(condition)
    }
    if !tree.hasSingleParents {
      separate(&self)
      write("instr('/' || \(Self.walk).\"path\" || '/', '/' || ")
      writeKeyInPath(of: tree)
      write(" || '/') = 0")
    } else if case .descendants(let start) = tree.start {
      separate(&self)
      let others = zip(tree.type.table.key, start).map { Term.binary(.isNot, tree.column($0), $1) }
      if let isOther = Term.any(others) { try writeOperand(isOther) }
    }
  }

  private mutating func writeKeyInPath(of tree: TreeWalk) {
    let table = tree.type.table
    writeList(table.keyColumns, separator: " || ',' || ") { compiler, column in
      compiler.write(column.type.sqlInPath("\(table.name.quotedIdentifier).\(column.name.quotedIdentifier)"))
    }
  }

  /// Writes the key of a row's parent; NULL for a row that doesn't satisfy the association's condition.
  private mutating func writeParent(of tree: TreeWalk) throws {
    for pair in tree.association.columns {
      write(", ")
      let parent = tree.column(pair.destination)
      try write(tree.association.condition.map { .function(.when, [$0, parent]) } ?? parent)
    }
  }

  private func names(_ prefix: String, _ elements: some Collection) -> String {
    (0..<elements.count).map { "\"\(prefix)\($0)\"" }.joined(separator: ", ")
  }
}

extension TreeWalk {
  fileprivate func column(_ index: Int) -> Term {
    .column(ColumnTerm(scope: .root, owner: type, index: index))
  }

  /// The position in the key of the column to which a child's column refers.
  fileprivate func keyPosition(of pair: Association.ColumnPair) -> Int {
    type.table.key.firstIndex(of: pair.origin) ?? 0
  }
}
