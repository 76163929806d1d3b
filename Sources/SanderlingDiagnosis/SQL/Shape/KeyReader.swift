/// Finds the expressions that an index can hold, and the dependencies of expressions.
struct KeyReader {
  let resolved: ResolvedStatement

  /// The sources that an expression reads.
  struct Dependencies {
    /// Sources of this core.
    var sources: Set<Int> = []
    var outerSources: Set<Int> = []
    var parameters: [Int] = []
    var subqueries: [SQLSelect] = []
    var hasUnknown = false

    var isConstant: Bool { sources.isEmpty && outerSources.isEmpty && subqueries.isEmpty && !hasUnknown }
  }

  /// Returns the sources that an expression reads, from the point of view of a core. A result's name counts as its
  /// expression. O(nodes).
  func dependencies(of expression: SQLExpression, in core: ResolvedCore, level: Int = 0) -> Dependencies {
    var result = Dependencies()
    for node in expression.withDescendants {
      if case .parameter(let number) = node.kind, !result.parameters.contains(number) {
        result.parameters.append(number)
      }
      if let subquery = node.subquery {
        result.subqueries.append(subquery)
        for inner in subquery.cores.compactMap({ resolved.core($0.id) }) {
          for source in inner.outerSources { result.add(source, isOwn: core.sources.contains(source)) }
        }
      }
      switch resolved.meaning(of: node) {
      case .column(let source, _)?: result.add(source, isOwn: core.sources.contains(source))
      case .result(let id, let index)? where level < 1:
        guard let column = resolved.core(id)?.results[safe: index]?.expression else { continue }
        let inner = dependencies(of: column, in: core, level: level + 1)
        result.sources.formUnion(inner.sources)
        result.outerSources.formUnion(inner.outerSources)
        result.parameters += inner.parameters
        result.subqueries += inner.subqueries
      case .result?, .unknown?: result.hasUnknown = true
      case .string?, nil: break
      }
    }
    return result
  }

  /// Returns the columns of a source that an expression reads, excluding subqueries.
  func columns(of source: Int, in expression: SQLExpression) -> [String] {
    var columns: [String] = []
    for node in expression.withDescendants {
      if case .column(source, let name)? = resolved.meaning(of: node), !columns.contains(name) { columns.append(name) }
    }
    return columns
  }

  /// Returns the columns of a source that a part of the text reads, including subqueries. O(names of the statement).
  func columns(of source: Int, within range: Range<Int>) -> [String] {
    var columns: [String] = []
    for (_, meaning) in resolved.references.filter({ range.contains($0.key) }).sorted(by: { $0.key < $1.key }) {
      if case .column(source, let name) = meaning, !columns.contains(name) { columns.append(name) }
    }
    return columns
  }

  /// Returns the key for an expression; nil if no index can hold it.
  func key(_ written: SQLExpression, in core: ResolvedCore, level: Int = 0) -> KeyShape? {
    var expression = written.unwrapped
    var collation: String?
    while case .collate(let inner, let name) = expression.kind {
      collation = collation ?? name.text
      expression = inner.unwrapped
    }
    guard var key = plainKey(expression, in: core, level: level) else { return nil }
    key.collation = collation ?? key.collation
    key.range = written.range
    return key
  }

  /// Returns a condition in the spelling of a partial index's WHERE clause. Nil if it depends on more than the columns
  /// of one table and literals.
  func conditionSQL(_ condition: SQLExpression, in core: ResolvedCore) -> String? {
    expressionKey(condition.unwrapped, in: core)?.sql
  }

  private func plainKey(_ expression: SQLExpression, in core: ResolvedCore, level: Int) -> KeyShape? {
    switch resolved.meaning(of: expression) {
    case .column(let source, let name)?: return column(name, of: source, in: core, range: expression.range)
    case .result(let id, let index)? where id == core.id && level < 1:
      guard let column = core.results[safe: index] else { return nil }
      if let inner = column.expression { return key(inner, in: core, level: level + 1) }
      guard case .column(let source, let name)? = column.meaning else { return nil }
      return self.column(name, of: source, in: core, range: expression.range)
    case .some: return nil
    case nil: return expressionKey(expression, in: core)
    }
  }

  /// Returns the key for a column of a source; nil if another core reads the source.
  func column(_ name: String, of source: Int, in core: ResolvedCore, range: Range<Int>) -> KeyShape? {
    guard core.sources.contains(source), let table = resolved.sources[source] else { return nil }
    let column = table.table?.columns.first { $0.name == name }
    let isRowid = table.kind == .table && (column?.isRowidAlias ?? (column == nil && name == "rowid"))
    return KeyShape(
      source: source, columns: [name], sql: name.quotedIdentifier, isColumn: true, isRowid: isRowid,
      collation: column?.collation ?? "BINARY", declaredType: column?.declaredType ?? "", range: range)
  }

