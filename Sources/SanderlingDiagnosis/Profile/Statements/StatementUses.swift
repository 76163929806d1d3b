/// The uses of columns in a statement: the columns that it reads and joins, and the values that it compares with them.
struct StatementUses {
  private(set) var values: [ComparedValue] = []
  /// Columns that determine the read rows, their order or their groups.
  private(set) var columns: Set<ColumnKey> = []
  /// Columns that are compared with each other.
  private(set) var joins: [(ColumnKey, ColumnKey)] = []
  /// Literals that select a computation and are not its input.
  private(set) var keptLiterals: [Range<Int>] = []
  private(set) var keptParameters: Set<Int> = []

  /// The positions of double-quoted texts that are no names.
  var strings: Set<Int> { Set(finder.resolved.references.filter { $0.value == .string }.keys) }

  private let finder: ColumnFinder
  private var statement: SQLStatement { finder.resolved.statement }

  init(_ statement: SQLStatement, schema: DatabaseSchema) {
    let resolved = SQLResolver.resolve(statement, in: schema.description)
    finder = ColumnFinder(resolved: resolved, schema: schema)
    for core in resolved.cores { read(core) }
    readWrites(schema)
  }

  // MARK: Clauses

  private mutating func read(_ core: ResolvedCore) {
    let syntax = core.syntax
    let decisive =
      [core.condition, syntax?.having].compactMap { $0 } + (syntax?.from?.sources.compactMap(\.join.on) ?? [])
      + (syntax?.groupBy ?? []) + core.orderBy.map(\.expression)
    let results = (syntax?.columns ?? []) + core.returning
    var shown: [SQLExpression] = []
    for case .expression(let expression, _) in results.map(\.kind) { shown.append(expression) }
    for expression in decisive { columns.formUnion(finder.columns(in: expression).map(\.column)) }
    if syntax?.isDistinct == true || core.isCompound || core.role == .membership {
      for expression in shown { columns.formUnion(finder.columns(in: expression).map(\.column)) }
    }
    for expression in decisive + shown + core.assignments.map(\.value)
      + (syntax?.windows.flatMap { $0.window.children } ?? [])
    {
      read(expression)
    }
    for limit in [core.limit, core.offset] { keep(limit) }
    for source in core.sources.compactMap({ finder.resolved.sources[$0] }) {
      for name in source.syntax.join.using { readUsing(name.text, core) }
    }
    for assignment in core.assignments { store(assignment, in: core.sources.first) }
  }

  private mutating func readUsing(_ name: String, _ core: ResolvedCore) {
    let tables = core.sources.compactMap { finder.resolved.sources[$0]?.table?.name }
    let found = tables.compactMap { name_ -> ColumnKey? in
      guard let table = finder.schema.table(name_), let column = table.column(name) else { return nil }
      return ColumnKey(table: table.name, column: ColumnID(name: column.name))
    }
    columns.formUnion(found)
    for other in found.dropFirst() { joins.append((found[0], other)) }
  }

  private mutating func keep(_ expression: SQLExpression?) {
    for node in expression?.withDescendants ?? [] {
      switch node.kind {
      case .literal: keptLiterals.append(node.range)
      case .parameter(let number): keptParameters.insert(number)
      default: break
      }
    }
  }

  private mutating func readWrites(_ schema: DatabaseSchema) {
    guard case .insert(let insert) = statement.kind, case .table(_, let name) = insert.target.kind,
      let table = schema.table(name.text)
    else { return }
    let written = insert.columns.compactMap { table.column($0.text)?.name }
    let names = insert.columns.isEmpty ? table.columns.filter { !$0.isGenerated && !$0.isHidden }.map(\.name) : written
    for core in insert.select?.cores ?? [] {
      for row in core.rows {
        for (name, value) in zip(names, row) { add(ColumnKey(table: table.name, column: ColumnID(name: name)), value) }
      }
    }
    for upsert in insert.upserts {
      for assignment in upsert.assignments {
        read(assignment.value)
        if let column = assignment.columns.first.flatMap({ table.column($0.text) }), assignment.columns.count == 1 {
          add(ColumnKey(table: table.name, column: ColumnID(name: column.name)), assignment.value)
        }
      }
      if let condition = upsert.condition { read(condition) }
    }
  }

  private mutating func store(_ assignment: SQLAssignment, in source: Int?) {
    guard let source, assignment.columns.count == 1, let name = finder.resolved.sources[source]?.table?.name,
      let table = finder.schema.table(name), let column = table.column(assignment.columns[0].text)
    else { return }
    add(ColumnKey(table: table.name, column: ColumnID(name: column.name)), assignment.value)
  }

