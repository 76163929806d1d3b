import SanderlingSQL

/// Finds values of another kind than the column holds. SQLite finds no row by such a value, or compares in another
/// order.
struct ValueTypeDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    // The form of a SELECT that can be rewritten.
    let statement = MovableStatement(analyzed, schema: context.schema)
    guard let shape = statement?.shape ?? analyzed.shape else { return [] }
    let reader = ValueReader(shape: shape, schema: context.schema, bindings: analyzed.statement.bindings)
    var findings: [Finding] = []
    var seen: Set<String> = []
    for use in reader.compared() + reader.written() where !seen.contains(use.name) {
      let stored = try StoredTypes(of: use.column, in: use.table, context)
      guard let mismatch = ValueMismatch(use, stored), try !mismatch.isRefuted(in: context) else { continue }
      seen.insert(use.name)
      findings.append(try finding(mismatch, analyzed, statement, context))
    }
    return findings
  }

  private func finding(
    _ mismatch: ValueMismatch, _ analyzed: AnalyzedStatement, _ statement: MovableStatement?,
    _ context: DetectorContext
  ) throws -> Finding {
    var evidence: [Evidence] = []
    var sql: [String] = []
    if let statement, let converted = mismatch.converted(statement), let before = analyzed.measurements.first {
      let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
      if let plain = try? trial.measured(converted), let after = plain.comparisons.first?.after {
        evidence = [
          Evidence(name: "rows returned", value: Double(before.rowsReturned), unit: "rows"),
          Evidence(name: "rows with the right kind", value: Double(after.rowsReturned), unit: "rows"),
        ]
        // That the converted statement returns other rows is no gain, but an index may serve its condition.
        let indexed = try? trial.indexed(plain)
        sql = (indexed?.changes ?? []) + [context.shown(converted)]
      }
    }
    return Finding(
      kind: .typeMismatch, severity: mismatch.use.isWritten ? .warning : .wrongResult,
      statement: analyzed.statement.id, caller: analyzed.caller, title: mismatch.title,
      explanation: mismatch.explanation, evidence: evidence,
      fix: Fix(
        summary: mismatch.summary, sql: sql, grdb: mismatch.grdb,
        sanderling:
          "Declare the property with the Swift type of the stored values: conditions then accept no other type.",
        coreData: mismatch.isCoreDataDate
          ? "NSPredicate(format: \"\(mismatch.use.column.name.dropFirst().lowercased()) >= %@\", date as NSDate)" : nil),
      outcome: .notMeasured(reason: "The finding is about right results, not about time."), limits: analyzed.limits)
  }
}

/// A value that a statement compares with a column or stores in it.
struct ValueUse {
  var table: TableSchema
  var column: ColumnSchema
  var value: BoundValue
  /// The range of the value; nil if the value can't be replaced.
  var range: Range<Int>?
  /// The range of the column.
  var columnRange: Range<Int>?
  var isWritten = false
  /// Whether the comparison is one of order, such as `<`, `>` or BETWEEN.
  var isRange = false

  var name: String { "\(table.name).\(column.name)" }
}

/// A value whose kind doesn't match the kind of the column, in words.
struct ValueMismatch {
  let use: ValueUse
  private let stored: StoredTypes.Kind
  private let greatest: Double?
  private let given: StoredTypes.Kind
  /// Whether numbers are stored as texts and compared as texts.
  private let isTextOrder: Bool

  /// Compares the kinds of the value and the column; nil if they match.
  init?(_ use: ValueUse, _ types: StoredTypes) {
    guard let stored = types.only, let given = use.column.affinity.kind(of: use.value) else {
      return nil
    }
    // The affinity of the column converts the number to a text, and `'10' < '9'` is true.
    isTextOrder = use.isRange && !use.isWritten && StoredTypes.Kind(use.value) == .number && stored == .text
    guard given != stored || isTextOrder else { return nil }
    (self.use, self.stored, self.given, greatest) = (use, stored, isTextOrder ? .number : given, types.greatest)
  }

