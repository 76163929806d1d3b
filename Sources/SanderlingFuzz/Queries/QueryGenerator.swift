import Sanderling

/// Makes live queries. Each query features one construct, so that no construct is missing. The rest of a query is
/// random.
struct QueryGenerator {
  let world: World
  let terms: TermGenerator

  init(_ world: World, random: SeededGenerator) {
    self.world = world
    terms = TermGenerator(world.pool, random: random)
  }

  var random: SeededGenerator {
    get { terms.random }
    nonmutating set { terms.random = newValue }
  }

  /// A query with the construct, if a few attempts make one.
  func query(featuring construct: Construct) -> LiveQuerySpec {
    var last = makeQuery(featuring: construct)
    for _ in 0..<12 {
      if last.constructs.contains(construct), last.isValid { return last }
      last = makeQuery(featuring: construct)
    }
    return last
  }

  // MARK: Parts at random

  func plain(_ record: any FuzzRecord.Type) -> LiveQuerySpec {
    var statement = SelectStatement(source: .table(RecordType(record)), columns: record._terms.map(\.term))
    let position = RowPosition(type: record)
    if random.chance(55) { statement.condition = terms.condition(at: position, depth: 2) }
    if random.chance(80) { statement.orderings = orderings(at: position) }
    if random.chance(18) { statement.limit = random.element(of: [1, 2, 3, 5, 10, 20, 40]) }
    if random.chance(6) {
      statement.limit = random.element(of: [3, 10, 30])
      statement.offset = random.element(of: [1, 2, 5, 12])
    }
    var spec = LiveQuerySpec(form: .rows, reading: .stored, statement: statement, window: window())
    if random.chance(45) { spec.statement.columns = outputs(at: position) }
    return spec
  }

  func window() -> Int {
    random.element(of: [1, 2, 3, 4, 5, 7, 10, 10, 15, 20, 30, 40, 60])
  }

  func orderings(at position: RowPosition) -> [Ordering] {
    (0..<random.element(of: [1, 1, 1, 2, 2, 3])).map { _ in
      let operand = random.chance(80) ? terms.column(at: position) : terms.operand(at: position, depth: 2)
      return ordering(operand.term)
    }
  }

  func ordering(_ term: Term, nulls: Ordering.Nulls? = nil) -> Ordering {
    Ordering(
      term: term, isDescending: random.chance(45),
      nulls: nulls ?? random.element(of: [nil, nil, nil, nil, .first, .last]))
  }

  func outputs(at position: RowPosition) -> [Term] {
    (0..<random.number(1..<5)).map { _ in
      random.chance(55)
        ? terms.column(at: position, parentPercent: 25).term : terms.operand(at: position, depth: 2).term
    }
  }

  func add(_ condition: Term, to statement: inout SelectStatement) {
    switch random.number(0..<4) {
    case 0: statement.add(condition: condition)
    case 1: statement.condition = statement.condition.map { $0 || condition } ?? condition
    default: statement.condition = condition
    }
  }

  // MARK: Constructs

  func record(for construct: Construct) -> any FuzzRecord.Type {
    switch construct {
    case .day: random.element(of: [Crate.self, Note.self])
    case .foldComparison, .foldMembership, .foldPrefix, .foldContains, .orderedByFold, .groupedByFold:
      random.element(of: [Place.self, Crate.self, Tag.self, Note.self, Note.self])
    case .prefixFound: random.element(of: [Place.self, Crate.self, Tag.self, Note.self])
    case .substringsFound: random.element(of: [Place.self, Crate.self, Tag.self, Note.self])
    case .foundTogether: random.element(of: [Place.self, Crate.self, Note.self])
    case .wordsFound, .orderedByRelevance: random.element(of: fuzzRecords)
    case .foundInParent: random.element(of: fuzzRecords)
    case .foundInAggregate:
      random.element(of: [Place.self, Place.self, Crate.self, Crate.self, Crate.self, Person.self, Tag.self])
    case .foldOfParent: random.element(of: [Crate.self, Tag.self, Note.self, Note.self])
    case .foldInAggregate: random.element(of: [Place.self, Crate.self, Person.self, Tag.self])
    case .recursive: random.element(of: [Place.self, Person.self])
    case .through: random.element(of: [Place.self, Person.self, Note.self])
    case .view: random.element(of: fuzzViews)
    case .compositeParent: Note.self
    case .filteredParent: random.element(of: [Place.self, Crate.self])
    case .grandparent: random.element(of: [Note.self, Tag.self, Crate.self, Place.self, Person.self])
    case .orderedByAggregate, .aggregateInCondition, .aggregateInOutput, .count, .filteredCount, .exists, .sum,
      .minimum,
      .maximum, .average, .countDistinct, .joined, .outerRow, .aggregateOfParents:
      random.element(of: [Place.self, Place.self, Crate.self, Crate.self, Person.self, Tag.self])
    case .nestedAggregate: random.element(of: [Place.self, Place.self, Place.self, Crate.self, Person.self])
    case .aggregateOverPath: random.element(of: [Crate.self, Note.self, Tag.self, Place.self])
    default: random.element(of: random.chance(3) ? fuzzViews : fuzzRecords)
    }
  }

  func makeQuery(featuring construct: Construct) -> LiveQuerySpec {
    let record = record(for: construct)
    let position = RowPosition(type: record)
    var spec = plain(record)
    if let condition = condition(featuring: construct, at: position) {
      add(condition, to: &spec.statement)
      return varied(spec)
    }
    if let operand = operand(featuring: construct, at: position) {
      use(operand, as: construct, in: &spec.statement)
      return varied(spec)
    }
    shape(&spec, featuring: construct, at: position)
    return spec
  }

  /// The query in a random form, often as a count. For a list, the database checks the rows that Swift finds; a count
  /// relies on Swift alone.
  func varied(_ spec: LiveQuerySpec) -> LiveQuerySpec {
    var spec = spec
    switch random.number(0..<20) {
    case 0..<8: spec.form = .count
    case 8: spec.form = .value
    default: break
    }
    return spec
  }
}

extension LiveQuerySpec {
  /// Whether SQL accepts the query.
  fileprivate var isValid: Bool {
    if case .raw = form { return true }
    return (try? SQLCompiler.compile(totallyOrdered.statement)) != nil
  }
}
