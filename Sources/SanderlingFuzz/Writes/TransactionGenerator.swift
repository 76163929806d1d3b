/// Makes transactions of statements.
struct TransactionGenerator {
  private var statements: StatementGenerator
  private var random: SeededGenerator
  /// The kinds of statements in an order in which all come once before any repeats.
  private var deck: [WriteKind]
  private var position: Int

  init(_ world: World, random: SeededGenerator, round: Int) {
    var random = random
    statements = StatementGenerator(world, random: SeededGenerator(seed: random.next()))
    deck = WriteKind.allCases.shuffled(using: &random)
    position = round * 7
    self.random = random
  }

  mutating func transaction() -> FuzzTransaction {
    let count = random.element(of: [1, 1, 1, 2, 3, 5, 8])
    var steps = (0..<count).map { _ in step() }
    if random.chance(2) { steps = [] }
    if random.chance(10) { steps += statements.family() }
    let route: FuzzTransaction.Route =
      steps.contains { if case .record = $0 { true } else { false } }
      ? random.element(of: [.store, .store, .store, .blocking, .undoable])
      : random.element(of: [.store, .store, .blocking, .grdb, .grdb, .autocommit, .handwritten, .undoable])
    var transaction = FuzzTransaction(
      route: route, steps: steps, isAbandoned: route != .autocommit && random.chance(8))
    if route == .undoable {
      transaction.undoCount = random.element(of: [0, 0, 1, 1, 2, 3])
      transaction.undoesEarlier = random.chance(30)
    }
    return transaction
  }

  /// A transaction that fills a table with equal rows, and one that removes them.
  mutating func tide() -> [FuzzTransaction] {
    let (wave, ebb) = statements.tide()
    return [transaction(.wave, wave), transaction(.deleteWhere, ebb)]
  }

  private func transaction(
    _ kind: WriteKind, _ sql: String, route: FuzzTransaction.Route = .grdb
  ) -> FuzzTransaction {
    FuzzTransaction(route: route, steps: [.sql(kind, sql, isCached: false)])
  }

  /// A transaction that adds many rows, one that changes or deletes them, and small ones that follow without a pause.
  mutating func flood() -> (rise: FuzzTransaction, fall: FuzzTransaction, after: [FuzzTransaction]) {
    let record: any FuzzRecord.Type = random.chance(80) ? Note.self : Tag.self
    let column = record == Note.self ? "stars" : "strength"
    // The first row becomes the last in either direction, and rows that arrive then come first.
    let updates = ["-20 - ", "20 + "].map { "UPDATE \(record.table.name) SET \(column) = \($0)\(column)" }
    let falls =
      [transaction(.bigDelete, statements.bigDelete(record))] + updates.map { transaction(.updateAll, $0) }
    return (
      transaction(.bigInsert, statements.insert(record, keys: 100..<170, refersToOneRow: true)),
      random.element(of: falls),
      (0..<random.number(20..<60)).map { _ in
        random.chance(40) ? smallTransaction() : arrival(record)
      }
    )
  }

  /// A transaction that adds one row.
  private mutating func arrival(_ record: any FuzzRecord.Type) -> FuzzTransaction {
    let key = random.number(170..<400)
    return transaction(
      .insertMany, statements.insert(record, keys: key..<key + 1, refersToOneRow: true), route: .handwritten)
  }

  /// A transaction that deletes most rows until a statement rolls it back, which GRDB does not report.
  mutating func rolledBackByStatement() -> FuzzTransaction {
    let deletions = [Note.table, Tag.table, Crate.table, Person.table].map { "DELETE FROM \($0.name)" }
    let steps = deletions.map { WriteStep.sql(.deleteAll, $0, isCached: false) }
    // The statement always fails. A commit right before another task's write might be shown with some of that task's
    // rows.
    let failing = "INSERT OR ROLLBACK INTO place (id, name, isOpen) VALUES (900, 'twice', 0), (900, 'twice', 0)"
    return FuzzTransaction(
      route: random.element(of: [.grdb, .handwritten]),
      steps: steps + [.sql(.insertOrRollback, failing, isCached: false)])
  }

  /// A short transaction.
  mutating func smallTransaction() -> FuzzTransaction {
    let kinds: [WriteKind] = [
      .insert, .insertOrReplace, .update, .update, .toggle, .reparent, .delete, .updateOrReplace,
    ]
    return FuzzTransaction(route: .handwritten, steps: [statements.step(random.element(of: kinds))])
  }

  private mutating func step() -> WriteStep {
    // Most statements insert or update a few rows. The deck makes sure that no kind is missing.
    if random.chance(35) {
      return statements.step(
        random.element(of: [
          .insert, .insert, .insert, .insertMany, .update, .update, .updateWhere, .reparent, .toggle, .delete,
          .insertOrReplace, .keyChange, .refill, .wave, .deleteWhere, .updateOrReplace, .recordUpsert,
        ]))
    }
    position += 1
    let kind = deck[position % deck.count]
    // Otherwise tables would mostly be empty or large.
    if [.deleteAll, .bigInsert, .updateAll].contains(kind), random.chance(20) { return statements.step(.insertMany) }
    if kind == .bigValues, random.chance(25) { return statements.step(.updateOrReplace) }
    return statements.step(kind)
  }
}