  /// Whether a row matches the value after all: the kinds of a column are known only from some of its rows.
  ///
  /// Throws `DiagnosisError`. O(log rows) with an index of the column, otherwise O(rows).
  func isRefuted(in context: DetectorContext) throws -> Bool {
    if use.isWritten { return false }
    let rows = "SELECT 1 FROM \(use.table.name.quotedIdentifier) WHERE "
    let column = use.column.name.quotedIdentifier
    // The bytes of a literal blob are not known here, so only the kinds are compared.
    if !use.isRange, given != .blob {
      return try !context.rows(rows + "\(column) = ?1 LIMIT 1", [1: use.value]).isEmpty
    }
    return try !context.rows(rows + "typeof(\(column)) IN (\(given.typeNames)) LIMIT 1").isEmpty
  }

  /// Whether the column holds dates of Core Data: it stores seconds since 2001 in columns of type TIMESTAMP.
  var isCoreDataDate: Bool { use.column.type.uppercased() == "TIMESTAMP" && stored == .number && isDate }

  private var isDate: Bool {
    guard case .text(let text) = use.value else { return false }
    let digits = text.prefix(10).map { $0.isNumber ? "0" : String($0) }.joined()
    return digits == "0000-00-00"
  }

  /// The conversion of the value to the right kind.
  private var conversion: ((String) -> String)? {
    switch (stored, given) {
    case (.number, .text) where isCoreDataDate: { "(CAST(strftime('%s', \($0)) AS INTEGER) - 978307200)" }
    case (.number, .text) where isDate && (1e8...1e10).contains(greatest ?? 0):
      {
        "CAST(strftime('%s', \($0)) AS INTEGER)"
      }
    case (.number, .text) where isDate && (1e11...1e13).contains(greatest ?? 0):
      {
        "CAST(strftime('%s', \($0)) AS INTEGER) * 1000"
      }
    case (.number, .text) where Affinity.numeric.kind(of: use.value) == .number:
      {
        "CAST(\($0) AS NUMERIC)"
      }
    case (.text, .number) where !isTextOrder: { "CAST(\($0) AS TEXT)" }
    case (.text, .blob): { "CAST(\($0) AS TEXT)" }
    default: nil
    }
  }

  /// The statement with a value of the right kind; nil if SQL alone can't convert the value.
  func converted(_ statement: MovableStatement) -> String? {
    if isTextOrder {
      return use.columnRange.map { statement.replacing($0, with: "CAST(\(statement.text[$0]) AS NUMERIC)") }
    }
    guard let conversion, let range = use.range else { return nil }
    return statement.replacing(range, with: conversion(statement.text[range]))
  }

  var title: String {
    if use.isWritten { return "\(use.name) holds \(stored.plural), and a \(given) is written to it" }
    if isTextOrder { return "\(use.name) holds texts, and is compared with a number in the order of texts" }
    return use.isRange
      ? "\(use.name) holds \(stored.plural), and is compared with a \(given): all rows fit, or none"
      : "\(use.name) holds \(stored.plural), and is compared with a \(given): no row is equal"
  }

  var explanation: String {
    let order = "SQLite sorts all numbers before all texts, and all texts before all blobs. "
    if use.isWritten {
      return order
        + "Rows with the \(given) are not found by conditions on \(stored.plural), and are sorted apart from "
        + "the others."
    }
    if isTextOrder {
      return "The column's type makes a text of the number, and as texts '10' comes before '9'. Rows are left out, and "
        + "others come in place of them."
    }
    let type =
      use.column.type.isEmpty ? "it has no type" : "its type is \(use.column.type)"
    return order
      + "\(use.column.name) doesn't change the value, as \(type)\(isDate ? " and the text is no number" : "")."
  }

  var summary: String {
    if isTextOrder { return "Store numbers as numbers, or compare CAST(\(use.column.name) AS NUMERIC)" }
    if use.isWritten { return "Write \(stored.plural) to \(use.column.name), and convert the rows that have others" }
    return isDate && stored == .number
      ? "Compare with the number that represents the date" : "Compare \(use.column.name) with a \(stored)"
  }

