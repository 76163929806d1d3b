import SanderlingTerminal

/// Explains a line of a plan to readers who know tables and indexes.
struct PlanMeaning {
  /// Tables by their aliases in lower case.
  var aliases: [String: String] = [:]
  var schema: DatabaseSchema?

  func sentence(for step: PlanStep, detail: String) -> String {
    switch step {
    case .scan(let table, nil, _):
      if isSubquery(table) { return "Reads all rows that the subquery \(table) gives." }
      if detail.hasPrefix("RIGHT-JOIN ") { return "Reads \(name(table)) again for the rows that found no partner." }
      return "Reads every row of \(name(table))\(rows(table)), regardless of the conditions."
    case .scan(let table, let index?, true):
      return "Reads every entry of the index \(index)\(columns(index)) from end to end; it holds all that is needed of "
        + "\(name(table))."
    case .scan(let table, let index?, false):
      return
        "Reads every row of \(name(table)) in the order of the index \(index)\(columns(index)), each looked up one "
        + "by one."
    case .search(let table, let index, let isCovering, let terms):
      return search(table, index, isCovering, terms)
    case .automaticIndex(let table, let isPartial, let terms):
      return
        "Builds an index of \(isPartial ? "a part of " : "")\(name(table)) on \(list(terms)) for this one execution "
        + "and discards it: a stored index is missing."
    case .virtualTable(let table, _):
      return "Asks the virtual table \(name(table)) for rows. SQLite doesn't show how the table finds them."
    case .temporaryBTree(let purpose): return temporaryBTree(purpose)
    case .subquery(true, _): return "Runs the subquery below again for each row of the query around it."
    case .subquery(false, _): return "Runs the subquery below once and keeps its result."
    case .coroutine(let name): return "Gives the rows of \(Self.subquery(name)) one by one to the query around it."
    case .materialize(let name): return "Stores all rows of \(Self.subquery(name)) in a temporary table first."
    case .compound(let name):
      return name.isEmpty
        ? "Combines the results of several SELECTs." : "Combines the results of several SELECTs by \(name)."
    case .multiIndexOr:
      return "Looks up each side of the OR by an index of its own, and leaves out rows found twice."
    case .bloomFilter(let table):
      return "Makes a filter of the keys of \(name(table)) first, so that most look-ups that find nothing are skipped."
    case .constantRow: return "Makes one row without reading a table."
    case .other: return other(detail)
    }
  }

  private func search(_ table: String, _ index: String?, _ isCovering: Bool, _ terms: [String]) -> String {
    let subject = isSubquery(table) ? "the subquery \(table)" : name(table)
    guard let index else {
      return terms.isEmpty
        ? "Reads \(subject) from one end for its least or greatest value, and stops at the first row that fits."
        : "Finds rows of \(subject) by the table's own key, \(list(terms))."
    }
    let way = "the index \(index)\(columns(index))"
    if terms.isEmpty {
      return "Reads \(way) from one end for its least or greatest value, and stops at the first row that fits."
    }
    return isCovering
      ? "Finds entries by \(list(terms)) in \(way), which holds all that is needed of \(subject)."
      : "Finds rows of \(subject) by \(list(terms)) in \(way), and looks up each row in the table."
  }

  private func temporaryBTree(_ purpose: TemporaryBTreePurpose) -> String {
    switch purpose {
    case .orderBy: "Sorts all rows found so far, since no index gives them in the order asked for."
    case .lastTermsOfOrderBy(let terms):
      "Sorts rows that are equal in the first terms of ORDER BY by the last \(terms.map { "\($0)" } ?? "ones"), since the "
        + "index gives the first only."
    case .groupBy: "Sorts all rows to bring those of each group together, since no index gives them so."
    case .distinct: "Remembers all different rows to leave out repetitions, since no index gives them in order."
    case .union: "Collects the rows of all parts of the UNION to leave out repetitions."
    case .other(let what): what.isEmpty ? "Sorts or collects rows." : "Sorts or collects rows for \(what)."
    }
  }

  private func other(_ detail: String) -> String {
    switch detail {
    case "SETUP": "The rows with which the recursion begins."
    case "RECURSIVE STEP": "Runs again for each row that the recursion has found so far."
    case "LEFT-MOST SUBQUERY", "LEFT": "The first part."
    case "RIGHT": "The second part."
    case _ where detail.hasPrefix("INDEX "): "One side of the OR."
    default: "SQLite says: \(detail)."
    }
  }

  // MARK: Names

  private func isSubquery(_ table: String) -> Bool {
    table.hasPrefix("SUBQUERY ") || table.hasPrefix("(subquery") || table.hasPrefix("(join")
  }

  private static func subquery(_ name: String) -> String { name.isEmpty ? "a subquery" : "the subquery \(name)" }

  private func name(_ table: String) -> String {
    guard let original = aliases[table.asciiLowercased], original.asciiLowercased != table.asciiLowercased else {
      return table
    }
    return "\(original) (\(table))"
  }

  private func rows(_ table: String) -> String {
    let original = aliases[table.asciiLowercased] ?? table
    guard let count = schema?.table(original)?.rowCount else { return "" }
    return " (\(Figure.count(count)) of them)"
  }

  private func columns(_ index: String) -> String {
    guard let keys = schema?.index(index)?.keys, !keys.isEmpty else { return "" }
    return " (" + keys.map { $0.column ?? $0.expression ?? "?" }.joined(separator: ", ") + ")"
  }

  private func list(_ terms: [String]) -> String {
    terms.isEmpty ? "its key" : terms.joined(separator: " and ")
  }
}
