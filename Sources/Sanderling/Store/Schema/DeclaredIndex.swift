import SanderlingSQL

/// An index that a table must have.
struct DeclaredIndex: Hashable, Sendable {
  let name: String
  let table: String
  let isUnique: Bool
  /// The indexed columns and expressions, each with its collation and order.
  private let terms: [String]
  private let condition: String?
  /// The first column of the index, if the index contains all rows.
  let leadingColumn: FoldedName?
  /// Whether the store needs the index for a reference or a derived column, although the record doesn't declare it.
  let isAutomatic: Bool

  /// Compiles a declared index.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` for terms that no index can have.
  init(_ index: IndexDefinition, table: RecordTable) throws {
    if index.isUnique, index.parts.contains(where: \.term.readsFolds) {
      throw StoreError.invalidQuery(
        "folded texts can't be unique, since those that wait to be folded are equal: index the text itself")
    }
    self.table = table.name
    isAutomatic = false
    isUnique = index.isUnique
    terms = try index.parts.map { part in
      var sql = try SQLCompiler.definition(of: part.term)
      switch part.term {
      case .column, .function: break
      case _ where part.term.isFolded:
        // The collation is left out, because it is the column's.
        sql = try part.term.operands.first.map(SQLCompiler.definition) ?? sql
      default: sql = "(\(sql))"
      }
      if let collation = part.collation { sql += " COLLATE \(collation.rawValue)" }
      return part.isDescending ? sql + " DESC" : sql
    }
    condition = try index.condition.map { try SQLCompiler.definition(of: $0.asCondition) }
    name = index.name ?? Self.name(of: index, table: table.name, terms: terms, condition: condition)
    if let first = index.parts.first, case .column(let column) = first.term, index.condition == nil,
      first.collation ?? column.definition.collation == column.definition.collation
    {
      leadingColumn = column.definition.name.folded
    } else if let first = index.parts.first, let column = first.term.foldedColumn, index.condition == nil,
      first.collation ?? .binary == .binary
    {
      leadingColumn = FoldedColumn.name(of: column.definition).folded
    } else {
      leadingColumn = nil
    }
  }

  /// Creates the index that finds the rows that refer to a row, or the rows with a value of a derived column.
  init(findingRowsBy column: String, table: String) {
    name = "\(table)_on_\(column)"
    self.table = table
    isAutomatic = true
    isUnique = false
    terms = [column.quotedIdentifier]
    condition = nil
    leadingColumn = column.folded
  }

  /// A name that describes the index. A hash stands for expressions and conditions, which are too long for a name.
  private static func name(of index: IndexDefinition, table: String, terms: [String], condition: String?) -> String {
    var parts = index.parts.map { part in
      let indexed =
        if case .column(let column) = part.term { column.definition.name } else {
          part.term.foldedColumn.map { FoldedColumn.name(of: $0.definition) }
        }
      guard let indexed else { return "expression" }
      let collation = part.collation.map { "_" + $0.rawValue.lowercased() } ?? ""
      return indexed + collation + (part.isDescending ? "_desc" : "")
    }
    if condition != nil { parts.append("where") }
    let isPlain = condition == nil && !parts.contains("expression")
    if !isPlain { parts.append(String(StableHash.hexadecimal(of: terms + [condition ?? ""]).suffix(8))) }
    return "\(table)_on_" + parts.joined(separator: "_")
  }

  /// The statement that creates the index.
  var sql: String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quotedIdentifier) ON \(table.quotedIdentifier) "
      + "(\(terms.joined(separator: ", ")))" + (condition.map { " WHERE \($0)" } ?? "")
  }
}
