/// Describes sets of values without containing any of them.
struct ValueShapes {
  let connection: SQLiteConnection

  /// The number of values that are examined for their form and lengths.
  private static let sample: Int64 = 4000

  /// Returns the parts of a table's values, in a column `value`, in SQLite's order.
  func parts(of table: String, count: Int64) throws -> [ProfiledValues] {
    var counts: [String: Int64] = [:]
    for row in try connection.rows("SELECT typeof(value), count(*) FROM \(table) WHERE value IS NOT NULL GROUP BY 1") {
      if let type = row[0].text, let count = row[1].integer { counts[type] = count }
    }
    let step = max(1, count / Self.sample)
    let picked = "SELECT value FROM \(table) WHERE rowid % \(step) = 0 OR rowid <= 8"
    var parts: [ProfiledValues] = []
    let numbers = (counts["integer"] ?? 0) + (counts["real"] ?? 0)
    if numbers > 0 { parts.append(try numeric(table, numbers, isReal: (counts["real"] ?? 0) * 2 > numbers)) }
    if let texts = counts["text"] { parts.append(try textual(picked, texts, table)) }
    if let blobs = counts["blob"] {
      var part = ProfiledValues(form: .blob, count: blobs)
      part.lengths = try lengths(picked, type: "blob")
      parts.append(part)
    }
    return parts
  }

  private func numeric(_ table: String, _ count: Int64, isReal: Bool) throws -> ProfiledValues {
    let bounds = try connection.rows(
      "SELECT min(value), max(value) FROM \(table) WHERE typeof(value) IN ('integer', 'real')")[0]
    let (low, high) = (bounds[0].double, bounds[1].double)
    var part = ProfiledValues(form: isReal ? .real : .integer, count: count)
    part.isNegative = low < 0
    part.magnitude = Self.exponent(abs(low))
    if low == 0 || low == 1 { part.least = Int64(clamping: low) }
    let isDense = !isReal && high - low + 1 == Double(count)
    if !isDense { part.span = Self.exponent(high - low) }
    return part
  }

  /// Returns the exponent of the smallest power of two above a number.
  private static func exponent(_ number: Double) -> Int {
    guard number > 0, number.isFinite else { return 0 }
    return max(-60, min(62, Int(number.exponent) + 1))
  }

  private static let time = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"

  private func textual(_ picked: String, _ count: Int64, _ table: String) throws -> ProfiledValues {
    let conditions = [
      "value GLOB '\(Self.time)'", "value GLOB '\(Self.time) [0-9][0-9]:[0-9][0-9]*'",
      "value GLOB '\(Self.time)T[0-9][0-9]:[0-9][0-9]*'",
      "value NOT GLOB '*[^0-9]*' AND length(value) BETWEEN 2 AND 17 AND value NOT GLOB '0*'",
      "value GLOB '{*' AND json_valid(value)",
    ]
    let sums = conditions.map { "sum(\($0))" }.joined(separator: ", ")
    let row = try connection.rows("SELECT count(*), \(sums) FROM (\(picked)) WHERE typeof(value) = 'text'")[0]
    let forms: [ProfiledValues.Form] = [.day, .time, .internetTime, .digits, .json]
    let all = row[0].integer ?? 0
    let found = zip(forms, row.dropFirst()).first { all > 0 && ($0.1.integer ?? 0) * 20 >= all * 19 }?.0
    var part = ProfiledValues(form: found ?? .text, count: count)
    part.lengths = try lengths(picked, type: "text")
    if let found, [.day, .time, .internetTime].contains(found) {
      part.lengths = []
      let bounds = try connection.rows(
        "SELECT unixepoch(min(value)), unixepoch(max(value)) FROM \(table) WHERE typeof(value) = 'text'"
          .replacing("unixepoch(", with: "strftime('%s', "))[0]
      let seconds = bounds.map { $0.text.flatMap(Double.init) ?? $0.double }
      // The distance of days is counted in days, so that consecutive days stay consecutive.
      let unit: Double = found == .day ? 86_400 : 1
      part.span = (seconds[1] - seconds[0]) / unit + 1 == Double(count) ? nil : Self.exponent(seconds[1] - seconds[0])
    }
    return part
  }

  /// Returns eight quantiles of the length in bytes, each rounded.
  private func lengths(_ picked: String, type: String) throws -> [Int] {
    let rows = try connection.rows(
      "SELECT length(CAST(value AS BLOB)) FROM (\(picked)) WHERE typeof(value) = '\(type)' ORDER BY 1")
    guard !rows.isEmpty else { return [] }
    return (0..<8).map { Self.rounded(Int(rows[($0 * 2 + 1) * rows.count / 16][0].integer ?? 0)) }
  }

  /// Rounds to the nearest of four steps for each power of two, so that no length reveals a value.
  static func rounded(_ length: Int) -> Int {
    guard length > 4 else { return length }
    let step = 1 << max(0, length.bitWidth - 3 - length.leadingZeroBitCount)
    return (length + step / 2) / step * step
  }
}

extension BoundValue {
  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: 0
    }
  }
}
