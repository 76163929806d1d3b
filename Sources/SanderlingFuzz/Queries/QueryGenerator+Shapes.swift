import Sanderling

/// Constructs that shape a query as a whole.
extension QueryGenerator {
  func shape(_ spec: inout LiveQuerySpec, featuring construct: Construct, at position: RowPosition) {
    switch construct {
    case .unordered: spec.statement.orderings = []
    case .severalKeys:
      spec.statement.orderings = [ordering(terms.column(at: position).term), ordering(terms.column(at: position).term)]
    case .descending: spec.statement.orderings = [Ordering(term: terms.column(at: position).term, isDescending: true)]
    case .nullsFirst: spec.statement.orderings = [ordering(terms.column(at: position).term, nulls: .first)]
    case .nullsLast: spec.statement.orderings = [ordering(terms.column(at: position).term, nulls: .last)]
    case .orderedByText: spec.statement.orderings = [ordering(terms.column(at: position, where: \.isText).term)]
    case .orderedByExpression: spec.statement.orderings = [ordering(terms.operand(at: position, depth: 2).term)]
    case .orderedByParent:
      guard let parent = position.type.toOne.randomElement(using: &random)?.parent(from: .root) else { return }
      spec.statement.orderings = [ordering(terms.column(at: parent, parentPercent: 10).term)]
    case .orderedByAggregate:
      guard let operand = terms.aggregate(at: position, depth: 1) else { return }
      spec.statement.orderings = [ordering(operand.term)]
      if random.chance(50) { spec.statement.columns.append(operand.term) }
    case .limit: spec.statement.limit = random.element(of: [1, 2, 3, 5, 10])
    case .offset:
      spec.statement.limit = random.element(of: [3, 10, 30])
      spec.statement.offset = random.element(of: [1, 2, 5, 12])
    case .emptyLimit: spec.statement.limit = 0
    case .smallWindow: spec.window = random.number(1..<6)
    case .windowGrown: spec.window = random.number(1..<8)
    case .parentInOutput:
      guard let parent = position.type.toOne.randomElement(using: &random)?.parent(from: .root) else { return }
      spec.statement.columns.append(terms.column(at: parent, parentPercent: 10).term)
    case .aggregateInOutput:
      for _ in 0..<random.number(1..<4) {
        if let operand = terms.aggregate(at: position, depth: 1) { spec.statement.columns.append(operand.term) }
      }
    case .orderedByFold:
      guard let fold = terms.fold(at: position) else { return }
      let others = random.chance(50) ? [] : [ordering(terms.column(at: position).term)]
      spec.statement.orderings = [ordering(fold.term)] + others
      if random.chance(40) { spec.statement.columns.append(fold.term) }
    case .orderedByRelevance: orderByRelevance(&spec, at: position)
    case .countOfRows: spec.form = .count
    case .firstRow: spec.form = .value
    default: shapeForm(&spec, featuring: construct, at: position)
    }
  }

  private func shapeForm(_ spec: inout LiveQuerySpec, featuring construct: Construct, at position: RowPosition) {
    switch construct {
    case .recordByKey:
      spec.form = .key(position.type.table.key.map { world.pool.natural(position.type.kinds[$0], using: &random) })
      spec.reading = .typed(position.type)
      spec.statement = SelectStatement(source: spec.statement.source, columns: position.type._terms.map(\.term))
    case .records:
      spec.reading = .typed(position.type)
      spec.statement.columns = position.type._terms.map(\.term)
      if random.chance(20) { spec.form = .value }
    case .projection: readProjection(&spec)
    case .view: spec = varied(spec)
    case .prefetch, .nestedPrefetch, .limitedPrefetch: prefetch(&spec, construct)
    case .summaryCount, .summarySum, .summaryMinimum, .summaryMaximum, .summaryAverage, .conditionalSummary:
      random.chance(50) && construct == .conditionalSummary
        ? group(&spec, construct, position) : summarize(&spec, construct, position)
    case .groupedCount, .groupedSum, .groupedOther, .having: group(&spec, construct, position)
    case .groupedByFold:
      group(&spec, .groupedCount, position)
      guard let fold = terms.fold(at: position) else { return }
      spec.statement.columns[0] = fold.term
      spec.statement.groups[0] = fold.term
    case .distinct: makeDistinct(&spec, position)
    case .rawSource: readHandwritten(&spec, position.type)
    case .rawQuery: spec.form = .raw(random.element(of: HandwrittenQueries.all))
    default: break
    }
  }

  /// Orders the rows by the relevance of a search, whose text mostly finds some rows.
  private func orderByRelevance(_ spec: inout LiveQuerySpec, at position: RowPosition) {
    guard let relevance = terms.relevance(at: position) else { return }
    if random.chance(70), let search = relevance.term.searchOfRelevance { add(search, to: &spec.statement) }
    spec.statement.orderings = [Ordering(term: relevance.term, isDescending: random.chance(75))]
    if random.chance(30) { spec.statement.orderings.append(ordering(terms.column(at: position).term)) }
    if random.chance(30) { spec.statement.columns.append(relevance.term) }
  }

  private func readProjection(_ spec: inout LiveQuerySpec) {
    if random.chance(50) {
      spec = plain(Place.self)
      spec.reading = .typed(PlaceSummary.self)
      spec.statement.columns = PlaceSummary._terms.map(\.term)
    } else {
      spec = plain(Crate.self)
      spec.reading = .typed(CrateSummary.self)
      spec.statement.columns = CrateSummary._terms.map(\.term)
    }
  }

