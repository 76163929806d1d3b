import SanderlingSQL

/// A comparison of a function of a column, rewritten as a comparison of the column itself.
struct BareColumn {
  /// The rewrites to try, the simplest first.
  private(set) var forms: [String] = []
  /// The computed expression in the statement's words, without its literals.
  let name: String
  let column: String
  let isCast: Bool
  private(set) var limits: [String] = []
  /// The requirements on the stored values and on the compared values.
  private(set) var assumption = RewriteAssumption.none

  /// Moves the function from the column to the other side of a comparison; nil if the function has no known inverse.
  init?(_ comparison: ColumnComparison, _ statement: MovableStatement, _ schema: DatabaseSchema) {
    let text = statement.text
    guard comparison.right.allSatisfy(statement.isConstant) || comparison.operation == .equal else { return nil }
    let values = comparison.right.map { text[$0.range] }
    let left = comparison.left
    var inner: SQLExpression?
    var isCast = false
    // The conditions on the column, for which `@` stands, and on each value.
    var (rows, valueCondition): (String?, ((String) -> String)?) = (nil, nil)
    let isNumber = { (value: String) in "typeof(\(value)) IN ('integer', 'real', 'null')" }
    let isText = { (value: String) in "typeof(\(value)) IN ('text', 'null')" }
    switch left.kind {
    case .cast(let value, let type):
      (inner, isCast) = (value, true)
      let affinity = Affinity(declaredType: type)
      switch affinity {
      case .integer: (rows, valueCondition) = ("typeof(@) IN ('integer', 'null')", isNumber)
      case .real: (rows, valueCondition) = ("typeof(@) IN ('real', 'null')", isNumber)
      case .numeric: (rows, valueCondition) = (isNumber("@"), isNumber)
      case .text, .blob:
        rows = "typeof(@) IN ('integer', 'text', 'null')"
        valueCondition = { "\($0) = CAST(CAST(\($0) AS INTEGER) AS TEXT)" }
        if statement.column(value, schema)?.column.affinity == .text { (rows, valueCondition) = (isText("@"), isText) }
      }
      forms = Self.compare(value, comparison.operation, values, text)
      limits = [Self.limitOfType]
    case .unary(.plus, let value):
      inner = value
      switch statement.column(value, schema)?.column.affinity {
      case .integer?, .real?, .numeric?: valueCondition = isNumber
      case .text?: valueCondition = isText
      case .blob?, nil: break
      }
      forms = Self.compare(value, comparison.operation, values, text)
    case .binary(let operation, let one, let other):
      guard let shift = Self.shift(operation, one, other, statement) else { return nil }
      inner = shift.column
      if operation == .concatenate {
        (rows, valueCondition) = (isText("@"), isText)
      } else {
        (rows, valueCondition) = ("typeof(@) IN ('integer', 'null')", isNumber)
      }
      let moved = values.map(shift.move)
      forms =
        shift.turns
        ? Self.compare(
          shift.column, comparison.operation.flatMap { ComparisonReader.mirrored[$0] }, moved.reversed(), text)
        : Self.compare(shift.column, comparison.operation, moved, text)
    case .call(let call) where Self.substitutes.contains(call.name.key):
      guard let column = call.arguments.first, call.arguments.count == 2, let operation = comparison.operation,
        statement.isConstant(call.arguments[1]), let own = statement.column(column, schema)?.column,
        own.collation.asciiLowercased == "binary"
      else { return nil }
      inner = column
      switch own.affinity {
      case .integer, .real, .numeric: valueCondition = isNumber
      case .text: valueCondition = isText
      case .blob: break
      }
      forms = Self.compare(column, operation, values, text)
      if !own.isNotNull, let plain = forms.first, let value = values.first {
        let (name, substitute) = (text[column.range], text[call.arguments[1].range])
        forms.append("(\(plain) OR \(name) IS NULL)")
        forms.append("(\(plain) OR (\(name) IS NULL AND \(substitute) \(operation.rawValue) \(value)))")
      }
    case .call(let call):
      guard let day = DateFunction(call, statement), comparison.right.allSatisfy(statement.isConstant) else {
        guard let substring = Self.substring(call, comparison, statement) else { return nil }
        (inner, forms) = substring
        rows = isText("@")
        break
      }
      inner = day.column
      (rows, valueCondition) = (day.storedForm, day.condition(on:))
      forms = day.comparisons(comparison.operation, values)
      limits = ["The same as long as the value has the form that \(call.name.text)() returns."]
    default: return nil
    }
    guard let inner, case .column(let reference) = inner.unwrapped.kind, !forms.isEmpty else { return nil }
    name = schema.fingerprint(of: text[left.range])
    column = reference.name.text
    self.isCast = isCast
    if let rows, let (table, own) = statement.column(inner, schema) {
      let condition = rows.split(separator: "@", omittingEmptySubsequences: false)
        .joined(separator: own.name.quotedIdentifier)
      assumption.rows = [RewriteAssumption.Rows(table: table.name, condition: condition)]
      // A requirement that no declared type ensures must be a limit.
      if limits.isEmpty { limits = [Self.limitOfType] }
    }
    if let valueCondition {
      assumption.values = comparison.right.filter(statement.isConstant).map { valueCondition("(\(text[$0.range]))") }
    }
  }

