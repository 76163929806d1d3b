import SanderlingTerminal

/// Writes the fix of a fan-out for GRDB, Sanderling and Core Data. The types in it are named after the tables.
struct FanOutNames {
  let rewrite: FanOutRewrite
  private let context: DetectorContext

  init(_ rewrite: FanOutRewrite, _ context: DetectorContext) {
    (self.rewrite, self.context) = (rewrite, context)
  }

  private var root: String { rewrite.tree.core.first?.table.name ?? "" }
  private var rootType: String { Self.type(root) }

  var grdb: String {
    if rewrite.form == .distinct {
      let conditions = rewrite.sql.from().conditions.filter { $0.hasPrefix("EXISTS") }
      return
        "\(rootType)\n  .filter(sql: \"\"\"\n    \(context.shown(conditions.joined(separator: " AND ")))\n    \"\"\")"
    }
    var lines: [String] = []
    for (place, aggregate) in rewrite.aggregates.enumerated() {
      guard let subquery = rewrite.sql.subquery(aggregate) else { continue }
      lines.append("SQL(sql: \"\"\"\n    \(context.shown(subquery))\n    \"\"\").forKey(\"\(name(aggregate, place))\")")
    }
    return """
      // A subquery for each aggregate, in place of an aggregate of an association, which would join.
      \(rootType)
        .aliased(TableAlias(name: "\(rewrite.statement.shape.resolved.sources[rewrite.tree.root]?.name ?? root)"))
        .annotated(with: [
          \(lines.joined(separator: ",\n    "))
        ])
      """
  }

  var sanderling: String {
    let lines = rewrite.aggregates.enumerated().compactMap { place, aggregate -> String? in
      guard let node = rewrite.tree.branches.first(where: { aggregate.nodes.contains($0.id) }) else { return nil }
      let isFiltered = node.conditions.count > 1
      let rows = "$0.\(Self.member(node.table.name))s" + (isFiltered ? ".filter { … }" : "")
      // The name of another expression is known only to the app's developer.
      let column = argumentColumn(aggregate).map(Self.member) ?? "…"
      let call =
        switch aggregate.function {
        case "count": "count"
        case "total", "sum": "sum(\\.\(column))"
        case "avg": "average(\\.\(column))"
        default: "\(aggregate.function)(\\.\(column))"
        }
      return "  static let \(name(aggregate, place)) = aggregate { \(rows).\(call) }"
    }
    if rewrite.form == .distinct {
      let rows = rewrite.tree.siblings.filter(\.isRequired)
        .map { "!$0.\(Self.member($0.table.name))s.filter { … }.isEmpty" }
      return "\(rootType).where { \(rows.joined(separator: " && ")) }"
    }
    return
      "// Aggregates of associations are subqueries: they never multiply rows.\n@Projection(of: \(rootType).self)\n"
      + "struct \(rootType)Summary {\n\(lines.joined(separator: "\n"))\n}"
  }

  var coreData: String {
    rewrite.form == .distinct
      ? "Ask with SUBQUERY(relationship, $x, …).@count > 0 in the predicate in place of joining key paths."
      : "Keep each count or sum in a derived attribute of \(rootType) (`relationship.@count`, "
        + "`relationship.amount.@sum`), "
        + "or fetch each with its own NSFetchRequest."
  }

  private func argumentColumn(_ aggregate: FanOutAggregate) -> String? {
    guard case .column(let reference)? = aggregate.call.arguments.first?.unwrapped.kind else { return nil }
    return reference.name.text
  }

  private func name(_ aggregate: FanOutAggregate, _ place: Int) -> String {
    for case .expression(let expression, let alias?) in rewrite.sql.core.columns.map(\.kind)
    where expression.range == aggregate.range {
      return Self.member(alias.text)
    }
    return "value\(place + 1)"
  }

  /// The name of the Swift type for a table.
  static func type(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.map(\.capitalizedFirst).joined()
  }

  /// A name in the form of a Swift property.
  static func member(_ name: String) -> String {
    let type = type(name)
    return type.prefix(1).lowercased() + type.dropFirst()
  }
}