  private func prefetch(_ spec: inout LiveQuerySpec, _ construct: Construct) {
    let shapes = PrefetchSpec.Shape.allCases.filter { construct != .nestedPrefetch || $0.isNested }
    let shape = random.element(of: shapes)
    let parts = shape.children.map { child -> PrefetchSpec.Part in
      let position = RowPosition(type: child)
      return PrefetchSpec.Part(
        condition: random.chance(50) ? terms.condition(at: position, depth: random.number(0..<2)) : nil,
        orderings: random.chance(70) ? [ordering(terms.column(at: position).term)] : [],
        limit: random.chance(construct == .limitedPrefetch ? 80 : 25) ? random.element(of: [0, 1, 2, 3, 5]) : nil)
    }
    spec = plain(shape.root)
    spec.statement.columns = shape.root._terms.map(\.term)
    spec.reading = .prefetched(PrefetchSpec(shape: shape, parts: parts))
    if random.chance(15) { spec.form = .value }
  }

  private func summary(
    _ function: AggregateFunction, at position: RowPosition, for construct: Construct = .summaryCount
  ) -> Term {
    switch function {
    case _ where construct == .conditionalSummary:
      .summary(function, .function(.when, [terms.condition(at: position, depth: 0), number(at: position)]))
    case .count where random.chance(60): .summary(.count, nil)
    // The sum as the public interface makes it; otherwise the bare aggregate.
    case .sum where random.chance(70):
      .function(.coalesce, [.summary(.sum, number(at: position)), .literal(.integer(0))])
    case .sum, .average: .summary(function, number(at: position))
    default: .summary(function, terms.operand(at: position, depth: 1).term)
    }
  }

  private func number(at position: RowPosition) -> Term {
    terms.column(at: position) { $0 == .integer || $0 == .flag }.term
  }

  private func summarize(_ spec: inout LiveQuerySpec, _ construct: Construct, _ position: RowPosition) {
    let function: AggregateFunction =
      switch construct {
      case .summaryCount: random.element(of: [.count, .countDistinct])
      case .summarySum: .sum
      case .summaryMinimum: .minimum
      case .summaryMaximum: .maximum
      case .conditionalSummary: random.element(of: [.count, .sum, .average])
      default: .average
      }
    spec.form = .value
    spec.statement.columns = [summary(function, at: position, for: construct)]
    if random.chance(30) { spec.statement.columns.append(.summary(.count, nil)) }
    if random.chance(20) {
      spec.statement.columns.append(.function(.coalesce, [summary(.maximum, at: position), .literal(.integer(0))]))
    }
    spec.statement.orderings = []
    spec.statement.limit = nil
    spec.statement.offset = 0
  }

  private func group(_ spec: inout LiveQuerySpec, _ construct: Construct, _ position: RowPosition) {
    let groups = (0..<random.element(of: [1, 1, 1, 2])).map { _ in
      if random.chance(15) { return terms.day(at: position).term }
      return terms.column(at: position, parentPercent: 15) {
        [.integer, .flag, .text, .fold, .placeKey, .crateKey, .word].contains($0)
      }.term
    }
    let functions: [AggregateFunction] =
      switch construct {
      case .groupedCount: [.count]
      case .groupedSum: [.sum]
      case .groupedOther: [random.element(of: [.minimum, .maximum, .average, .countDistinct])]
      default: [random.element(of: [.count, .sum])]
      }
    let summaries = (functions + (random.chance(40) ? [.count] : [])).map { summary($0, at: position, for: construct) }
    spec.statement.groups = groups
    spec.statement.columns = groups + summaries
    spec.statement.orderings = (random.chance(50) ? summaries.prefix(1) : []).map { ordering($0) }
    if construct == .having || random.chance(15) {
      spec.statement.groupCondition = .binary(
        random.element(of: TermGenerator.comparisons), .summary(.count, nil),
        .constant(.integer(Int64(random.number(0..<4)))))
    }
    if random.chance(10) { spec.form = .count }
  }

  private func makeDistinct(_ spec: inout LiveQuerySpec, _ position: RowPosition) {
    let columns = (0..<random.number(1..<3)).map { _ in terms.column(at: position, parentPercent: 20).term }
    spec.statement.isDistinct = true
    spec.statement.columns = columns
    spec.statement.orderings = columns.map { ordering($0) }
    if random.chance(15) { spec.form = .count }
  }

  private func readHandwritten(_ spec: inout LiveQuerySpec, _ record: any FuzzRecord.Type) {
    let table = record.table.name
    let column = random.number(0..<record.kinds.count)
    let name = record.table.columns[column].name.quotedIdentifier
    let value = world.pool.nonNull(record.kinds[column], using: &random)
    let fragments: [RawFragment] = [.sql(ExactText("SELECT * FROM \(table) WHERE \(name) IS NOT ")), .value(value)]
    var statement = SelectStatement(source: .raw(fragments, RecordType(record)), columns: record._terms.map(\.term))
    statement.condition = spec.statement.condition
    statement.orderings = spec.statement.orderings
    statement.limit = spec.statement.limit
    spec.statement = statement
    if random.chance(25) { spec.form = .count }
  }
}