  var grdb: String? {
    guard isDate, stored == .number else { return nil }
    return isCoreDataDate
      ? "arguments: [date.timeIntervalSinceReferenceDate]" : "arguments: [date.timeIntervalSince1970]"
  }
}

/// Finds the values that a statement compares with columns, or stores in them.
struct ValueReader {
  let shape: QueryShape
  let schema: DatabaseSchema
  let bindings: [[Int: BoundValue]]

  func compared() -> [ValueUse] {
    shape.resolved.cores.flatMap { core -> [ValueUse] in
      let joins = (core.syntax?.from?.sources ?? []).compactMap(\.join.on)
      return ((core.condition.map { [$0] } ?? []) + joins).flatMap(\.withDescendants).flatMap(uses)
    }
  }

  private func uses(_ condition: SQLExpression) -> [ValueUse] {
    switch condition.kind {
    case .binary(let operation, let left, let right):
      let isRange: Bool
      switch operation {
      case .equal, .equalOrBothNull: isRange = false
      case .less, .lessOrEqual, .greater, .greaterOrEqual: isRange = true
      default: return []
      }
      return uses(of: left, [right], isRange) + uses(of: right, [left], isRange)
    case .between(let value, let low, let high, _): return uses(of: value, [low, high], true)
    case .membership(let value, .list(let list), _): return uses(of: value, list, false)
    default: return []
    }
  }

  private func uses(of side: SQLExpression, _ others: [SQLExpression], _ isRange: Bool) -> [ValueUse] {
    guard case .column(let source, let name)? = shape.resolved.meaning(of: side.unwrapped),
      let table = shape.resolved.sources[source]?.table.flatMap({ schema.table($0.name) }), table.kind == .ordinary,
      let column = table.column(name)
    else { return [] }
    return others.flatMap { other in
      values(of: other.unwrapped).map {
        ValueUse(table: table, column: column, value: $0, range: other.range, columnRange: side.range, isRange: isRange)
      }
    }
  }

  /// The values that INSERT and UPDATE store.
  func written() -> [ValueUse] {
    switch (shape.resolved.statement.kind, shape.kind) {
    case (.insert(let insert), .insert(let name)):
      guard let table = schema.table(name), table.kind == .ordinary else { return [] }
      let columns =
        insert.columns.isEmpty
        ? table.columns.filter { !$0.isGenerated && !$0.isHidden } : insert.columns.compactMap { table.column($0.text) }
      return (insert.select?.cores.first?.rows ?? []).flatMap { row in
        row.count == columns.count ? zip(columns, row).flatMap { written($0, $1, table) } : []
      }
    case (.update(let update), .update(let name, _)):
      guard let table = schema.table(name), table.kind == .ordinary else { return [] }
      return update.assignments.flatMap { assignment -> [ValueUse] in
        guard assignment.columns.count == 1, let column = table.column(assignment.columns[0].text) else { return [] }
        return written(column, assignment.value, table)
      }
    default: return []
    }
  }

  private func written(_ column: ColumnSchema, _ value: SQLExpression, _ table: TableSchema) -> [ValueUse] {
    values(of: value.unwrapped).map { ValueUse(table: table, column: column, value: $0, isWritten: true) }
  }

  /// The value of a literal, or the logged values of a parameter.
  private func values(of expression: SQLExpression) -> [BoundValue] {
    switch expression.kind {
    case .parameter(let number): bindings.compactMap { $0[number] }
    case .literal(let literal): value(literal, shape.text[expression.range]).map { [$0] } ?? []
    default: []
    }
  }

  private func value(_ literal: SQLLiteral, _ sql: String) -> BoundValue? {
    switch literal {
    case .integer: Int64(sql).map { .integer($0) }
    case .real: Double(sql).map { .real($0) }
    case .string: .text(sql.withoutQuotes)
    case .boolean(let isTrue): .integer(isTrue ? 1 : 0)
    case .blob: .blob([])
    case .null, .currentTime: nil
    }
  }
}
