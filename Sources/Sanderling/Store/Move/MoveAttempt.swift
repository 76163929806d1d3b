import Foundation
import GRDB
import SanderlingSQL
import SanderlingSQLite

/// One attempt of a move: copies one snapshot of the old store to a new file, and checks the finished file.
///
/// All copies are in one transaction of one connection, to which the old store is attached. So the transaction holds one
/// snapshot of the old store. Nobody knows the new file yet, so that it needs no journal: SQLite writes pages to it
/// as its cache fills up, and the memory stays bounded. A failure leaves a broken file, which is removed.
final class MoveAttempt {
  let move: StoreMove
  private let plans: [MovePlan]
  private let path: String
  private let number: Int
  private let owner: MoveRun
  private let watch: MoveWatch
  private let problems = MoveProblems()
  private var tallies: [RowTally] = []
  private var (done, total) = (0, 0)

  /// The greatest number of rows between two looks at a cancellation and at the old store.
  private static let sliceSize: Int64 = 10_000

  init(move: StoreMove, plans: [MovePlan], path: String, number: Int, owner: MoveRun, watch: MoveWatch) {
    (self.move, self.plans, self.path, self.number, self.owner, self.watch) = (
      move, plans, path, number, owner, watch
    )
  }

  /// - Returns: Nil if another connection wrote the old store meanwhile.
  func run() throws -> StoreMove.Report? {
    do {
      var configuration = move.configuration ?? Store.defaultConfiguration
      // The file has one writer, and a journal of its own mode.
      configuration.journalMode = .default
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      owner.control.use(queue)
      defer { owner.control.use(nil) }
      try SchemaMigration.open(queue, schema: StoreSchema(move.schema), contents: StoreContents())
      let files = try queue.writeWithoutTransaction { try copy($0) }
      try queue.close()
      guard let files else { return nil }
      try check(configuration)
      return report(files)
    } catch let error as StoreMoveError {
      throw error
    } catch {
      throw StoreError.wrapping(error, path: path)
    }
  }

  /// - Returns: The number of external files; nil if another connection wrote the old store meanwhile.
  private func copy(_ db: Database) throws -> Int? {
    try attach(db)
    let files = try ExternalFiles.register(move.old, on: db)
    tallies = try plans.map { plan in
      let tally = RowTally(plan)
      try tally.register(on: db)
      return tally
    }
    var isCurrent = true
    try db.execute(
      sql: """
        PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = OFF; PRAGMA foreign_keys = OFF;
        PRAGMA main.cache_size = -16384; PRAGMA recursive_triggers = OFF
        """)
    try db.inTransaction(.deferred) {
      try checkEntities(db)
      try prepareAll(db)
      let counts = try plans.map { try Int.fetchOne(db, sql: $0.countSQL) ?? 0 }
      total = counts.reduce(0, +)
      // Sorting an index once is faster than an insertion for each row.
      let indexes = try Row.fetchAll(
        db, sql: "SELECT name, sql, tbl_name FROM main.sqlite_schema WHERE type = 'index' AND sql NOT NULL")
      for index in indexes { try db.execute(sql: "DROP INDEX main.\((index[0] as String).quotedIdentifier)") }
      for ((plan, tally), count) in zip(zip(plans, tallies), counts) {
        let leftOut = problems.leftOutCount
        isCurrent = try copy(plan, tally, db)
        if !isCurrent { return .rollback }
        let missing = count - tally.count - (problems.leftOutCount - leftOut)
        if missing != 0 {
          throw StoreMoveError.different(table: plan.table.name, reason: "\(missing) of its rows were not read")
        }
      }
      for index in indexes { try duplicates(of: index[2]) { try db.execute(sql: index[1]) } }
      try MoveReferences(plans: plans, tallies: tallies, problems: problems).repair(db)
      return .commit
    }
    if isCurrent { try db.execute(sql: "DETACH old") }
    return isCurrent ? files.count : nil
  }

  /// Attaches the old store, which SQLite may only read.
  private func attach(_ db: Database) throws {
    let start = ContinuousClock.now
    let uri = URL(fileURLWithPath: move.old.path).absoluteString + "?mode=ro"
    do {
      // SQLCipher would use the key of the new database otherwise.
      try db.execute(sql: "ATTACH ? AS old KEY ''", arguments: [uri])
    } catch {
      throw move.old.explaining(error, since: start)
    }
    guard sqlite3_db_readonly(db.sqliteConnection, "old") == 1 else {
      throw StoreError.cannotOpen(
        path: move.old.path,
        reason: "this SQLite opens no URI names, which a read-only file needs; build it with SQLITE_USE_URI")
    }
  }

  /// Begins the snapshot.
  private func checkEntities(_ db: Database) throws {
    let found = try Row.fetchAll(db, sql: "SELECT Z_NAME, Z_ENT FROM old.Z_PRIMARYKEY").map {
      ($0[0] as String?, $0[1] as Int)
    }
    // An entity that was renamed has both names.
    for (number, names) in Dictionary(grouping: move.entities, by: \.value).sorted(by: { $0.key < $1.key })
    where !found.contains(where: { pair in pair.1 == number && names.contains { $0.key == pair.0 } }) {
      let names = names.map(\.key).sorted().joined(separator: " or ")
      throw StoreMoveError.otherModel(
        path: move.old.path, reason: "its entity \(names) has another number than \(number), or doesn't exist")
    }
  }

