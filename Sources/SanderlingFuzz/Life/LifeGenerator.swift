import Sanderling

/// Adds steps of a store's life between the writes and queries of a round.
struct LifeGenerator {
  private let mix: LifeMix
  private var random: SeededGenerator
  /// Decides about ends of stores while the app is suspended. A separate generator, so that all other random choices of
  /// a seed stay the same.
  private var suspensions: SeededGenerator
  private var world: World
  private var schema: SchemaStepsGenerator
  private var transactions: TransactionGenerator
  /// Transactions that restore removed objects, to run at a later step.
  private var undone: [(kind: LifeKind, transactions: [[String]])] = []
  /// The number of slots for ordinary queries.
  private var slotCount = 1
  private var storeCount = 0
  private var hasBackup = false
  private var queryCount = 0
  private var besideQueries: Range<Int> = 0..<0

  /// Slots after the slots of ordinary steps, for queries over tables outside the main database.
  private static let besideSlots = CaseGenerator.slots..<CaseGenerator.slots + 4

  /// Lives are short, so that a run has many of them.
  private static let stepCount = 40

  /// - Parameter seed: Differs from the seed of the ordinary steps, so that these are the same with and without a life.
  init(_ mix: LifeMix, _ fuzzCase: FuzzCase, seed: UInt64, round: Int) {
    self.mix = mix
    var random = SeededGenerator(seed: seed ^ 0x6C69_6665, round: round)
    var world = fuzzCase.world
    world.configuration.opening = Self.opening(mix, &random)
    world.configuration.observesSuspension = mix.kinds.contains(.suspension) && random.chance(50)
    // As the guide says, outside changes to attached databases are not noticed.
    world.configuration.attachesEverywhere =
      mix.kinds.contains(.attach) && world.configuration.isFile && world.configuration.opening != .readOnly
      && random.chance(40)
    if world.configuration.opening.makesTables {
      for index in world.tables.indices { world.tables[index].makePlain() }
    }
    schema = SchemaStepsGenerator(world, random: SeededGenerator(seed: random.next()))
    transactions = TransactionGenerator(world, random: SeededGenerator(seed: random.next()), round: round)
    suspensions = SeededGenerator(seed: seed ^ 0x7375_7370, round: round)
    self.random = random
    self.world = world
  }

  private static func opening(_ mix: LifeMix, _ random: inout SeededGenerator) -> Opening {
    let weights: [(Opening, Int)] = [
      (.pool, 6), (.memory, 3), (.ownMemory, 1), (.queue, 2), (.wrappedPool, 2), (.wrappedQueue, 1), (.file, 4),
      (.readOnly, 2),
    ]
    let wanted = weights.filter { mix.openings.contains($0.0) }
    return random.element(of: wanted.flatMap { Array(repeating: $0.0, count: $0.1) })
  }

  mutating func living(_ fuzzCase: FuzzCase) -> FuzzCase {
    var result = fuzzCase
    result.world = world
    // Few queries are open: only tables without subscribers are swept, and a change that is wrong for one query is
    // often corrected for another.
    slotCount = random.element(of: [1, 1, 2, 3, CaseGenerator.slots])
    result.battery =
      slotCount < 3 || random.chance(50) ? [] : Array(fuzzCase.battery.shuffled(using: &random).prefix(6))
    if mix.kinds.contains(.attach) || mix.kinds.contains(.temporary) {
      besideQueries = result.queries.count..<result.queries.count + HandwrittenQueries.beside.count
      result.queries += HandwrittenQueries.beside.map { sql in
        var spec = fuzzCase.queries[0]
        spec.form = .raw(sql)
        return spec
      }
    }
    queryCount = fuzzCase.queries.count
    result.steps = openingBeside()
    // This step comes before any query follows its tables.
    if mix.kinds.contains(.explain), random.chance(40) {
      result.steps.append(FuzzStep(action: .life(.explain(queries: Array(0..<6))), check: .none))
    }
    // A life has fewer steps than an ordinary round, but spans it from beginning to end.
    for (number, step) in fuzzCase.steps.enumerated() where result.steps.count < Self.stepCount {
      let isOpening = if case .open = step.action { true } else { false }
      guard number < 6 || random.chance(isOpening ? 40 : 25) else { continue }
      result.steps.append(FuzzStep(action: narrowed(step.action), check: step.check))
      if number < 6 { continue }
      while random.chance(50) { result.steps += lifeSteps() }
      if !undone.isEmpty, random.chance(40) { result.steps.append(undo()) }
    }
    while !undone.isEmpty { result.steps.append(undo()) }
    let ending = SchemaSteps(route: .plain, transactions: [schema.missingTables], settlesBetween: false)
    result.steps.append(FuzzStep(action: .life(.change(.appMigrate, ending)), check: .settled))
    return result
  }

