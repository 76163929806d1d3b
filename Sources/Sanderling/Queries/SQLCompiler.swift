/// An SQL text with the values of its parameters.
public struct SQLStatement: Hashable, Sendable, CustomStringConvertible {
  /// The SQL text, with `?` for each value.
  public let sql: String
  /// The values of the parameters, in order.
  public let arguments: [StorageValue]

  public var description: String {
    arguments.isEmpty ? sql : "\(sql) -- \(arguments.map(\.literal).joined(separator: ", "))"
  }
}

/// Writes terms and queries as SQL.
///
/// Each level of a query has a frame: the aliases of its table and of the tables of to-one associations. These tables
/// are LEFT JOINs on a key, and so never multiply rows. To-many associations are correlated subqueries.
package struct SQLCompiler {
  /// The tables of one level, by the paths of to-one associations that lead to them.
  struct Frame {
    /// The type of the level's own rows.
    let type: RecordType
    var aliases: [[Association]: String]
    /// The paths to join; parents come first.
    var joins: [[Association]] = []
  }

  private(set) var sql = ""
  private(set) var arguments: [StorageValue] = []
  var frames: [Frame] = []
  /// Whether the current query starts from a tree.
  var isOverTree = false
  /// Whether the statement reads few rows, which are found by their keys.
  var readsByKey = false
  /// Whether the compiler writes the definition of an index. Columns are then unqualified, and values are literals,
  /// since DDL has no parameters.
  let writesDefinition: Bool
  /// Terms that an inner query has computed, with the columns that contain them.
  var computed: [Term: String] = [:]
  /// Terms whose values the runner of the statement knows, with their numbers.
  private var knownTerms: [Term: Int] = [:]
  /// The arguments that the runner replaces by the values of known terms.
  private(set) var knownArguments: [(argument: Int, term: Int)] = []

  init(writesDefinition: Bool) {
    self.writesDefinition = writesDefinition
  }

  /// Returns the SELECT of a query.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` if the query makes no sense in SQL or contains a value that can't be
  ///   stored.
  package static func compile(_ statement: SelectStatement) throws -> SQLStatement {
    var compiler = SQLCompiler(writesDefinition: false)
    try compiler.write(statement)
    return compiler.result
  }

  /// Returns the SELECT of a query in which the known terms are parameters.
  ///
  /// - Returns: The statement, and the arguments with the numbers of the terms that they replace.
  static func compile(
    _ statement: SelectStatement, knowing terms: [Term]
  ) throws -> (statement: SQLStatement, known: [(argument: Int, term: Int)]) {
    var compiler = SQLCompiler(writesDefinition: false)
    for (number, term) in terms.enumerated() { compiler.knownTerms[term] = number }
    try compiler.write(statement)
    return (compiler.result, compiler.knownArguments)
  }

  /// Returns a SELECT of terms that read no table: they consist of known terms and constants.
  static func compile(
    _ terms: [Term], knowing known: [Term]
  ) throws -> (statement: SQLStatement, known: [(argument: Int, term: Int)]) {
    var compiler = SQLCompiler(writesDefinition: false)
    for (number, term) in known.enumerated() { compiler.knownTerms[term] = number }
    compiler.write("SELECT ")
    try compiler.writeList(terms) { try $0.write($1) }
    return (compiler.result, compiler.knownArguments)
  }

  /// Writes a known term as a parameter.
  ///
  /// - Returns: False for other terms.
  mutating func writeKnown(_ term: Term) -> Bool {
    guard !knownTerms.isEmpty, let number = knownTerms[term] else { return false }
    knownArguments.append((arguments.count, number))
    writeParameter(.null)
    return true
  }

  /// Returns a statement that `body` writes, with terms of one table under the table's own name.
  package static func compile(
    on table: RecordType, _ body: (inout SQLCompiler) throws -> Void
  ) throws -> SQLStatement {
    var compiler = SQLCompiler(writesDefinition: false)
    compiler.frames = [Frame(type: table, aliases: [[]: table.table.name])]
    try body(&compiler)
    return compiler.result
  }

  /// Returns a term in the form for DDL.
  package static func definition(of term: Term) throws -> String {
    var compiler = SQLCompiler(writesDefinition: true)
    try compiler.write(term)
    return compiler.sql
  }

  var result: SQLStatement { SQLStatement(sql: sql, arguments: arguments) }

  package mutating func write(_ text: String) {
    sql += text
  }

  /// Adds a statement that was compiled on its own.
  mutating func write(_ statement: SQLStatement) {
    sql += statement.sql
    arguments += statement.arguments
  }

  package mutating func writeParameter(_ value: StorageValue) {
    if writesDefinition {
      sql += value.literal
    } else {
      sql += "?"
      arguments.append(value)
    }
  }

  package mutating func writeList<Element>(
    _ elements: some Sequence<Element>, separator: String = ", ",
    _ body: (inout SQLCompiler, Element) throws -> Void
  ) rethrows {
    var isFirst = true
    for element in elements {
      if !isFirst { sql += separator }
      isFirst = false
      try body(&self, element)
    }
  }
}