  /// Compiles the statements over the old store, so that a missing column is found first.
  private func prepareAll(_ db: Database) throws {
    for plan in plans {
      do {
        _ = try db.makeStatement(sql: plan.copySQL)
      } catch let error as DatabaseError where UnusableObject.isOfObject(error) {
        throw StoreMoveError.otherModel(
          path: move.old.path, reason: "\(plan.source) can't be read (\(error.message ?? error.description))")
      }
    }
  }

  /// - Returns: Whether the old store was not written meanwhile.
  private func copy(_ plan: MovePlan, _ tally: RowTally, _ db: Database) throws -> Bool {
    let copy = try db.makeStatement(sql: plan.copySQL)
    return try slices(of: plan, isOld: true, db) { range in
      let (unfit, rows) = (tally.unfitCount, tally.count)
      try duplicates(of: plan.table.name) { try copy.execute(arguments: [range.lowerBound, range.upperBound]) }
      let rest = tally.unfitCount - unfit
      if rest > 0 { try moveUnfit(plan, tally, range, db) }
      note(.copying, tally.count - rows + rest)
      return try !watch.hasChanged()
    }
  }

  private func duplicates(of table: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw StoreMoveError.duplicates(table: table, reason: error.message ?? error.description)
    }
  }

  /// Calls `body` with ranges of at most 10,000 keys, until it returns false.
  private func slices(
    of plan: MovePlan, isOld: Bool, _ db: Database, _ body: (ClosedRange<Int64>) throws -> Bool
  ) throws -> Bool {
    let next = try db.makeStatement(sql: plan.nextSQL(isOld: isOld))
    var last = Int64.min
    while let first = try Int64.fetchOne(next, arguments: [last]) {
      try owner.control.check()
      // The statements read the keys after the lower bound.
      let range =
        (first == .min ? first : first - 1)...(first &+ Self.sliceSize < first ? .max : first + Self.sliceSize - 1)
      guard try body(range) else { return false }
      if range.upperBound == .max { break }
      last = range.upperBound
    }
    return true
  }

  /// Moves the rows with values that don't fit, as far as they can be moved.
  private func moveUnfit(_ plan: MovePlan, _ tally: RowTally, _ range: ClosedRange<Int64>, _ db: Database) throws {
    tally.direction = 0
    defer { tally.direction = 1 }
    let insert = try db.makeStatement(sql: plan.insertSQL)
    let read = try db.makeStatement(sql: plan.oldRowSQL)
    let keys = try Int64.fetchAll(db, sql: plan.unfitSQL, arguments: [range.lowerBound, range.upperBound])
    for key in keys {
      guard let row = try Row.fetchOne(read, arguments: [key]) else { continue }
      var values = Array(row.databaseValues.map { StorageValue($0) })
      let unfit = values.indices.filter { !tally.rules[$0].accepts(values[$0]) }
      let isLeftOut = unfit.contains { !plan.columns[$0].acceptsNull }
      for index in unfit {
        try problems.add(
          StoreMove.Problem(
            table: plan.table.name, key: plan.key(plan.keyValues(values)), column: plan.columns[index].name,
            reason: tally.rules[index].reason(values[index], plan.expressions[index]),
            action: isLeftOut ? .leftOut : .setToNull), db)
      }
      if isLeftOut {
        problems.noteRowLeftOut()
        continue
      }
      for index in unfit { values[index] = .null }
      try duplicates(of: plan.table.name) {
        try insert.execute(arguments: StatementArguments(values.map(\.databaseValue)))
      }
      tally.direction = 1
      _ = try Int.fetchOne(db.cachedStatement(sql: plan.addRowSQL), arguments: [db.lastInsertedRowID])
      tally.direction = 0
    }
  }

  /// Reads all rows of the finished file on another connection, and compares them.
  private func check(_ configuration: GRDB.Configuration) throws {
    let queue = try DatabaseQueue(path: path, configuration: CoreDataFile.readOnly(configuration))
    owner.control.use(queue)
    done = 0
    total = tallies.reduce(0) { $0 + $1.count }
    try queue.read { db in
      for (plan, expected) in zip(plans, tallies) {
        let found = RowTally(plan)
        try found.register(on: db)
        let add = try db.makeStatement(sql: plan.addRangeSQL)
        _ = try slices(of: plan, isOld: false, db) { range in
          let count = found.count
          _ = try Int.fetchOne(add, arguments: [range.lowerBound, range.upperBound])
          note(.checking, found.count - count)
          return true
        }
        if found.byEntity == expected.byEntity, found.unfitCount == 0 { continue }
        throw StoreMoveError.different(
          table: plan.table.name,
          reason: found.count == expected.count
            ? "the contents of its rows are different" : "it has \(found.count) rows in place of \(expected.count)")
      }
    }
    try queue.close()
  }

  private func note(_ phase: StoreMove.Progress.Phase, _ rows: Int) {
    done += rows
    owner.progress(StoreMove.Progress(phase: phase, rowCount: done, total: total, attempt: number))
  }

  private func report(_ files: Int) -> StoreMove.Report {
    let entities = zip(plans, tallies).flatMap { plan, tally -> [StoreMove.Report.Entity] in
      if plan.entity == nil {
        return [StoreMove.Report.Entity(table: plan.table.name, entity: nil, rowCount: tally.count)]
      }
      return tally.byEntity.sorted { $0.key < $1.key }.map {
        StoreMove.Report.Entity(table: plan.table.name, entity: $0.key, rowCount: $0.value.count)
      }
    }
    return StoreMove.Report(
      entities: entities, leftOutCount: problems.leftOutCount, problemCount: problems.count, problems: problems.first,
      externalFileCount: files)
  }
}