  /// The same action, with its slot taken from the slots of this life.
  private func narrowed(_ action: FuzzStep.Action) -> FuzzStep.Action {
    switch action {
    case .open(let slot, let query, let style): .open(slot: slot % slotCount, query: query, style)
    case .close(let slot): .close(slot: slot % slotCount)
    case .suspend(let slot): .suspend(slot: slot % slotCount)
    case .resume(let slot): .resume(slot: slot % slotCount)
    case .replace(let slot, let query): .replace(slot: slot % slotCount, query: query)
    case .grow(let slot, let count): .grow(slot: slot % slotCount, by: count)
    default: action
    }
  }

  private mutating func check() -> FuzzStep.Check {
    random.element(of: [.none, .settled, .settled, .settled, .settled, .reached])
  }

  private mutating func undo() -> FuzzStep {
    let (kind, transactions) = undone.removeFirst()
    let settles = random.chance(50)
    let steps = SchemaSteps(route: route(kind), transactions: transactions, settlesBetween: settles)
    return FuzzStep(action: .life(.change(kind, steps)), check: check())
  }

  private mutating func route(_ kind: LifeKind) -> SchemaSteps.Route {
    switch kind {
    case .migrate: .store
    case .appMigrate, .away: random.chance(30) ? .migrator : .plain
    default: random.element(of: SchemaSteps.Route.allCases)
    }
  }

  private mutating func lifeSteps() -> [FuzzStep] {
    var steps: [FuzzStep] = []
    let kind = random.element(of: mix.kinds)
    for life in lives(kind) {
      steps.append(FuzzStep(action: .life(life), check: check()))
      if case .explain(let queries) = life, random.chance(60), let query = queries.first {
        let style = OpenStyle(isImmediate: random.chance(30), consumers: [], isSlow: false)
        let slot = random.number(0..<slotCount)
        steps.append(FuzzStep(action: .open(slot: slot, query: query, style), check: check()))
      }
    }
    return steps
  }

  private mutating func lives(_ kind: LifeKind) -> [LifeStep] {
    switch kind {
    case .erase:
      // A second change of the schema corrects a fault of the first.
      let others = random.chance(40) ? [World.auditTable] : []
      return [.erase(rows: others + (random.chance(60) ? world.tables.flatMap { schema.rows(of: $0) } : []))]
    case .explain: return [.explain(queries: (0..<random.number(1..<4)).map { _ in query() })]
    case .migrate, .appMigrate, .away, .dropColumn: return [change(kind)]
    case .reopen: return [.reopen(leaving())]
    case .stores: return [stores()]
    case .sweep: return [.sweep(sweep())]
    case .suspension:
      let outside = random.chance(30) ? transactions.transaction() : nil
      return [.suspension((0..<random.number(0..<3)).map { _ in transactions.transaction() }, outside: outside)]
    case .faults: return [.fault(fault())]
    case .overlap:
      return [
        .overlap(
          transactions.transaction(), opened: opened(), then: random.chance(60) ? transactions.transaction() : nil)
      ]
    case .memory: return [.releaseMemory]
    case .attach: return attach()
    case .temporary: return temporary()
    case .backup:
      defer { hasBackup = true }
      if hasBackup, random.chance(70) {
        return [.restore(then: random.chance(50) ? transactions.smallTransaction() : nil)]
      }
      return [.backup]
    case .checkpoint: return [.checkpoint(truncates: random.chance(50))]
    }
  }

  private mutating func query() -> Int { random.number(0..<queryCount) }

  private mutating func opened() -> [LifeStep.OpenedQuery] {
    (0..<random.number(0..<4)).map { _ in
      LifeStep.OpenedQuery(slot: random.number(0..<slotCount), query: query())
    }
  }

  private mutating func change(_ kind: LifeKind) -> LifeStep {
    let change = schema.change(kind)
    var steps = SchemaSteps(route: route(kind), transactions: change.transactions, settlesBetween: random.chance(50))
    if random.chance(40) || !undone.isEmpty {
      steps.transactions += change.undoing
    } else if !change.undoing.isEmpty {
      undone.append((kind, change.undoing))
    }
    return .change(kind, steps)
  }