  private static let limitOfType = "The same as long as the column holds values of the one type, as it does now."

  /// The functions that replace NULL by another value.
  private static let substitutes: Set = ["coalesce", "ifnull"]

  private static func compare(
    _ column: SQLExpression, _ operation: SQLBinaryOperator?, _ values: [String], _ text: SQLText
  ) -> [String] {
    guard case .column = column.unwrapped.kind, let first = values.first else { return [] }
    let name = text[column.unwrapped.range]
    if let operation { return ["\(name) \(operation.rawValue) \(first)"] }
    return values.count == 2 ? ["\(name) BETWEEN \(values[0]) AND \(values[1])"] : []
  }

  /// The column of `column + constant` and similar expressions, the change of the other side, and whether the
  /// comparison turns around.
  private static func shift(
    _ operation: SQLBinaryOperator, _ one: SQLExpression, _ other: SQLExpression, _ statement: MovableStatement
  ) -> (column: SQLExpression, move: (String) -> String, turns: Bool)? {
    let text = statement.text
    let isColumn: (SQLExpression) -> Bool = { if case .column = $0.unwrapped.kind { true } else { false } }
    let (column, constant) = isColumn(one) ? (one, other) : (other, one)
    guard isColumn(column), statement.isConstant(constant) else { return nil }
    let value = text[constant.range]
    switch operation {
    case .add: return (column, { value == "0" ? $0 : "\($0) - \(value)" }, false)
    case .subtract where isColumn(one): return (column, { value == "0" ? $0 : "\($0) + \(value)" }, false)
    case .subtract: return (column, { "\(value) - \($0)" }, true)
    case .multiply where value == "1", .divide where value == "1" && isColumn(one): return (column, { $0 }, false)
    case .concatenate where value == "''": return (column, { $0 }, false)
    default: return nil
    }
  }

  /// The range of texts for `substr(column, 1, n) = 'text'` with a text of n characters, and for `instr(column, 'text')
  /// = 1`.
  private static func substring(
    _ call: SQLCall, _ comparison: ColumnComparison, _ statement: MovableStatement
  ) -> (SQLExpression, [String])? {
    if call.name.key == "instr", call.arguments.count == 2, comparison.operation == .equal,
      let place = comparison.right.first, statement.text[place.unwrapped.range] == "1",
      case .literal(.string) = call.arguments[1].unwrapped.kind
    {
      let beginning = statement.text[call.arguments[1].unwrapped.range].withoutQuotes
      guard !beginning.isEmpty, let range = TextRange(prefix: beginning) else { return nil }
      return (call.arguments[0], [range.condition(on: statement.text[call.arguments[0].range])])
    }
    guard ["substr", "substring"].contains(call.name.key), call.arguments.count == 3, comparison.operation == .equal,
      case .literal(.string)? = comparison.right.first?.unwrapped.kind, let value = comparison.right.first
    else { return nil }
    let text = statement.text
    let literal = text[value.unwrapped.range].withoutQuotes
    guard text[call.arguments[1].range] == "1", text[call.arguments[2].range] == String(literal.unicodeScalars.count),
      let range = TextRange(prefix: literal)
    else { return nil }
    return (call.arguments[0], [range.condition(on: text[call.arguments[0].range])])
  }
}

/// The range of all texts that begin with a given text.
struct TextRange {
  let low: String
  let high: String

  /// Makes the range of the texts with a prefix; nil if the prefix is empty or ends with a character that has no
  /// successor in ASCII.
  init?(prefix: String) {
    guard let last = prefix.unicodeScalars.last, last.isASCII, last.value < 0x7e,
      let next = Unicode.Scalar(last.value + 1)
    else { return nil }
    low = prefix
    high = String(prefix.unicodeScalars.dropLast()) + String(next)
  }

  func condition(on column: String) -> String {
    "(\(column) >= \(low.quotedLiteral) AND \(column) < \(high.quotedLiteral))"
  }
}
