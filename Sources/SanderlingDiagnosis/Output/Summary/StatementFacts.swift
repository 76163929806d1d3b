import SanderlingTerminal

/// The facts on a statement besides its plan, in words.
struct StatementFacts: Sendable {
  private let statement: StatementReport

  init(_ statement: StatementReport) {
    self.statement = statement
  }

  /// Returns the number of executions, their time, and their places in the app.
  func facts(showsValues: Bool) -> [String] {
    let logged = statement.statement
    var facts = [logged.count == 1 ? "once" : Figure.count(logged.count, "time")]
    if let time = logged.totalTime { facts.append("\(Figure.duration(time)) in all") }
    if let rows = logged.totalRows { facts.append(Figure.count(rows, "row")) }
    if logged.mostPerOperation > 1 { facts.append("up to \(Figure.count(logged.mostPerOperation)) per operation") }
    facts += Self.frequent(logged.operations).map { "in \($0)" }
    facts += Self.frequent(logged.callers).map { "from \($0)" }
    if let place = logged.places.first { facts.append(place.description.visible(limit: 200)) }
    if showsValues, let bindings = logged.bindings.first, !bindings.isEmpty {
      let values = bindings.sorted { $0.key < $1.key }.prefix(20).map { "?\($0.key) = \($0.value.sqlLiteral)" }
      facts.append("bound \(values.joined(separator: ", "))")
    }
    return facts
  }

  /// Returns one measurement in words.
  static func text(of measurement: StatementMeasurement) -> String {
    let bound = measurement.isComplete ? "" : "≥ "
    var facts = [
      "\(bound)\(Figure.duration(measurement.warmTime)) warm", "\(bound)\(Figure.duration(measurement.coldTime)) cold",
      bound + Figure.count(measurement.steps, "step"), bound + Figure.count(measurement.pages, "page"),
      "\(bound)\(Figure.count(measurement.rowsReturned, "row")) returned",
    ]
    if measurement.scannedRows > 0 { facts.append("\(bound)\(Figure.count(measurement.rowsOfScans)) scanned") }
    if measurement.sorts > 0 { facts.append(bound + Figure.count(measurement.sorts, "sort")) }
    if measurement.automaticIndexRows > 0 {
      facts.append("\(bound)\(Figure.count(measurement.automaticIndexRows, "row")) put into automatic indexes")
    }
    if !measurement.isComplete { facts.append("ended by the budget") }
    return facts.joined(separator: ", ")
  }

  /// Returns the three most frequent names, with counts.
  private static func frequent(_ counts: [String: Int]) -> [String] {
    counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.prefix(3).map { name, count in
      count == 1 ? name.visible(limit: 200) : "\(name.visible(limit: 200)) (\(Figure.count(count))×)"
    }
  }
}

extension BoundValue {
  /// The value as an SQL literal, shortened.
  var sqlLiteral: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): "\(real)"
    case .text(let text): text.visible(limit: 60).quotedLiteral
    case .blob(let bytes): "blob of \(Figure.count(bytes.count, "byte"))"
    }
  }
}
