import SanderlingSQL

/// Finds the known name that is nearest to an unknown name of a statement.
package struct NearestName {
  let schema: DatabaseSchema

  /// Returns SQLite's error message for a statement. If the name of a table or column is unknown, the message includes
  /// the nearest known name.
  func explained(_ error: DiagnosisError, in sql: String) -> String {
    guard case .statement(let shown, let reason) = error,
      let unknown = Self.unknownName(in: reason)
    else { return "\(error)" }
    let nearest = Self.nearest(to: unknown.name, in: unknown.isTable ? tables : columns(of: sql))
    let hint = nearest.map { ". The nearest name is \($0)" } ?? ""
    return "SQLite refuses `\(shown)`: \(reason)\(hint)."
  }

  /// Returns the name in SQLite's message, without its qualifiers; nil if the message has another subject.
  private static func unknownName(in reason: String) -> (name: String, isTable: Bool)? {
    for (beginning, isTable) in [("no such table: ", true), ("no such column: ", false)] {
      if reason.hasPrefix(beginning) {
        return (lastPart(of: reason.dropFirst(beginning.count)), isTable)
      }
    }
    // The message for INSERT and UPDATE.
    if let found = reason.firstMatch(of: #/^table .+ has no column named (.+)$/#) {
      return (String(found.output.1), false)
    }
    return nil
  }

  private static func lastPart(of name: Substring) -> String {
    let unquoted = name.split(separator: ".").last ?? name
    return String(unquoted.drop { $0 == "\"" }.prefix { $0 != "\"" && $0 != " " })
  }

  private var tables: [String] { schema.tables.filter { $0.kind != .shadow }.map(\.name) + schema.views.map(\.name) }

  /// Returns the columns of the tables that a statement names, or else of all tables.
  private func columns(of sql: String) -> [String] {
    let text = SQLText(sql)
    let words = Set(
      SQLTokenizer(text).lazy.filter { [.word, .doubleQuoted, .quotedName].contains($0.kind) }
        .map { text[$0.range].asciiLowercased.filter { !"\"`[]".contains($0) } })
    let all = schema.tables.map { ($0.name, $0.columns.map(\.name)) } + schema.views.map { ($0.name, $0.columns) }
    let named = all.filter { words.contains($0.0.asciiLowercased) }
    return (named.isEmpty ? all : named).flatMap(\.1)
  }

  /// Returns the name with the fewest edits, if they are at most half of its letters, or one. O(names · length²).
  package static func nearest(to name: String, in names: [String]) -> String? {
    let best = names.map { (name: $0, distance: SimilarNames.distance(name.asciiLowercased, $0.asciiLowercased)) }
      .min { $0.distance < $1.distance }
    guard let best, best.distance <= max(1, min(name.count, best.name.count) / 2) else { return nil }
    return best.name
  }
}
