/// A function that cuts a day, month or year out of a column, with the begin of each period and of the next.
struct DateFunction {
  let column: SQLExpression
  private let name: String
  /// Whether the column holds seconds. `offset` converts seconds since 1970 to the values of the column.
  private let isEpoch: Bool
  private let offset: String
  /// The offset that makes seconds since 1970 of the column; empty for none.
  private let added: String
  private let unit: Unit

  private enum Unit {
    case second, day, month, year
  }

  /// Reads a call; nil for other functions, and for modifiers that don't have the same effect on all values.
  init?(_ call: SQLCall, _ statement: MovableStatement) {
    let text = statement.text
    var arguments = call.arguments
    switch call.name.key {
    case "date": unit = .day
    case "datetime": unit = .second
    case "strftime":
      guard let format = arguments.first else { return nil }
      arguments.removeFirst()
      switch text[format.range] {
      case "'%Y-%m-%d'": unit = .day
      case "'%Y-%m'": unit = .month
      case "'%Y'": unit = .year
      default: return nil
      }
    default: return nil
    }
    guard let value = arguments.first?.unwrapped else { return nil }
    let modifiers = arguments.dropFirst().map { text[$0.range].lowercased() }
    guard modifiers.isEmpty || modifiers == ["'unixepoch'"] else { return nil }
    isEpoch = !modifiers.isEmpty
    var column = value
    var (offset, added) = ("", "")
    if isEpoch, case .binary(.add, let one, let other) = value.kind, statement.isConstant(other) {
      // Core Data counts from 2001.
      (column, offset, added) = (one.unwrapped, " - \(text[other.range])", " + \(text[other.range])")
    }
    guard case .column = column.kind, isEpoch || unit != .second else { return nil }
    self.column = column
    (self.offset, self.added) = (offset, added)
    name = text[column.range]
  }

  /// The condition under which the stored values are in the order of their days. `@` stands for the column.
  var storedForm: String {
    isEpoch
      ? "@ IS NULL OR (typeof(@) IN ('integer', 'real') AND round(@, 3) = @ AND date(@\(added), 'unixepoch') IS NOT NULL)"
      : "@ IS NULL OR (typeof(@) = 'text' AND date(@) = substr(@, 1, 10))"
  }

  /// The condition that a value is a possible result of the function.
  func condition(on value: String) -> String {
    let isSame =
      switch unit {
      case .second: "datetime(\(value)) = \(value)"
      case .day: "date(\(value)) = \(value)"
      case .month: "strftime('%Y-%m', \(value) || '-01') = \(value)"
      case .year: "strftime('%Y', \(value) || '-01-01') = \(value)"
      }
    return "coalesce(\(isSame) AND \(value) BETWEEN '0001' AND '9999', \(value) IS NULL)"
  }

  /// The rewrites of a comparison with constants. Without an operator, the comparison is BETWEEN.
  func comparisons(_ operation: SQLBinaryOperator?, _ values: [String]) -> [String] {
    guard let first = values.first else { return [] }
    switch operation {
    case .equal: return ["(\(name) >= \(begin(first)) AND \(name) < \(end(first)))"]
    case .greaterOrEqual: return ["\(name) >= \(begin(first))"]
    case .greater: return ["\(name) >= \(end(first))"]
    case .less: return ["\(name) < \(begin(first))"]
    case .lessOrEqual: return ["\(name) < \(end(first))"]
    case nil where values.count == 2: return ["(\(name) >= \(begin(values[0])) AND \(name) < \(end(values[1])))"]
    default: return []
    }
  }

  private func begin(_ value: String) -> String {
    guard isEpoch else { return value }
    return seconds(first(value))
  }

  private func end(_ value: String) -> String {
    switch (isEpoch, unit) {
    case (true, .second): "\(seconds(value)) + 1"
    case (true, .day): seconds(value, "+1 day")
    case (true, .month): seconds(first(value), "+1 month")
    case (true, .year): seconds(first(value), "+1 year")
    case (false, .month): "strftime('%Y-%m', \(first(value)), '+1 month')"
    case (false, .year): "strftime('%Y', \(first(value)), '+1 year')"
    case (false, _): "date(\(value), '+1 day')"
    }
  }

  /// The first day of a month or year.
  private func first(_ value: String) -> String {
    switch unit {
    case .second, .day: value
    case .month: "\(value) || '-01'"
    case .year: "\(value) || '-01-01'"
    }
  }

  private func seconds(_ value: String, _ modifier: String? = nil) -> String {
    let modifiers = modifier.map { ", '\($0)'" } ?? ""
    return "CAST(strftime('%s', \(value)\(modifiers)) AS INTEGER)\(offset)"
  }
}
