import SanderlingSQL

/// The kinds of values that a column holds.
struct StoredTypes {
  /// The kinds of values. SQLite compares values within a kind. All numbers come before texts, and all texts before
  /// blobs.
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

    /// The names of the kind by typeof(), quoted.
    var typeNames: String { self == .number ? "'integer', 'real'" : "'\(rawValue)'" }

    /// The plural of the kind's name, for sentences.
    var plural: String { "\(rawValue)s" }
  }

  private(set) var counts: [Kind: Int64] = [:]
  /// The greatest number, which shows the unit of dates.
  private(set) var greatest: Double?

  private static let sampledRows = 20_000
  /// The least number of rows that shows the kind of a column.
  private static let leastRows: Int64 = 20

  /// Reads the kinds of the first rows. Throws `DiagnosisError`. O(1) for large tables.
  init(of column: ColumnSchema, in table: TableSchema, _ context: DetectorContext) throws {
    let name = column.name.quotedIdentifier
    let rows = try context.rows(
      """
      SELECT typeof(v), count(*), max(CASE WHEN typeof(v) IN ('integer', 'real') THEN v END) FROM \
      (SELECT \(name) AS v FROM \(table.name.quotedIdentifier) LIMIT \(Self.sampledRows)) GROUP BY 1
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

  /// The kind of at least 99% of the column's values; nil if no kind has that share, or if there are too few rows.
  var only: Kind? {
    let all = counts.values.reduce(0, +)
    guard all >= Self.leastRows, let most = counts.max(by: { $0.value < $1.value }), most.value * 100 >= all * 99 else {
      return nil
    }
    return most.key
  }
}

extension Affinity {
  /// The kind that a value has after SQLite applied this affinity, for a comparison or for storage.
  func kind(of value: BoundValue) -> StoredTypes.Kind? {
    switch (self, value) {
    case (.text, .integer), (.text, .real): .text
    case (.integer, .text(var text)), (.real, .text(var text)), (.numeric, .text(var text)):
      text.withUTF8 { NumericText(UnsafeRawBufferPointer($0)).isWellFormed } ? .number : .text
    default: StoredTypes.Kind(value)
    }
  }
}

extension BoundValue {
  var real: Double? { if case .real(let value) = self { value } else { nil } }
}
