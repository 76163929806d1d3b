/// Reads EXPLAIN QUERY PLAN.
struct PlanReader {
  let connection: SQLiteConnection
  /// For names of tables behind aliases and for columns of indexes; nil when they are not needed.
  var schema: DatabaseSchema?

  /// SQLite prints few lines for a statement; a hostile view can make it print very many.
  static let maximumLines = 10_000

  /// The plan of a statement. Without values for its parameters it is as when the statement is prepared in an app; with them,
  /// as when it runs.
  ///
  /// Throws `DiagnosisError` when SQLite refuses the statement. O(lines).
  func plan(of sql: String, bindings: [Int: BoundValue] = [:]) throws -> QueryPlan {
    try provideFunctions(for: sql)
    return PlanTree.plan(of: try lines(of: sql, bindings: bindings), aliases: aliases(in: sql), schema: schema)
  }

  /// The lines as SQLite prints them. With values, on which patterns and partial indexes depend, as when these are bound.
  ///
  /// Throws `DiagnosisError` when SQLite refuses the statement.
  func lines(of sql: String, bindings: [Int: BoundValue] = [:]) throws -> [PlanLine] {
    let statement = try connection.prepareReadingOrWriting("EXPLAIN QUERY PLAN " + sql)
    try statement.bind(bindings)
    var lines: [PlanLine] = []
    while try statement.step(), lines.count < Self.maximumLines {
      // id, parent, notused, detail
      let row = statement.row
      guard row.count >= 4, let id = row[0].integer, let parent = row[1].integer, let detail = row[3].text else {
        continue
      }
      lines.append(PlanLine(id: Int(clamping: id), parent: Int(clamping: parent), detail: detail))
    }
    return lines
  }

  /// Has stand-ins take the place of functions that are missing. Under EXPLAIN a SQLite may take unknown functions as they are,
  /// as the one of Apple's systems does, and plan without knowing what they promise.
  private func provideFunctions(for sql: String) throws {
    if connection.standIns != nil { _ = try connection.prepareReadingOrWriting(sql) }
  }

  /// The plan that a log shows as text: lines with `|--` and `` `-- `` as the shell draws them, or numbers and details.
  static func plan(ofText text: String, schema: DatabaseSchema? = nil) -> QueryPlan {
    PlanTree.plan(of: PlanText.lines(of: text), aliases: [:], schema: schema)
  }

  /// Tables by the aliases that a statement gives them, in lower case. An alias of two tables is left out.
  private func aliases(in sql: String) -> [String: String] {
    guard let schema, let shape = try? ShapeReader.shape(of: sql, in: schema.description) else { return [:] }
    var tables: [String: Set<String>] = [:]
    for source in shape.selectsWithViews.flatMap(\.sources) {
      if let table = source.table { tables[source.name.asciiLowercased, default: []].insert(table) }
    }
    return tables.compactMapValues { $0.count == 1 ? $0.first : nil }
  }
}

/// A line of a plan before it has its place in the tree.
struct PlanLine: Hashable, Sendable {
  var id: Int
  var parent: Int
  var detail: String
}
