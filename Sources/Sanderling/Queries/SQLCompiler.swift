/// An SQL text with the values of its parameters.
public struct SQLStatement: Hashable, Sendable, CustomStringConvertible {
  public let sql: String
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
    var aliases: [[Association]: String]
    /// The paths to join, parents before what they lead to.
    var joins: [[Association]] = []
  }

  private(set) var sql = ""
  private(set) var arguments: [StorageValue] = []
  private var frames: [Frame] = []
  /// In definitions of indexes: columns stand alone, and values are written out since DDL has no parameters.
  private let writesDefinition: Bool
  /// Terms that an inner query has computed, by the column that holds them.
  private var computed: [Term: String] = [:]

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

  /// A statement around terms of one table, which is called by its own name: `body` writes it.
  package static func compile(
    on table: RecordType, _ body: (inout SQLCompiler) throws -> Void
  ) throws -> SQLStatement {
    var compiler = SQLCompiler(writesDefinition: false)
    compiler.frames = [Frame(aliases: [[]: table.table.name])]
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

// MARK: - Queries

extension SQLCompiler {
  package mutating func write(_ statement: SelectStatement) throws {
    if statement.groupCondition != nil && statement.groups.isEmpty {
      throw StoreError.invalidQuery("having { } needs a group(by:): there are no groups to choose from")
    }
    if let misplaced = statement.condition, misplaced.containsSummary {
      throw StoreError.invalidQuery(
        "an aggregate over the query's own rows stands in where { }: use having { } after group(by:)")
    }
    let enclosing = frames
    let enclosingComputed = computed
    defer {
      frames = enclosing
      computed = enclosingComputed
    }
    // A query inside another is complete in itself: its level 0 is its own table.
    frames = []
    computed = [:]
    if choosesKeysFirst(statement) {
      try writeKeysFirst(statement, statement.source.type)
    } else {
      try writeDirect(statement, avoiding: enclosing)
    }
  }

  /// Whether rows that are not returned would have their subqueries evaluated.
  ///
  /// SQLite evaluates the select list before it sorts and before it skips an offset: 46 ms instead of 4 for 1,000 rows.
  private func choosesKeysFirst(_ statement: SelectStatement) -> Bool {
    guard case .table = statement.source else { return false }
    return statement.limit != nil && !(statement.orderings.isEmpty && statement.offset == 0)
      && !statement.isDistinct && !statement.isGrouped && statement.columns.contains(where: \.containsAggregate)
  }

  private mutating func writeDirect(_ statement: SelectStatement, avoiding enclosing: [Frame]) throws {
    let type = statement.source.type
    let terms = statement.columns + [statement.condition, statement.groupCondition].compactMap { $0 }
      + statement.groups + statement.orderings.map(\.term)
    frames = [Frame(aliases: [[]: unusedAlias(type.table.name, in: enclosing)])]
    planJoins(level: 0, terms: terms, avoiding: enclosing)
    sql += statement.isDistinct ? "SELECT DISTINCT " : "SELECT "
    try writeList(statement.columns) { try $0.write($1) }
    if case .raw(let fragments, _) = statement.source {
      sql += " FROM ("
      try write(.raw(fragments))
      sql += ") AS \(frames[0].aliases[[], default: type.table.name].quotedIdentifier)"
      try writeJoins(level: 0)
    } else {
      try writeFrom(type, level: 0)
    }
    try writeConditions(statement.condition.map { [$0] } ?? [])
    if !statement.groups.isEmpty {
      sql += " GROUP BY "
      try writeList(statement.groups) { try $0.write($1) }
    }
    if let condition = statement.groupCondition {
      sql += " HAVING "
      try write(condition)
    }
    try writeOrder(statement.orderings) { term in
      // A number stands for the column that was evaluated already; SQLite doesn't see that two subqueries are one.
      term.containsAggregate ? statement.columns.firstIndex(of: term).map { "\($0 + 1)" } : nil
    }
    writeLimit(statement)
  }

  /// Chooses the keys of the rows that are returned, then evaluates the select list for them.
  private mutating func writeKeysFirst(_ statement: SelectStatement, _ type: RecordType) throws {
    let key = type.table.key
    let keyColumns = key.map { Term.column(ColumnTerm(scope: .root, owner: type, index: $0)) }
    let table = type.table.name
    frames = [Frame(aliases: [[]: table])]
    var chosen = SelectStatement(source: statement.source, columns: keyColumns + statement.orderings.map(\.term))
    chosen.condition = statement.condition
    chosen.orderings = statement.orderings
    chosen.limit = statement.limit
    chosen.offset = statement.offset
    let alias = unusedAlias("chosen", in: frames)

    // The select list comes first in the text, so the names of the inner columns are settled before they are written.
    for (index, ordering) in statement.orderings.enumerated() where ordering.term.containsAggregate {
      computed[ordering.term] = "\(alias.quotedIdentifier).\"o\(index)\""
    }
    planJoins(level: 0, terms: statement.columns.filter { computed[$0] == nil })
    sql += "SELECT "
    try writeList(statement.columns) { try $0.write($1) }
    sql += " FROM (SELECT "
    let outerFrames = frames
    let outerComputed = computed
    computed = [:]
    planJoins(level: 0, terms: chosen.columns + (chosen.condition.map { [$0] } ?? []))
    try writeList(key.enumerated()) { compiler, key in
      try compiler.write(keyColumns[key.offset])
      compiler.sql += " AS \"k\(key.offset)\""
    }
    for (index, ordering) in statement.orderings.enumerated() {
      sql += ", "
      try write(ordering.term)
      sql += " AS \"o\(index)\""
    }
    try writeFrom(type, level: 0)
    try writeConditions(chosen.condition.map { [$0] } ?? [])
    try writeOrder(chosen.orderings) { term in
      chosen.orderings.firstIndex { $0.term == term }.flatMap { term.containsAggregate ? "\(key.count + $0 + 1)" : nil }
    }
    writeLimit(chosen)
    frames = outerFrames
    computed = outerComputed

    // CROSS JOIN keeps the order of the loops: the chosen keys first, then their rows.
    sql += ") AS \(alias.quotedIdentifier) CROSS JOIN \(table.quotedIdentifier) ON "
    try writeList(key.enumerated(), separator: " AND ") { compiler, key in
      try compiler.write(keyColumns[key.offset])
      compiler.sql += " = \(alias.quotedIdentifier).\"k\(key.offset)\""
    }
    try writeJoins(level: 0)
    var index = -1
    try writeOrder(statement.orderings) { term in
      index += 1
      let collation = term.collation
      return "\(alias.quotedIdentifier).\"o\(index)\"" + (collation == .binary ? "" : " COLLATE \(collation.rawValue)")
    }
  }

  private mutating func writeConditions(_ conditions: [Term]) throws {
    guard !conditions.isEmpty else { return }
    sql += " WHERE "
    try writeList(conditions.flatMap(\.conjuncts), separator: " AND ") { try $0.writeOperand($1.asCondition) }
  }

  /// - Parameter substitute: What to write in place of a term, or nil for the term itself.
  mutating func writeOrder(_ orderings: [Ordering], _ substitute: (Term) -> String?) throws {
    guard !orderings.isEmpty else { return }
    sql += " ORDER BY "
    try writeList(orderings) { compiler, ordering in
      if let text = substitute(ordering.term) {
        compiler.sql += text
      } else {
        try compiler.write(ordering.term)
      }
      if ordering.isDescending { compiler.sql += " DESC" }
      // SQLite's own order needs no word, and without one an index on an older SQLite serves it too.
      switch ordering.nulls {
      case .first where ordering.isDescending: compiler.sql += " NULLS FIRST"
      case .last where !ordering.isDescending: compiler.sql += " NULLS LAST"
      default: break
      }
    }
  }

  /// The limit is written out, so that the planner weighs it; the offset is a parameter, so that pages share a statement.
  private mutating func writeLimit(_ statement: SelectStatement) {
    guard let limit = statement.limit else { return }
    sql += " LIMIT \(limit)"
    if statement.offset > 0 {
      sql += " OFFSET "
      writeParameter(.integer(Int64(statement.offset)))
    }
  }
}

// MARK: - Tables

extension SQLCompiler {
  private func unusedAlias(_ name: String, in frames: [Frame]) -> String {
    let used = Set(frames.flatMap(\.aliases.values).map { $0.lowercased() })
    var alias = name
    var number = 2
    while used.contains(alias.lowercased()) {
      alias = "\(name)\(number)"
      number += 1
    }
    return alias
  }

  mutating func writeFrom(_ type: RecordType, level: Int) throws {
    sql += " FROM "
    try writeTable(type, level: level)
    try writeJoins(level: level)
  }

  mutating func writeTable(_ type: RecordType, level: Int) throws {
    guard let alias = frames[level].aliases[[]] else { preconditionFailure("a frame has an alias for its own table") }
    sql += type.table.name.quotedIdentifier
    if alias != type.table.name { sql += " AS \(alias.quotedIdentifier)" }
  }

  /// Gives aliases to the tables that to-one associations in the terms lead to, in place of any given before.
  mutating func planJoins(level: Int, terms: [Term], avoiding enclosing: [Frame] = []) {
    var paths: Set<[Association]> = []
    for term in terms {
      term.forEachScope { scope in
        guard scope.level == level else { return }
        for length in scope.path.indices { paths.insert(Array(scope.path[...length])) }
      }
    }
    // Parents before what they lead to; otherwise in an order that depends on the query alone.
    frames[level].joins = paths.sorted { lhs, rhs in
      lhs.count == rhs.count ? lhs.joinName.lexicographicallyPrecedes(rhs.joinName) : lhs.count < rhs.count
    }
    frames[level].aliases = frames[level].aliases.filter { $0.key.isEmpty }
    for path in frames[level].joins {
      guard let association = path.last else { continue }
      frames[level].aliases[path] = unusedAlias(association.destination.table.name, in: enclosing + frames)
    }
  }

  /// Joins the tables that to-one associations lead to, each on its key.
  mutating func writeJoins(level: Int) throws {
    for path in frames[level].joins {
      guard let association = path.last, let alias = frames[level].aliases[path] else { continue }
      let table = association.destination.table
      sql += " LEFT JOIN \(table.name.quotedIdentifier)"
      if alias != table.name { sql += " AS \(alias.quotedIdentifier)" }
      sql += " ON "
      let origin = Scope(level: level, path: Array(path.dropLast()))
      let destination = Scope(level: level, path: path)
      try writeColumnPairs(association, from: origin, to: destination)
      if let condition = association.condition {
        sql += " AND "
        try writeJoinCondition(condition, association.destination, destination)
      }
    }
  }

  mutating func writeColumnPairs(_ association: Association, from origin: Scope, to destination: Scope) throws {
    try writeList(association.columns, separator: " AND ") { compiler, pair in
      try compiler.write(.column(ColumnTerm(scope: destination, owner: association.destination, index: pair.destination)))
      compiler.sql += " = "
      try compiler.write(.column(ColumnTerm(scope: origin, owner: association.origin, index: pair.origin)))
    }
  }

  /// A condition of a to-one association. One that follows further associations can't stand in an ON clause, where their
  /// tables are not joined yet, so it selects keys on its own.
  private mutating func writeJoinCondition(_ condition: Term, _ type: RecordType, _ scope: Scope) throws {
    var followsAssociations = false
    condition.forEachScope { followsAssociations = followsAssociations || ($0.level == 0 && !$0.path.isEmpty) }
    guard followsAssociations else { return try writeOperand(condition.rebased(onto: scope)) }
    let key = type.table.key
    sql += "("
    try writeList(key) { try $0.write(.column(ColumnTerm(scope: scope, owner: type, index: $1))) }
    sql += ") IN ("
    var keys = SelectStatement(
      source: .table(type), columns: key.map { .column(ColumnTerm(scope: .root, owner: type, index: $0)) })
    keys.condition = condition
    try write(keys)
    sql += ")"
  }
}

// MARK: - Terms

extension SQLCompiler {
  package mutating func write(_ term: Term) throws {
    if let column = computed[term] {
      sql += column
      return
    }
    switch term {
    case .column(let column): try write(column)
    case .constant(let value): writeParameter(value)
    case .literal(let value): sql += value.literal
    case .invalid(let reason): throw StoreError.invalidQuery(reason)
    case .unary(let op, let operand): try write(op, operand)
    case .binary(let op, let lhs, let rhs):
      let isLogical = op == .and || op == .or
      try writeOperand(isLogical ? lhs.asCondition : lhs)
      sql += " \(op.rawValue) "
      try writeOperand(isLogical ? rhs.asCondition : rhs)
    case .membership(let operand, let members):
      try writeOperand(operand)
      write(members)
    case .subquery(let operand, let subquery):
      try writeOperand(operand)
      sql += " IN ("
      try write(subquery.statement)
      sql += ")"
    case .prefix(let operand, let prefix): try write(prefix: prefix, of: operand)
    case .function(let function, let arguments):
      sql += function.rawValue + "("
      try writeList(arguments) { try $0.write($1) }
      sql += ")"
    case .collate(let operand, let collation):
      try writeOperand(operand)
      sql += " COLLATE \(collation.rawValue)"
    case .aggregate(let aggregate): try write(aggregate)
    case .summary(let function, let argument): try write(function, argument)
    case .raw(let fragments): try write(fragments)
    }
  }

  /// A term in parentheses where it needs them.
  mutating func writeOperand(_ term: Term) throws {
    let isAtom =
      switch term {
      case .column, .constant, .literal, .invalid, .function, .aggregate, .summary: true
      default: computed[term] != nil
      }
    if !isAtom { sql += "(" }
    try write(term)
    if !isAtom { sql += ")" }
  }

  private mutating func write(_ column: ColumnTerm) throws {
    let name = column.definition.name.quotedIdentifier
    if writesDefinition {
      guard column.scope == .root else {
        throw StoreError.invalidQuery("an index can only use columns of its own table, not associations")
      }
      sql += name
      return
    }
    guard frames.indices.contains(column.scope.level),
      let alias = frames[column.scope.level].aliases[column.scope.path]
    else {
      throw StoreError.invalidQuery(
        "column \(name) of \(column.owner.type) is used outside of the query that its closure belongs to")
    }
    sql += "\(alias.quotedIdentifier).\(name)"
  }

  private mutating func write(_ op: UnaryOperator, _ operand: Term) throws {
    switch op {
    case .not:
      sql += "NOT "
      try writeOperand(operand.asCondition)
    case .negate:
      sql += "- "
      try writeOperand(operand)
    case .isNull, .isNotNull:
      try writeOperand(operand)
      sql += " \(op.rawValue)"
    }
  }

  private mutating func write(prefix: String, of operand: Term) throws {
    let binary: Term = operand.collation == .binary ? operand : .collate(operand, .binary)
    try writeOperand(binary)
    sql += " >= "
    writeParameter(.text(prefix))
    if let successor = prefix.prefixSuccessor {
      sql += " AND "
      try writeOperand(binary)
      sql += " < "
      writeParameter(.text(successor))
    }
  }

  private mutating func write(_ function: AggregateFunction, _ argument: Term?) throws {
    switch function {
    case .count: sql += "COUNT("
    case .countDistinct: sql += "COUNT(DISTINCT "
    case .exists: preconditionFailure("EXISTS is written around its rows")
    case .sum: sql += "SUM("
    case .minimum: sql += "MIN("
    case .maximum: sql += "MAX("
    case .average: sql += "AVG("
    }
    if let argument { try write(argument) } else { sql += "*" }
    sql += ")"
  }

  /// A correlated subquery: the rows of the association, and nothing else, are visited.
  private mutating func write(_ aggregate: AggregateTerm) throws {
    let rows = aggregate.rows
    let enclosing = frames
    defer { frames = enclosing }
    guard rows.level <= frames.count, !writesDefinition else {
      throw StoreError.invalidQuery(
        writesDefinition
          ? "an index can only use columns of its own table, not associations"
          : "an aggregate is used outside of the query that its closure belongs to")
    }
    let alias = unusedAlias(rows.association.destination.table.name, in: frames)
    frames = Array(frames.prefix(rows.level)) + [Frame(aliases: [[]: alias])]

    let terms = [aggregate.argument, rows.fullCondition].compactMap { $0 }
    sql += aggregate.function == .exists ? "EXISTS (" : "("
    if let recursion = rows.association.recursion { try write(recursion, of: rows) }
    planJoins(level: rows.level, terms: terms)
    sql += "SELECT "
    if aggregate.function == .exists {
      sql += "1"
    } else {
      try write(aggregate.function, aggregate.argument)
    }
    if rows.association.recursion != nil {
      try writeFromDescendants(of: rows)
      try writeConditions(rows.fullCondition.map { [$0] } ?? [])
    } else {
      try writeFrom(rows.association.destination, level: rows.level)
      sql += " WHERE "
      try writeColumnPairs(rows.association, from: rows.origin, to: rows.scope)
      if let condition = rows.fullCondition {
        sql += " AND "
        try writeList(condition.conjuncts, separator: " AND ") { try $0.writeOperand($1.asCondition) }
      }
    }
    sql += ")"
  }

  private mutating func write(_ fragments: [RawFragment]) throws {
    for fragment in fragments {
      switch fragment {
      case .sql(let text): sql += text
      case .value(let value): writeParameter(value)
      case .term(let term): try writeOperand(term)
      case .invalid(let reason): throw StoreError.invalidQuery(reason)
      }
    }
  }
}

extension [Association] {
  /// What orders joins of equal depth: names, which don't change from run to run as hashes do.
  fileprivate var joinName: [String] {
    map { "\($0.destination.table.name) \($0.columns.map(\.origin)) \($0.condition.map(String.init(describing:)) ?? "")" }
  }
}
