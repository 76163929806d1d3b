/// A condition that a parameter turns off: `(?1 IS NULL OR owner = ?1)`.
///
/// SQLite plans a statement before it knows the values, so no index can serve a condition that a value can turn off.
struct ConditionSwitch {
  /// The condition's place in the text, without the parentheses around it.
  let range: Range<Int>
  /// An expression with one value for all rows; if true, the filter has no effect.
  let off: String
  /// The numbers of the parameters that it reads.
  let parameters: Set<Int>
  /// An expression that is true exactly if `off` isn't.
  let on: String
  /// The condition on rows while the filter is on, in a form that AND can follow.
  let filter: String
  /// The filter's place in the text.
  let filterRange: Range<Int>
  /// The condition on rows while the filter is off; nil if there is none.
  let remainder: String?

  /// Reads a condition; nil if no parameter turns it off.
  init?(_ condition: SQLExpression, in resolved: ResolvedStatement) {
    let (condition, text) = (condition.unwrapped, resolved.statement.text)
    if case .or = condition.kind {
      let (constants, filters) = condition.disjuncts.divided(by: Self.isSwitch)
      guard let first = filters.first, let last = filters.last,
        case let parameters = Set(constants.flatMap(Self.parameters(of:))), !parameters.isEmpty
      else { return nil }
      self.parameters = parameters
      off = constants.map { text[$0.range] }.joined(separator: " OR ")
      if constants.count == 1, case .isNull(let value, isNegated: false) = constants[0].kind {
        on = "\(text[value.range]) IS NOT NULL"
      } else {
        on = "(\(off)) IS NOT TRUE"
      }
      let joined = filters.map { text[$0.range] }.joined(separator: " OR ")
      filter = filters.count > 1 ? "(\(joined))" : joined
      filterRange = first.range.lowerBound..<last.range.upperBound
      remainder = nil
    } else {
      guard let substitute = Substitute(condition, in: resolved) else { return nil }
      parameters = Set(Self.parameters(of: substitute.parameter))
      let (column, parameter) = (text[substitute.column.range], text[substitute.parameter.range])
      (off, on) = ("\(parameter) IS NULL", "\(parameter) IS NOT NULL")
      filter = "\(column) \(substitute.operation.rawValue) \(parameter)"
      filterRange = condition.range
      remainder = substitute.operation == .equal ? "\(column) IS NOT NULL" : nil
    }
    range = condition.range
  }

  /// Returns the switches among the conditions of WHERE. O(nodes).
  static func all(of condition: SQLExpression, in resolved: ResolvedStatement) -> [ConditionSwitch] {
    condition.conjuncts.compactMap { ConditionSwitch($0, in: resolved) }
  }

  /// Returns the switches of all cores, including inner ones. O(nodes).
  static func all(of resolved: ResolvedStatement) -> [ConditionSwitch] {
    resolved.cores.flatMap { $0.condition.map { all(of: $0, in: resolved) } ?? [] }
  }

  /// The replacement of the condition for the case that the filter is on.
  var whereOn: String { "\(on) AND \(filter)" }
  /// The replacement of the condition for the case that the filter is off.
  var whereOff: String { remainder.map { "\(off) AND \($0)" } ?? off }

  // MARK: Constants

  /// Whether an expression has one value in a whole execution, independent of the rows.
  private static func isSwitch(_ expression: SQLExpression) -> Bool {
    expression.readsNoRows
      && expression.withDescendants.allSatisfy { node in
        guard case .call(let call) = node.kind else { return true }
        return !["random", "randomblob"].contains(call.name.key)
      }
  }

  private static func parameters(of expression: SQLExpression) -> [Int] {
    expression.withDescendants.compactMap { if case .parameter(let number) = $0.kind { number } else { nil } }
  }

  /// The operands of `owner = coalesce(?1, owner)`, in which the column replaces a NULL parameter.
  private struct Substitute {
    let column: SQLExpression
    let parameter: SQLExpression
    let operation: SQLBinaryOperator

    init?(_ condition: SQLExpression, in resolved: ResolvedStatement) {
      guard case .binary(let operation, let left, let right) = condition.kind,
        operation == .equal || operation == .equalOrBothNull
      else { return nil }
      for (column, other) in [(left.unwrapped, right.unwrapped), (right.unwrapped, left.unwrapped)] {
        guard case .call(let call) = other.kind, ["coalesce", "ifnull"].contains(call.name.key),
          call.arguments.count == 2, !call.isDistinct, call.filter == nil, call.window == nil,
          case .parameter = call.arguments[0].unwrapped.kind,
          let meaning = resolved.meaning(of: column), case .column = meaning,
          resolved.meaning(of: call.arguments[1].unwrapped) == meaning
        else { continue }
        (self.column, parameter, self.operation) = (column, call.arguments[0].unwrapped, operation)
        return
      }
      return nil
    }
  }
}

extension [SQLExpression] {
  fileprivate func divided(by isFirst: (SQLExpression) -> Bool) -> (first: [SQLExpression], others: [SQLExpression]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}
