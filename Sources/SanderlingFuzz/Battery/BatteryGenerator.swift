import Sanderling

/// Generates the battery of a round: small live queries that stay open from its start to its end. They make each
/// operator decide about many rows, and follow each association after every change.
struct BatteryGenerator {
  private static let countCount = 32
  private static let rangeCount = 8
  private static let conversionCount = 8
  private static let windowCount = 8
  private static let relatedCount = 8

  private let world: World
  private let terms: TermGenerator
  private let conditions: SmallConditions

  init(_ world: World, random: SeededGenerator) {
    self.world = world
    terms = TermGenerator(world.pool, random: random)
    conditions = SmallConditions(terms)
  }

  private var random: SeededGenerator {
    get { terms.random }
    nonmutating set { terms.random = newValue }
  }

  func queries() -> [LiveQuerySpec] {
    (0..<Self.countCount).map { count(SmallConditions.Kind.allCases[$0 % SmallConditions.Kind.allCases.count]) }
      + ranges() + (0..<Self.conversionCount).map { _ in conversion() } + (0..<Self.windowCount).map { _ in window() }
      + (0..<Self.relatedCount).map(related)
  }

  private func spec(_ form: LiveQuerySpec.Form, _ record: any FuzzRecord.Type, _ columns: [Term]) -> LiveQuerySpec {
    let statement = SelectStatement(source: .table(RecordType(record)), columns: columns)
    return LiveQuerySpec(form: form, reading: .stored, statement: statement, window: 60)
  }

  /// A count of rows by their own columns. Swift evaluates its condition.
  private func count(_ kind: SmallConditions.Kind) -> LiveQuerySpec {
    let record = random.element(of: fuzzRecords)
    let position = RowPosition(type: record)
    var result = spec(.count, record, [position.column(0)])
    result.statement.condition = conditions.condition(kind, at: position, depth: 1)
    return result
  }

  /// Counts by overlapping ranges of one column, which the tree of ranges holds.
  private func ranges() -> [LiveQuerySpec] {
    let position = RowPosition(type: random.element(of: [Place.self, Crate.self, Person.self, Note.self, Tag.self]))
    let column = conditions.column(at: position) {
      [.integer, .text, .fold, .noteKey, .real].contains($0)
    }
    return (0..<Self.rangeCount).map { _ in
      func bound() -> StorageValue {
        column.kind.isText
          ? world.pool.natural(column.kind, using: &random)
          : .integer(Int64(random.number(-3..<(column.kind == .noteKey ? 70 : 9))))
      }
      let ends = [bound(), bound()].sorted { $0.sortsBeforeInStorage($1) }
      var result = spec(.count, position.type, [position.column(0)])
      result.statement.condition =
        .binary(random.element(of: [.greater, .greaterOrEqual]), column.term, .constant(ends[0]))
        && .binary(random.element(of: [.less, .lessOrEqual]), column.term, .constant(ends[1]))
      return result
    }
  }

  /// A count by a text that looks like a number. A database that declares another type than the record converts it to a
  /// number.
  private func conversion() -> LiveQuerySpec {
    let position = RowPosition(type: random.element(of: fuzzRecords))
    let column = conditions.column(at: position, where: \.isText).term
    let text = random.element(of: ["1", "12", "0", "-1", "2.50"])
    var result = spec(.count, position.type, [position.column(0)])
    result.statement.condition = .binary(
      random.element(of: TermGenerator.comparisons), column, .constant(.text(text)))
    return result
  }

  /// A live list of a few rows out of many. Changes move rows across the end of its window.
  private func window() -> LiveQuerySpec {
    let position = RowPosition(
      type: random.chance(70) ? random.element(of: [Note.self, Note.self, Tag.self]) : random.element(of: fuzzRecords))
    // Mostly orders by the column that is changed in all rows at once, which moves the far edge.
    let moved = position.type.table.columns.firstIndex { ["stars", "strength"].contains($0.name) }
    let ordered =
      moved.flatMap { random.chance(60) ? position.column($0) : nil } ?? conditions.column(at: position).term
    var result = spec(.rows, position.type, position.type.table.key.map(position.column) + [ordered])
    result.statement.orderings = [
      Ordering(
        term: ordered, isDescending: random.chance(40),
        nulls: random.element(of: [nil, nil, nil, .first, .last]))
    ]
    if random.chance(40) { result.statement.condition = conditions.anyCondition(at: position, depth: 1) }
    if random.chance(25) { result.statement.limit = random.number(1..<6) }
    result.window = random.element(of: [1, 2, 3, 5, 8, 12, 20])
    return result
  }

  /// All rows with values from associated rows, or a count by such a value.
  private func related(_ number: Int) -> LiveQuerySpec {
    switch number {
    case 0: return aggregated(Place.self) { $0.includesSelf }
    case 1: return aggregated(Place.self) { $0.isRecursive }
    case 2: return aggregated(Person.self) { $0.isRecursive }
    case 3: return withParents(Crate.self)
    case 4: return aggregated(random.element(of: [Place.self, Crate.self, Person.self, Tag.self])) { _ in true }
    case 5: return withParents(random.element(of: [Crate.self, Note.self, Tag.self, Place.self, Person.self]))
    default:
      let position = RowPosition(type: random.element(of: [Place.self, Crate.self, Person.self]))
      var result = spec(.count, position.type, [position.column(0)])
      let ofParent = position.type.toOne.randomElement(using: &random)?.parent(from: .root)
      result.statement.condition =
        number == 6
        ? terms.aggregateCondition(at: position, depth: 0)
        : ofParent.map { conditions.anyCondition(at: $0, depth: 0) }
      return result
    }
  }

  private func aggregated(
    _ record: any FuzzRecord.Type, where isWanted: (any ToManyLink) -> Bool
  ) -> LiveQuerySpec {
    let position = RowPosition(type: record)
    let aggregates = (0..<2).compactMap { _ in
      terms.aggregate(at: position, depth: 0, overPath: false, where: isWanted)?.term
    }
    var result = spec(.rows, record, record.table.key.map(position.column) + aggregates)
    if random.chance(40), let first = aggregates.first {
      result.statement.orderings = [Ordering(term: first, isDescending: random.chance(50))]
      result.window = random.element(of: [3, 10, 60])
    }
    return result
  }

  private func withParents(_ record: any FuzzRecord.Type) -> LiveQuerySpec {
    let position = RowPosition(type: record)
    let columns = position.type.toOne.map { link in
      terms.column(at: link.parent(from: .root), parentPercent: 30).term
    }
    var result = spec(.rows, record, record.table.key.map(position.column) + columns)
    if random.chance(40), let first = columns.first { result.statement.orderings = [Ordering(term: first)] }
    return result
  }
}
