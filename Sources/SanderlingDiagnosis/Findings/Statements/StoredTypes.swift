/// What kinds of values a column holds.
struct StoredTypes {
  /// Kinds that SQLite compares with each other; numbers come before texts, and texts before blobs, whatever they are.
  enum Kind: String {
    case number, text, blob

    init?(_ value: BoundValue) {
      switch value {
      case .integer, .real: self = .number
      case .text: self = .text
      case .blob: self = .blob
      case .null: return nil
      }
    }

    /// As typeof() names them, quoted.
    var typeNames: String { self == .number ? "'integer', 'real'" : "'\(rawValue)'" }

    /// In a sentence.
    var plural: String { "\(rawValue)s" }
  }

  private(set) var counts: [Kind: Int64] = [:]
  /// The greatest number, which tells what dates are counted in.
  private(set) var greatest: Double?

  private static let sampledRows = 20_000
  /// Fewer rows say nothing of a column.
  private static let leastRows: Int64 = 20

  /// Of the first rows. Throws `DiagnosisError`. O(1) for large tables.
  init(of column: ColumnSchema, in table: TableSchema, _ context: DetectorContext) throws {
    let name = SQLIdentifier.quoted(column.name)
    let rows = try context.rows(
      """
      SELECT typeof(v), count(*), max(CASE WHEN typeof(v) IN ('integer', 'real') THEN v END) FROM \
      (SELECT \(name) AS v FROM \(SQLIdentifier.quoted(table.name)) LIMIT \(Self.sampledRows)) GROUP BY 1
      """)
    for row in rows {
      guard let type = row[0].text, let count = row[1].integer else { continue }
      switch type {
      case "integer", "real":
        counts[.number, default: 0] += count
        let value = row[2].integer.map(Double.init) ?? row[2].real
        if let value { greatest = max(value, greatest ?? value) }
      case "text": counts[.text, default: 0] += count
      case "blob": counts[.blob, default: 0] += count
      default: break
      }
    }
  }

  /// The only kind that the column holds, but for a hundredth; nil where there is none, or too few rows.
  var only: Kind? {
    let all = counts.values.reduce(0, +)
    guard all >= Self.leastRows, let most = counts.max(by: { $0.value < $1.value }), most.value * 100 >= all * 99 else {
      return nil
    }
    return most.key
  }
}

extension Affinity {
  /// The value as SQLite compares it with a column of this affinity, and stores it there.
  func applied(to value: BoundValue) -> BoundValue {
    switch (self, value) {
    case (.text, .integer(let number)): .text(String(number))
    case (.text, .real(let number)): .text("\(number)")
    case (.integer, .text(let text)), (.real, .text(let text)), (.numeric, .text(let text)):
      Self.number(text).map { .real($0) } ?? value
    default: value
    }
  }

  /// The number that a text is in whole, as SQLite reads it.
  private static func number(_ text: String) -> Double? {
    let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    guard !trimmed.isEmpty, trimmed.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }) else {
      return nil
    }
    return Double(String(trimmed))
  }
}

extension BoundValue {
  var real: Double? { if case .real(let value) = self { value } else { nil } }
}