  /// Returns a key for an expression of one table's columns and literals with deterministic functions.
  private func expressionKey(_ expression: SQLExpression, in core: ResolvedCore) -> KeyShape? {
    if case .unary(.plus, _) = expression.kind { return nil }
    var columns: [String] = []
    var functions: [String] = []
    var sources: Set<Int> = []
    var rewriter = SQLRewriter(resolved.statement.text)
    for node in expression.withDescendants {
      switch node.kind {
      case .parameter, .subquery, .exists, .row, .literal(.currentTime): return nil
      case .membership(_, .subquery, _), .membership(_, .table, _): return nil
      case .pattern(let pattern) where pattern.name == "MATCH" || pattern.name == "REGEXP": return nil
      case .call(let call):
        guard isDeterministic(call) else { return nil }
        functions.append(call.name.key)
      case .column:
        guard case .column(let source, let name)? = resolved.meaning(of: node), core.sources.contains(source) else {
          return nil
        }
        sources.insert(source)
        if !columns.contains(name) { columns.append(name) }
        rewriter.replace(node.range, with: name.quotedIdentifier)
      default: break
      }
    }
    guard let source = sources.first, sources.count == 1 else { return nil }
    return KeyShape(
      source: source, columns: columns, sql: rewriter.rewritten(expression.range), isColumn: false, isRowid: false,
      functions: functions, collation: collation(ofColumnIn: expression) ?? "BINARY", declaredType: "",
      range: expression.range)
  }

  /// Returns the collation that an expression takes from its column; nil if there is none. CAST and a plus sign keep
  /// the collation, but an index on them has BINARY unless it names another one.
  func collation(ofColumnIn expression: SQLExpression) -> String? {
    switch expression.unwrapped.kind {
    case .unary(.plus, let inner), .cast(let inner, _): return collation(ofColumnIn: inner)
    default:
      guard case .column(let source, let name)? = resolved.meaning(of: expression.unwrapped) else { return nil }
      return resolved.sources[source]?.table?.columns.first { $0.name == name }?.collation ?? "BINARY"
    }
  }

  /// Whether a call is one of SQLite's functions with arguments that an index allows.
  func isDeterministic(_ call: SQLCall) -> Bool {
    guard call.window == nil, call.filter == nil, !call.isDistinct, !call.hasStar, call.orderBy.isEmpty else {
      return false
    }
    if Self.timeFunctions.contains(call.name.key) {
      // Two of the modifiers read the clock or the time zone.
      let words = call.arguments.dropFirst(call.name.key == "strftime" ? 1 : 0)
        .map { resolved.statement.sql($0.range).asciiLowercased }
      return !words.isEmpty
        && words.allSatisfy { word in !["now", "localtime", "utc"].contains { word.contains($0) } }
    }
    if Self.aggregates.contains(call.name.key) { return false }
    if call.name.key == "min" || call.name.key == "max" { return call.arguments.count > 1 }
    return Self.deterministicFunctions.contains(call.name.key)
  }

  /// Whether a function is one of SQLite's that computes a value of one row, and the same value for equal arguments
  /// within a statement.
  static func isScalar(_ call: SQLCall) -> Bool {
    guard call.window == nil, call.filter == nil, !call.isDistinct, !call.hasStar, call.orderBy.isEmpty else {
      return false
    }
    if call.name.key == "min" || call.name.key == "max" { return call.arguments.count > 1 }
    return timeFunctions.contains(call.name.key) || deterministicFunctions.contains(call.name.key)
  }

  static let aggregates: Set<String> = [
    "avg", "count", "group_concat", "json_group_array", "json_group_object", "jsonb_group_array", "jsonb_group_object",
    "string_agg", "sum", "total",
  ]

  private static let timeFunctions: Set<String> = ["date", "time", "datetime", "julianday", "strftime", "unixepoch"]

  private static let deterministicFunctions: Set<String> = [
    "abs", "ceil", "ceiling", "char", "coalesce", "floor", "format", "glob", "hex", "ifnull", "iif", "instr",
    "json_array_length", "json_extract", "json_type", "json_valid", "length", "like", "likely", "lower", "ltrim",
    "nullif",
    "octet_length", "printf", "quote", "replace", "round", "rtrim", "sign", "substr", "substring", "trim", "trunc",
    "typeof",
    "unhex", "unicode", "unlikely", "upper",
  ]
}

extension KeyReader.Dependencies {
  fileprivate mutating func add(_ source: Int, isOwn: Bool) {
    if isOwn { sources.insert(source) } else { outerSources.insert(source) }
  }
}

extension Array {
  /// The element at an index, or nil outside the array.
  subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
