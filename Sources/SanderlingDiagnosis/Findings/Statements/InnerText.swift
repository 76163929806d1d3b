import SanderlingSQL

/// The text of a subquery. Its only table gets another name if the outer row's table has the same name.
struct InnerText {
  /// The other name of the subquery's table; nil if the table keeps its name.
  var alias: String?
  private let text: SQLText
  private var rewriter: SQLRewriter

  init(_ core: SQLSelectCore, _ from: SQLFrom, beside value: SQLExpression, _ statement: MovableStatement) {
    let resolved = statement.shape.resolved
    text = statement.text
    rewriter = SQLRewriter(text)
    let outer = statement.sources(in: value.range).compactMap { resolved.sources[$0]?.name.asciiLowercased }
    guard from.sources.count == 1, let source = from.sources.first, source.alias == nil,
      let name = resolved.sources[source.id]?.name, outer.contains(name.asciiLowercased),
      // For a qualified name, both names would have to be replaced.
      !resolved.references.contains(where: { offset, meaning in
        guard core.range.contains(offset), case .column(source.id, _) = meaning else { return false }
        return text[MembershipDetector.nameRange(from: offset, in: text)].contains(".")
      })
    else { return }
    let names = Set(resolved.sources.values.map(\.name.asciiLowercased))
    let free = (2...).lazy.map { "\(name)_\($0)" }.first { !names.contains($0.asciiLowercased) } ?? "\(name)_2"
    alias = FanOutSQL.name(free)
    rewriter.insert(" AS \(FanOutSQL.name(free))", at: source.range.upperBound)
  }

  subscript(range: Range<Int>) -> String { alias == nil ? text[range] : rewriter.rewritten(range) }
}