  private mutating func leaving() -> LifeStep.Leaving {
    LifeStep.Leaving(
      isClosed: random.chance(70), keepsResults: random.chance(50), isBusy: random.chance(40),
      touches: world.configuration.observesSuspension && suspensions.chance(50)
        ? Self.touches(of: world, &suspensions) : nil)
  }

  /// Statements that write to each table.
  private static func touches(of world: World, _ random: inout SeededGenerator) -> [String] {
    world.tables.map { table in
      StatementGenerator.insert(into: table.record, "INSERT OR REPLACE", rows: 2, pool: world.pool, using: &random)
    }
  }

  private mutating func stores() -> LifeStep {
    switch random.number(0..<10) {
    case 0..<4 where storeCount > 0: return .writeThrough(random.number(0..<storeCount), transactions.transaction())
    case 4..<7 where storeCount > 0:
      storeCount -= 1
      return .closeStore(random.number(0..<storeCount + 1), leaving())
    default:
      guard storeCount < 2 else { return .writeThrough(random.number(0..<storeCount), transactions.transaction()) }
      storeCount += 1
      return .openStore(queries: (0..<random.number(1..<4)).map { _ in query() })
    }
  }

  private mutating func sweep() -> LifeStep.Sweep {
    let kept = Set((0..<random.number(0..<3)).map { _ in random.number(0..<slotCount) })
    return LifeStep.Sweep(
      visited: (0..<random.number(0..<3)).map { _ in query() },
      closed: (0..<slotCount).filter { !kept.contains($0) }, settles: random.chance(80),
      seconds: random.element(of: [30, 60, 61, 61, 125]), holdsWriter: random.chance(50), opened: opened())
  }

  private mutating func fault() -> FaultStep {
    let operations: [Fault.Operation] =
      world.configuration.isFile ? [.open, .read, .map, .lock, .lock, .lock, .step] : [.step]
    var fault = Fault(
      operation: random.element(of: operations), skipped: random.element(of: [0, 0, 1, 2, 3, 5, 8, 13]),
      count: random.element(of: [1, 1, 2, 5, 1_000_000]))
    // SQLite retries a busy file for seconds.
    if fault.operation == .lock, fault.count < 3, random.chance(30) { fault.isBusy = true }
    let moment: FaultStep.Moment =
      switch random.number(0..<10) {
      case 0..<2: .beforeWrite(transactions.transaction())
      case 2..<6: .afterCommit(transactions.transaction())
      case 6..<8: .noticing(transactions.transaction())
      default: .opening(opened())
      }
    let touches = Self.touches(of: world, &random)
    return FaultStep(fault: fault, moment: moment, touches: touches, retriesFirst: random.chance(50))
  }

  // MARK: Beside the database

  private mutating func attach() -> [LifeStep] {
    let table = "CREATE TABLE IF NOT EXISTS extra.remote (id INTEGER PRIMARY KEY, value)"
    let row = "INSERT OR REPLACE INTO extra.remote VALUES (\(random.number(1..<9)), \(random.number(0..<5)))"
    switch random.number(0..<6) {
    case 0: return [.beside(.attach, [.sql("DETACH extra")])]
    case 1, 2:
      return [.beside(.attach, [.sql("DELETE FROM extra.remote WHERE id = \(random.number(1..<9))"), .sql(row)])]
    case 3: return [.beside(.attach, [.sql("DROP TABLE IF EXISTS extra.remote"), .sql(table), .sql(row)])]
    default: return [.beside(.attach, [.attach, .sql(table), .sql(row)]), .explain(queries: [query()])]
    }
  }

  private mutating func temporary() -> [LifeStep] {
    let table = "CREATE TEMP TABLE IF NOT EXISTS scratch (id INTEGER PRIMARY KEY, value)"
    let row = "INSERT OR REPLACE INTO temp.scratch VALUES (\(random.number(1..<9)), \(random.number(0..<5)))"
    switch random.number(0..<5) {
    case 0: return [.beside(.temporary, [.sql("DROP TABLE IF EXISTS temp.scratch")])]
    case 1, 2: return [.beside(.temporary, [.sql("DELETE FROM temp.scratch WHERE id < 4"), .sql(row)])]
    default: return [.beside(.temporary, [.sql(table), .sql(row)])]
    }
  }

  /// Queries over tables outside the main database, opened at the beginning of a round.
  private func openingBeside() -> [FuzzStep] {
    zip(Self.besideSlots, besideQueries).map { slot, query in
      let style = OpenStyle(isImmediate: false, consumers: [], isSlow: false)
      return FuzzStep(action: .open(slot: slot, query: query, style), check: .none)
    }
  }
}
