/// An SQL text with the values of its parameters.
public struct SQLStatement: Hashable, Sendable, CustomStringConvertible {
  /// The SQL text, with `?` for each value.
  public let sql: String
  /// The values of the parameters, in their order.
  public let arguments: [StorageValue]

  public var description: String {
    arguments.isEmpty ? sql : "\(sql) -- \(arguments.map(\.literal).joined(separator: ", "))"
  }
}

/// Writes terms and queries as SQL.
///
/// Each level of a query has a frame: the aliases of its table and of the tables that to-one associations reach, which
/// are LEFT JOINs on a key and so never multiply rows. To-many associations appear as correlated subqueries only.
package struct SQLCompiler {
  /// The tables of one level, by the path of to-one associations that leads to them.
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
  /// Whether the query at hand starts from a walk.
  var isOverTree = false
  /// Whether the statement is about few rows, which are found by their keys.
  var readsByKey = false
  /// In definitions of indexes: columns stand alone, and values are written out since DDL has no parameters.
  let writesDefinition: Bool
  /// Terms that an inner query has computed, by the column that holds them.
  var computed: [Term: String] = [:]
  /// Terms whose values the runner of the statement knows, by number.
  private var knownTerms: [Term: Int] = [:]
  /// The arguments that are replaced by the values of known terms.
  private(set) var knownArguments: [(argument: Int, term: Int)] = []

  init(writesDefinition: Bool) {
    self.writesDefinition = writesDefinition
  }

  /// The SELECT of a query.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` when the query makes no sense in SQL or holds a value that can't be stored.
  package static func compile(_ statement: SelectStatement) throws -> SQLStatement {
    var compiler = SQLCompiler(writesDefinition: false)
    try compiler.write(statement)
    return compiler.result
  }

  /// The SELECT of a query in which some terms are parameters.
  ///
  /// - Returns: The statement, and the arguments with the terms that they replace.
  static func compile(
    _ statement: SelectStatement, knowing terms: [Term]
  ) throws -> (statement: SQLStatement, known: [(argument: Int, term: Int)]) {
    var compiler = SQLCompiler(writesDefinition: false)
    for (number, term) in terms.enumerated() { compiler.knownTerms[term] = number }
    try compiler.write(statement)
    return (compiler.result, compiler.knownArguments)
  }

  /// A SELECT of terms that read no table: they are made of known terms and constants.
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
  /// - Returns: False for any other term.
  mutating func writeKnown(_ term: Term) -> Bool {
    guard !knownTerms.isEmpty, let number = knownTerms[term] else { return false }
    knownArguments.append((arguments.count, number))
    writeParameter(.null)
    return true
  }

  /// A statement around terms of one table, which is called by its own name: `body` writes it.
  package static func compile(
    on table: RecordType, _ body: (inout SQLCompiler) throws -> Void
  ) throws -> SQLStatement {
    var compiler = SQLCompiler(writesDefinition: false)
    compiler.frames = [Frame(type: table, aliases: [[]: table.table.name])]
    try body(&compiler)
    return compiler.result
  }

  /// A term as DDL spells it.
  package static func definition(of term: Term) throws -> String {
    var compiler = SQLCompiler(writesDefinition: true)
    try compiler.write(term)
    return compiler.sql
  }

  var result: SQLStatement { SQLStatement(sql: sql, arguments: arguments) }

  package mutating func write(_ text: String) {
    sql += text
  }

  /// A statement that was compiled on its own.
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
