import Sanderling
import SanderlingSQLite

/// Makes the case of a round from the run's seed and the round's number.
struct CaseGenerator {
  static let queriesPerRound = 16
  static let slots = 9

  /// Constructs that occur only in queries made for them, and are therefore dealt twice.
  private static let lonely: Set<Construct> = [
    .largeMembership, .subquery, .collate, .rawCondition, .emptyLimit, .recordByKey, .records, .projection, .view,
    .prefetch, .nestedPrefetch, .limitedPrefetch,
    .summaryCount, .summarySum, .summaryMinimum, .summaryMaximum, .summaryAverage, .groupedCount, .groupedSum,
    .groupedOther, .groupedByFold, .foldMembership, .foldContains, .substringsFound, .foundTogether, .foundInParent,
    .foundInAggregate, .orderedByRelevance, .having, .distinct, .rawSource, .rawQuery,
  ]

  private var random: SeededGenerator
  private let round: Int
  private let deck: [Construct]
  /// Whether queries are made for some constructs only, so that there is no battery.
  private let isNarrow: Bool
  private let mix: LifeMix
  private let seed: UInt64
  /// The shape in which all lists that allow it are shown; nil for any.
  private let onlyShape: OpenStyle.Shape?
  /// The slots that are suspended after the steps so far.
  private var suspended: Set<Int> = []

  /// - Parameter constructs: The constructs that queries feature.
  init(seed: UInt64, round: Int, constructs: [Construct], mix: LifeMix, shape: OpenStyle.Shape? = nil) {
    self.mix = mix
    onlyShape = shape
    self.seed = seed
    isNarrow = shape != nil || constructs.count < Construct.allCases.count
    var shuffling = SeededGenerator(seed: seed)
    deck = (constructs + constructs.filter(Self.lonely.contains)).shuffled(using: &shuffling)
    random = SeededGenerator(seed: seed, round: round)
    self.round = round
  }

  mutating func fuzzCase() -> FuzzCase {
    var worlds = WorldGenerator(random: SeededGenerator(seed: random.next()))
    let world = worlds.world(hasForeignTypes: round % 4 == 1)
    let generator = QueryGenerator(world, random: SeededGenerator(seed: random.next()))
    let first = round * Self.queriesPerRound
    let queries = (first..<first + Self.queriesPerRound).map { generator.query(featuring: deck[$0 % deck.count]) }
    let steps = steps(world, worlds)
    let battery =
      isNarrow ? [] : BatteryGenerator(world, random: SeededGenerator(seed: random.next())).queries()
    var fuzzCase = FuzzCase(world: world, queries: queries, battery: battery, steps: steps)
    if mix.concerns(round: round) {
      var lives = LifeGenerator(mix, fuzzCase, seed: seed, round: round)
      fuzzCase = lives.living(fuzzCase)
    }
    // These choices have a random generator of their own, so that all other choices are the same with and without them.
    var gazes = SeededGenerator(seed: seed ^ 0x6761_7A65, round: round)
    for index in fuzzCase.steps.indices { fuzzCase.steps[index].gaze = gazes.next() }
    if gazes.chance(60) {
      var isHeld = gazes.chance(50)
      for index in fuzzCase.steps.indices {
        if gazes.chance(15) { isHeld.toggle() }
        fuzzCase.steps[index].holdsFolding = isHeld
      }
    }
    var watching = SeededGenerator(seed: seed ^ 0x7761_7463, round: round)
    fuzzCase.world.configuration.detectsOutsideChanges = fuzzCase.world.configuration.isFile && watching.chance(35)
    let sections = QueryGenerator(world, random: SeededGenerator(seed: gazes.next()))
    for index in fuzzCase.queries.indices where fuzzCase.queries[index].mayBeSectioned {
      guard let record = fuzzCase.queries[index].record.type as? any FuzzRecord.Type else { continue }
      fuzzCase.queries[index].sections = sections.sections(of: record)
    }
    if Self.sqliteMisreadsKeys, fuzzCase.queries.contains(where: \.hasLongMembership) {
      fuzzCase.steps = fuzzCase.steps.map(\.withoutStatistics)
    }
    return fuzzCase
  }

  /// Whether `key IN (SELECT …) ORDER BY x, key LIMIT n` returns keys of other rows in a table with statistics. SQLite
  /// 3.41.2 does so, and 3.42.0 does not; plain SQL has no condition that both avoids this and finds rows by the index.
  private static let sqliteMisreadsKeys = sqlite3_libversion_number() < 3_042_000

