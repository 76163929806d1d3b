/// Arranges lines as a tree by their numbers.
enum PlanTree {
  /// The greatest depth. Deeper lines become siblings. SQLite accepts no statement with such a plan, but a log can
  /// contain anything.
  static let maximumDepth = 200

  static func plan(of lines: [PlanLine], aliases: [String: String], schema: DatabaseSchema?) -> QueryPlan {
    var children: [Int: [Int]] = [:]
    var depths: [Int: (depth: Int, place: Int)] = [:]
    var roots: [Int] = []
    for (place, line) in lines.enumerated() {
      // A parent precedes its children, which excludes cycles.
      if let parent = depths[line.parent], line.parent != line.id, parent.depth < maximumDepth {
        children[parent.place, default: []].append(place)
        depths[line.id] = (parent.depth + 1, place)
      } else {
        roots.append(place)
        depths[line.id] = (0, place)
      }
    }
    func node(_ place: Int) -> PlanNode {
      let line = lines[place]
      let step = PlanStep(detail: line.detail)
      let nodes = children[place, default: []].map(node)
      return PlanNode(
        id: line.id, detail: line.detail, step: step,
        meaning: PlanMeaning(aliases: aliases, schema: schema).sentence(for: step, detail: line.detail), children: nodes
      )
    }
    return QueryPlan(roots: roots.map(node))
  }
}

/// Plans as text in logs.
enum PlanText {
  /// Returns the lines of a drawn tree, numbered from 1, with the parent according to the indentation; 0 for none.
  static func lines(of text: String) -> [PlanLine] {
    var lines: [PlanLine] = []
    var open: [(indentation: Int, id: Int)] = []
    for row in text.split(whereSeparator: \.isNewline).prefix(PlanReader.maximumLines) {
      guard let (indentation, detail) = line(row), detail != "QUERY PLAN" else { continue }
      while let last = open.last, last.indentation >= indentation { open.removeLast() }
      let id = lines.count + 1
      lines.append(PlanLine(id: id, parent: open.last?.id ?? 0, detail: detail))
      open.append((indentation, id))
    }
    return lines
  }

  private static func line(_ row: Substring) -> (indentation: Int, detail: String)? {
    var indentation = 0
    var rest = row
    while let first = rest.first, " |`-\t".contains(first) {
      indentation += 1
      rest.removeFirst()
    }
    let detail = String(rest).trimmedEnd
    if detail.isEmpty { return nil }
    // "id|parent|notused|detail" or "selectid|order|from|detail".
    let parts = detail.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false)
    if parts.count == 4, parts.prefix(3).allSatisfy({ Int($0) != nil }) { return (0, String(parts[3])) }
    return (indentation, detail)
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = Substring(self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
