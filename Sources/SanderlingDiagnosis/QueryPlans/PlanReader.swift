/// Reads EXPLAIN QUERY PLAN.
struct PlanReader {
  let connection: SQLiteConnection
  /// Resolves aliases of tables and columns of indexes; nil if they are not needed.
  var schema: DatabaseSchema?

  /// The most lines that are read. A usual statement has few lines, but a hostile view can make SQLite print very many.
  static let maximumLines = 10_000

  /// Returns the plan of a statement. Without values for its parameters, it is the plan of an app's prepared statement;
  /// with values, it is the plan of their execution.
  ///
  /// Throws `DiagnosisError` if SQLite refuses the statement. O(lines).
  func plan(of sql: String, bindings: [Int: BoundValue] = [:]) throws -> QueryPlan {
    try provideFunctions(for: sql)
    return PlanTree.plan(of: try lines(of: sql, bindings: bindings), aliases: aliases(in: sql), schema: schema)
  }

  /// Returns the lines as SQLite prints them. With bindings, they are those of the bound statement, because patterns
  /// and partial indexes depend on values.
  ///
  /// Throws `DiagnosisError` if SQLite refuses the statement.
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

  /// Installs stand-ins for missing functions. Under EXPLAIN, some builds such as Apple's accept unknown functions and
  /// plan without knowing their properties.
  private func provideFunctions(for sql: String) throws {
    if connection.standIns != nil { _ = try connection.prepareReadingOrWriting(sql) }
  }

  /// Returns the plan from a log's text: lines with `|--` and `` `-- `` as the shell draws them, or numbers and
  /// details.
  static func plan(ofText text: String, schema: DatabaseSchema? = nil) -> QueryPlan {
    PlanTree.plan(of: PlanText.lines(of: text), aliases: [:], schema: schema)
  }

  /// Returns tables by the aliases in a statement, in lower case. An alias of two tables is left out.
  private func aliases(in sql: String) -> [String: String] {
    guard let schema, let shape = try? ShapeReader.shape(of: sql, in: schema.description) else { return [:] }
    var tables: [String: Set<String>] = [:]
    for source in shape.selectsWithViews.flatMap(\.sources) {
      if let table = source.table { tables[source.name.asciiLowercased, default: []].insert(table) }
    }
    return tables.compactMapValues { $0.count == 1 ? $0.first : nil }
  }
}

/// A line of a plan without its position in the tree.
struct PlanLine: Hashable, Sendable {
  var id: Int
  var parent: Int
  var detail: String
}