  // MARK: Expressions

  private mutating func read(_ expression: SQLExpression) {
    for node in expression.withDescendants {
      switch node.kind {
      case .binary(let sign, let left, let right): read(sign, left, right)
      case .between(let value, let low, let high, _):
        for bound in [low, high] {
          compare(value, bound, .bound)
          compare(bound, value, .bound)
        }
      case .membership(let value, let members, _): read(value, members)
      case .pattern(let pattern): read(pattern)
      case .choice(let choice):
        for branch in choice.branches { if let base = choice.base { compare(base, branch.when, .equal) } }
      case .call(let call): read(call)
      default: break
      }
    }
  }

  private mutating func read(_ sign: SQLBinaryOperator, _ left: SQLExpression, _ right: SQLExpression) {
    let operation: ComparedValue.Operation
    switch sign {
    case .equal, .notEqual, .equalOrBothNull, .notEqualOrOneNull: operation = .equal
    case .less, .lessOrEqual, .greater, .greaterOrEqual: operation = .bound
    case .extractJSON, .extractSQL: return keep(right)
    case .multiply, .divide, .remainder:
      for side in [left, right] where isUnit(side) { keep(side) }
      return
    default: return
    }
    if case .row(let ones) = left.unwrapped.kind, case .row(let others) = right.unwrapped.kind {
      for (one, other) in zip(ones, others) { read(sign, one, other) }
      return
    }
    if let one = finder.column(left), let other = finder.column(right) {
      joins.append((one, other))
    } else {
      compare(left, right, operation)
      compare(right, left, operation)
    }
  }

  /// Whether an expression is a factor between units: a power of ten, or the seconds of a minute, an hour or a day.
  private func isUnit(_ expression: SQLExpression) -> Bool {
    guard case .literal = expression.unwrapped.kind else { return false }
    let text = statement.sql(expression.unwrapped.range)
    return ["60", "3600", "86400"].contains(text)
      || text.hasPrefix("1") && text.dropFirst().allSatisfy { "0.".contains($0) }
  }

  private mutating func read(_ value: SQLExpression, _ members: SQLMembership) {
    switch members {
    case .list(let list):
      for member in list {
        if case .row(let ones) = value.unwrapped.kind, case .row(let others) = member.unwrapped.kind {
          for (one, other) in zip(ones, others) { compare(one, other, .equal) }
        } else {
          compare(value, member, .equal)
        }
      }
    case .subquery(let select):
      for core in select.cores {
        if let source = core.from?.sources.first, core.from?.sources.count == 1,
          case .function(let name, let arguments) = source.kind, name.key == "json_each", let list = arguments.first
        {
          compare(value, list, .list)
        } else if let column = finder.column(value),
          let other = finder.resolved.core(core.id)?.results.first?.expression.flatMap(finder.column)
        {
          joins.append((column, other))
        }
      }
    case .table: break
    }
  }

  private mutating func read(_ pattern: SQLPattern) {
    keep(pattern.escape)
    if pattern.name == "MATCH" { return compare(pattern.value, pattern.pattern, .search) }
    guard pattern.name == "LIKE" || pattern.name == "GLOB" else { return }
    let isGlob = pattern.name == "GLOB"
    let parts = Self.concatenated(pattern.pattern)
    for (place, part) in parts.enumerated() where parts.count == 1 || !isWildcard(part) {
      compare(
        pattern.value, part,
        .pattern(isGlob: isGlob, before: place > 0, after: place + 1 < parts.count))
    }
    for part in parts where parts.count > 1 && isWildcard(part) { keep(part) }
  }

  private static func concatenated(_ expression: SQLExpression) -> [SQLExpression] {
    guard case .binary(.concatenate, let left, let right) = expression.unwrapped.kind else { return [expression] }
    return concatenated(left) + concatenated(right)
  }

  private func isWildcard(_ expression: SQLExpression) -> Bool {
    guard case .literal(.string) = expression.unwrapped.kind else { return false }
    return ["'%'", "'*'"].contains(statement.sql(expression.unwrapped.range))
  }

  private static let dateFunctions: Set = [
    "date", "time", "datetime", "julianday", "strftime", "unixepoch", "timediff",
  ]