  private mutating func steps(_ world: World, _ worlds: WorldGenerator) -> [FuzzStep] {
    var transactions = TransactionGenerator(world, random: SeededGenerator(seed: random.next()), round: round)
    var worlds = worlds
    var opened = 0
    var steps: [FuzzStep] = []
    func nextQuery() -> Int {
      opened += 1
      return (opened - 1) % Self.queriesPerRound
    }
    for slot in 0..<6 {
      steps.append(FuzzStep(action: .open(slot: slot, query: nextQuery(), style()), check: slot < 5 ? .none : .settled))
    }
    let tide = random.number(7..<30)
    var hasTide = false
    while steps.count < 34 || opened < Self.queriesPerRound {
      if !hasTide, steps.count >= tide {
        hasTide = true
        // Adds so many rows that lists are reloaded, and rows that arrive during the reload.
        for transaction in transactions.tide() {
          let stream = (0..<random.number(8..<40)).map { _ in transactions.smallTransaction() }
          steps.append(FuzzStep(action: .write(transaction), check: .none))
          steps.append(FuzzStep(action: .stream(stream), check: .settled))
        }
        for _ in 0..<random.number(1..<3) {
          // After outside changes, every result is read again.
          var (rise, fall, after) = transactions.flood()
          steps.append(FuzzStep(action: .write(rise), check: .settled))
          let isOutside = world.configuration.isFile && random.chance(70)
          // With an own commit, the changes are noticed once; a missed change is not read at another time.
          let noticing = random.chance(80) ? after.popLast() : nil
          steps.append(FuzzStep(action: isOutside ? .outside(fall, then: noticing) : .write(fall), check: .none))
          steps.append(FuzzStep(action: .stream(after), check: .settled))
        }
      }
      var action = action(world, &transactions, &worlds, nextQuery)
      if case .outside(let transaction, _) = action, random.chance(50) {
        steps.append(FuzzStep(action: .write(transactions.rolledBackByStatement()), check: .none))
        action = .outside(transaction, then: nil)
      }
      if case .suspend = action { steps.append(FuzzStep(action: action, check: .settled)) }
      let check: FuzzStep.Check = random.element(of: [.none, .settled, .settled, .settled, .reached])
      // A statement that fails after some rows can commit them without a notification by GRDB. Only `settled()` asks
      // the writer.
      let isUntold = check == .reached && action.commitsByItself
      steps.append(FuzzStep(action: action, check: isUntold ? .settled : check))
    }
    return steps
  }

  private mutating func style() -> OpenStyle {
    OpenStyle(
      isImmediate: random.chance(15), consumers: random.some(of: OpenStyle.Consumer.allCases, percent: 30),
      isSlow: random.chance(25), shape: shape(), blockSize: random.element(of: [4, 4, 8, 10]),
      window: random.chance(15) ? random.number(1..<30) : nil)
  }

  private mutating func shape() -> OpenStyle.Shape {
    let drawn = random.number(0..<100)
    if let onlyShape { return onlyShape }
    return switch drawn {
    case 0..<25: .long
    case 25..<50: .sections
    default: .list
    }
  }

  private mutating func action(
    _ world: World, _ transactions: inout TransactionGenerator, _ worlds: inout WorldGenerator, _ nextQuery: () -> Int
  ) -> FuzzStep.Action {
    let slot = random.number(0..<Self.slots)
    switch random.number(0..<100) {
    case 0..<37: return .write(transactions.transaction())
    case 37..<41: return .burst((0..<random.number(2..<7)).map { _ in transactions.transaction() })
    case 41..<44:
      // Snapshots are taken between the commits if there is a pool.
      let count = random.number(world.configuration.isFile ? 40..<160 : 8..<40)
      return .stream((0..<count).map { _ in transactions.smallTransaction() })
    case 44..<47:
      let tasks = (0..<random.number(2..<4)).map { _ in
        (0..<random.number(1..<4)).map { _ in transactions.transaction() }
      }
      return .concurrent(tasks, opened: (0..<random.number(0..<3)).map { _ in random.number(0..<Self.queriesPerRound) })
    case 47..<52:
      guard world.configuration.isFile else { return .write(transactions.transaction()) }
      return .outside(transactions.transaction(), then: random.chance(40) ? transactions.transaction() : nil)
    case 52..<56: return .statements(.schemaChange, [schemaChange(world, &worlds)])
    case 56..<59:
      let rebuild = random.element(of: world.tables).rebuild
      return .statements(.rebuild, ["PRAGMA foreign_keys = OFF", "BEGIN"] + rebuild + ["COMMIT"])
    case 59..<62:
      let statements = ["VACUUM", "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)", "REINDEX", "PRAGMA optimize"]
      return .statements(.maintenance, [random.element(of: statements)])
    case 62..<73:
      suspended.remove(slot)
      return .open(slot: slot, query: random.chance(6) ? random.number(0..<Self.queriesPerRound) : nextQuery(), style())
    case 73..<76: return .close(slot: slot)
    case 76..<84:
      if !suspended.isEmpty, random.chance(50), let other = suspended.sorted().randomElement(using: &random) {
        suspended.remove(other)
        return .resume(slot: other)
      }
      suspended.insert(slot)
      return .suspend(slot: slot)
    case 84..<93: return .replace(slot: slot, query: random.number(0..<Self.queriesPerRound))
    case 93..<95: return .growBattery(random.number(0..<100), by: random.number(1..<30))
    default: return .grow(slot: slot, by: random.number(1..<20))
    }
  }

  private mutating func schemaChange(_ world: World, _ worlds: inout WorldGenerator) -> String {
    let table = random.element(of: world.tables)
    switch random.number(0..<7) {
    case 0, 1: return "ALTER TABLE \(table.name) ADD COLUMN added_\(random.number(0..<9)) DEFAULT 1"
    case 2: return worlds.index(on: table, number: random.number(100..<200))
    case 3: return worlds.uniqueIndex(on: table, number: random.number(100..<200))
    case 4: return "DROP INDEX IF EXISTS app_index_\(random.number(0..<4))"
    case 5: return "DROP TRIGGER IF EXISTS app_audit_\(random.element(of: ["insert", "update", "delete"]))"
    default: return worlds.trigger()
    }
  }
}

extension LiveQuerySpec {
  fileprivate var hasLongMembership: Bool { !constructs.isDisjoint(with: [.subquery, .largeMembership]) }
}

extension FuzzStep {
  fileprivate var withoutStatistics: Self {
    guard case .statements(.maintenance, let statements) = action else { return self }
    var step = self
    step.action = .statements(
      .maintenance, statements.map { ["ANALYZE", "PRAGMA optimize"].contains($0) ? "REINDEX" : $0 })
    return step
  }
}
