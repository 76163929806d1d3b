import Sanderling

/// The way in which the rows of a query are shown in sections.
struct SectionSpec: Sendable {
  var key: Term
  /// Two aggregates of each section, or none.
  var values: [Term]
  var orderings: [Ordering]
  var startsOpen: Bool
}

extension LiveQuerySpec {
  /// Whether the query may be shown in sections: it reads a record's rows, and its values don't depend on SQLite's
  /// plan.
  var mayBeSectioned: Bool {
    guard case .rows = form, case .table = statement.source else { return false }
    if case .prefetched = reading { return false }
    return !statement.isDistinct && !statement.isGrouped && statement.offset == 0 && PlanDependence(self) == nil
  }

  /// The sections as an SQL query, with one row for each: its key, its count, its values.
  func headers(_ sections: SectionSpec) -> LiveQuerySpec {
    var headers = self
    headers.reading = .stored
    headers.statement.groups = [sections.key]
    headers.statement.columns = [sections.key, .summary(.count, nil)] + sections.values
    headers.statement.orderings = sections.orderings
    headers.statement.limit = nil
    return headers
  }

  /// The rows of the section with a key, as an SQL query.
  func rows(in key: StorageValue, _ sections: SectionSpec) -> LiveQuerySpec {
    var rows = self
    rows.statement.add(condition: .binary(.is, sections.key, .constant(key)))
    return rows
  }
}

extension QueryGenerator {
  /// Sections for the rows of a query: by a column, an expression, a column of a parent, or a day.
  func sections(of record: any FuzzRecord.Type) -> SectionSpec {
    let position = RowPosition(type: record)
    let key = sectionKey(at: position)
    let values = random.chance(60) ? [sectionValue(at: position), sectionValue(at: position)] : []
    var orderings: [Ordering] = []
    if random.chance(60) {
      let terms = values + [key, .summary(.count, nil)]
      orderings = (0..<random.number(1..<3)).map { _ in ordering(random.element(of: terms)) }
    }
    return SectionSpec(key: key, values: values, orderings: orderings, startsOpen: random.chance(70))
  }

  private func sectionKey(at position: RowPosition) -> Term {
    switch random.number(0..<10) {
    case 0..<4:
      return terms.column(at: position, parentPercent: 0) {
        [.integer, .flag, .text, .fold, .placeKey, .crateKey, .loginKey, .word].contains($0)
      }.term
    case 4..<6:
      guard let parent = position.type.toOne.randomElement(using: &random)?.parent(from: .root) else { break }
      return terms.column(at: parent, parentPercent: 10).term
    case 6..<8: return terms.day(at: position).term
    default: break
    }
    return terms.function(
      random.element(of: [.length, .lowercased, .coalesce, .absolute]), at: position, depth: 0
    ).term
  }

  private func sectionValue(at position: RowPosition) -> Term {
    let number = terms.column(at: position) { $0 == .integer || $0 == .flag }.term
    return switch random.number(0..<6) {
    case 0, 1: .function(.coalesce, [.summary(.sum, number), .literal(.integer(0))])
    case 2: .summary(.count, .function(.when, [terms.condition(at: position, depth: 0), .literal(.integer(1))]))
    case 3: .summary(.maximum, terms.column(at: position).term)
    case 4: .summary(.minimum, terms.column(at: position).term)
    default: .summary(random.element(of: [.average, .countDistinct]), number)
    }
  }
}