  private mutating func read(_ call: SQLCall) {
    let name = call.name.key
    if ["coalesce", "ifnull", "nullif"].contains(name), let first = call.arguments.first {
      for other in call.arguments.dropFirst() { compare(first, other, .equal) }
    } else if name.hasPrefix("json") {
      // JSON paths count as names.
      for argument in call.arguments.dropFirst() {
        guard case .literal(.string) = argument.unwrapped.kind,
          statement.sql(argument.unwrapped.range).hasPrefix("'$")
        else { continue }
        keep(argument)
      }
    } else if Self.dateFunctions.contains(name) {
      for argument in call.arguments where isModifier(argument) { keep(argument) }
    } else if name == "match", call.arguments.count == 2 {
      compare(call.arguments[1], call.arguments[0], .search)
    }
  }

  /// Whether a text selects a computation: `'now'`, `'-7 days'`, `'start of month'`, `'%Y'`.
  private func isModifier(_ expression: SQLExpression) -> Bool {
    guard case .literal(.string) = expression.unwrapped.kind else { return false }
    let text = statement.sql(expression.unwrapped.range).withoutQuotes
    let words = text.split(separator: " ")
    let units = ["second", "minute", "hour", "day", "month", "year"].flatMap { [$0, $0 + "s"] }
    if words.count == 2, let number = Double(words[0]), abs(number) < 1000, units.contains(String(words[1])) {
      return true
    }
    return [
      "now", "localtime", "utc", "auto", "unixepoch", "julianday", "subsec", "start of month", "start of year",
      "start of day",
    ]
    .contains(text) || Self.isDateFormat(text)
  }

  /// Whether a text is a date's format, such as `'%Y-%m-%d'`: letters after percent signs, and separators between them.
  private static func isDateFormat(_ text: String) -> Bool {
    var isPart = false
    for character in text {
      if isPart {
        guard "dfFgGHIjJklmMpPRsSTuUVwWYe%".contains(character) else { return false }
        isPart = false
      } else if character == "%" {
        isPart = true
      } else if !" -:/.,TZ".contains(character) {
        return false
      }
    }
    return text.hasPrefix("%") && !isPart
  }

  // MARK: Values

  /// Records how one side of a comparison uses the column of the other side.
  private mutating func compare(_ side: SQLExpression, _ other: SQLExpression, _ operation: ComparedValue.Operation) {
    guard let value = value(of: other) else { return }
    if let column = column(of: side) {
      values.append(ComparedValue(column: column, operation: operation, value: value))
      return
    }
    // The name of a full-text table refers to all its columns.
    if operation == .search, case .column(let reference) = side.unwrapped.kind,
      let table = finder.schema.table(reference.name.text)
    {
      let key = ColumnKey(table: table.name, column: ColumnID(name: table.name))
      values.append(ComparedValue(column: key, operation: operation, value: value))
      return
    }
    // SQLite can evaluate an expression of one column for other values as well.
    let found = finder.columns(in: side)
    guard found.count == 1, let inner = found.first,
      side.withDescendants.allSatisfy({ $0.subquery == nil && !$0.isParameter })
    else { return }
    let (outer, range) = (side.range, inner.expression.range)
    let around =
      statement.sql(outer.lowerBound..<range.lowerBound) + "?1" + statement.sql(range.upperBound..<outer.upperBound)
    values.append(ComparedValue(column: inner.column, operation: operation, value: value, around: around))
  }

  private func column(of side: SQLExpression) -> ColumnKey? { finder.column(side) }

  private mutating func add(_ column: ColumnKey, _ expression: SQLExpression) {
    guard let value = value(of: expression) else { return }
    values.append(ComparedValue(column: column, operation: .equal, value: value))
  }

  /// Returns the single literal or parameter of an expression without columns.
  private func value(of expression: SQLExpression) -> ComparedValue.Value? {
    let expression = expression.unwrapped
    switch expression.kind {
    case .literal(.integer), .literal(.real), .literal(.string), .literal(.blob): return .literal(expression.range)
    case .unary(.minus, let inner):
      guard case .literal = inner.unwrapped.kind else { return nil }
      return .literal(expression.range)
    case .unary(.plus, let inner), .cast(let inner, _), .collate(let inner, _): return value(of: inner)
    case .parameter(let number): return .parameter(number)
    case .column: return finder.resolved.meaning(of: expression) == .string ? .literal(expression.range) : nil
    case .call(let call):
      let found = call.arguments.filter { !isModifier($0) }.compactMap { value(of: $0) }
      return found.count == 1 && call.arguments.count { !isModifier($0) } == 1 ? found.first : nil
    default: return nil
    }
  }
}

extension SQLExpression {
  fileprivate var isParameter: Bool { if case .parameter = kind { true } else { false } }
}
