/// A change of indexes as code for each library and for SQL.
struct IndexMigration {
  let create: [(index: IndexCandidate, name: String)]
  let drop: [IndexSchema]
  let statistics: Statistics

  enum Statistics {
    /// ANALYZE has run before, so these new indexes need statistics, too.
    case of(Set<String>)
    /// The plans depend on new statistics of all indexes.
    case ofAll
  }

  var isEmpty: Bool { create.isEmpty && drop.isEmpty && analyzing.isEmpty }

  var sql: [String] {
    drop.map { "DROP INDEX \($0.name.quotedIdentifier)" }
      + create.map { $0.index.creation(named: $0.name) } + analyzing
  }

  private var analyzing: [String] {
    switch statistics {
    case .of(let names): create.filter { names.contains($0.name) }.map { "ANALYZE \($0.name.quotedIdentifier)" }
    case .ofAll: ["ANALYZE"]
    }
  }

  var grdb: String {
    guard !isEmpty else { return "" }
    let lines =
      drop.map { "try db.drop(index: \(IndexFixText.literal($0.name)))" }
      + create.map { IndexFixText(index: $0.index, name: $0.name).grdb }
      + analyzing.map { "try db.execute(sql: \(IndexFixText.literal($0)))" }
    let name = create.isEmpty ? "Drop indexes that nothing needs" : "Index columns that are read often"
    // An index breaks no foreign key. The check of all rows after a migration takes time, and fails if an existing row
    // breaks a foreign key.
    return "migrator.registerMigration(\(IndexFixText.literal(name)), foreignKeyChecks: .immediate) { db in\n"
      + lines.map { "  \($0)\n" }.joined() + "}"
  }

  /// The declarations for the records. A store then changes the indexes of its tables to match.
  var sanderling: String {
    guard !isEmpty else { return "" }
    var lines: [String] = []
    let tables = create.map(\.index.table).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    for table in tables {
      lines.append("// In the record of the table \(table):")
      let indexes = create.filter { $0.index.table == table }
      if indexes.allSatisfy(\.index.isPlain) {
        let parts = indexes.map {
          ".on(\($0.index.keys.compactMap(\.column).map(IndexFixText.keyPath).joined(separator: ", ")))"
        }
        lines.append("@Record(indexes: [\(parts.joined(separator: ", "))])")
      } else {
        lines.append("static let indexes: [Index<\(IndexFixText.typeName(of: table))>] = [")
        lines += indexes.map { "  \(IndexFixText(index: $0.index, name: $0.name).declaration)," }
        lines.append("]")
      }
    }
    for index in drop {
      lines.append("// Remove the declaration of \(index.name) from the record of the table \(index.table).")
    }
    return lines.joined(separator: "\n")
  }
}

extension IndexCandidate {
  /// Whether the index has only columns in ascending order with their own collations, and all rows.
  var isPlain: Bool {
    condition == nil && keys.allSatisfy { $0.column != nil && $0.collation == nil && !$0.isDescending }
  }
}
