import GRDB
import Testing

@testable import Sanderling

/// The captured changes of random transactions equal the differences between copies of the tables before and after.
@Suite struct CaptureDifferentialTests {
  typealias Contents = [RecordType: [RowKey: RowImage]]

  @Test func everyChangedRowIsCapturedWithItsOldImage() throws {
    var random = SeededGenerator()
    print("CaptureDifferentialTests: seed \(random.seed)")
    var statistics = Statistics()
    for _ in 0..<60 {
      try follow(SeededGenerator(seed: random.next()), &statistics)
    }
    // The random statements must change enough rows, and seldom overflow or fail.
    #expect(statistics.changedRows > 2_000)
    #expect(statistics.overflows < statistics.batches / 4)
    #expect(statistics.failures < statistics.statements / 2)
  }

  private struct Statistics {
    var batches = 0
    var changedRows = 0
    var overflows = 0
    var statements = 0
    var failures = 0
  }

  /// Runs random transactions on random tables, and compares the captured changes.
  private func follow(_ seed: SeededGenerator, _ statistics: inout Statistics) throws {
    var world = RandomTables(seed)
    let captured = try CapturedDatabase("PRAGMA foreign_keys = ON")
    for statement in world.sql {
      try captured.run(statement)
    }
    let obstacles = try captured.install(NumberedRow.self, NamedRow.self, BlobRow.self, PairRow.self)
    try #require(obstacles.isEmpty)
    var log = world.sql
    for _ in 0..<30 {
      let before = try contents(captured, world)
      log.append("-- batch")
      for _ in 0..<world.pick([1, 1, 2, 3]) {
        for statement in world.transaction() {
          log.append(statement)
          statistics.statements += 1
          captured.queue.inDatabase { db in
            do { try db.execute(sql: statement) } catch { statistics.failures += 1 }
          }
        }
        try captured.queue.inDatabase { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
        log.append("ROLLBACK")
      }
      let after = try contents(captured, world)
      let changes = captured.take()
      statistics.batches += 1
      statistics.overflows += changes.overflowed.count
      #expect(changes.outside == .none && !changes.schemaChanged)
      for table in world.tables where !changes.overflowed.contains(table.type) {
        let problems = try problems(table, before, after, changes, captured)
        try #require(problems.isEmpty, "\(seed.seed): \(problems): \(log.joined(separator: ";\n"))")
        statistics.changedRows += changes.tables[table.type]?.count ?? 0
      }
    }
  }

  private func problems(
    _ table: RandomTables.Table, _ before: Contents, _ after: Contents, _ changes: CapturedChanges,
    _ database: CapturedDatabase
  ) throws -> [String] {
    let (before, after) = (before[table.type] ?? [:], after[table.type] ?? [:])
    var problems: [String] = []
    var keys: Set<RowKey> = []
    for (key, old) in changes.tables[table.type] ?? CapturedTable() {
      if !keys.insert(key).inserted { problems.append("\(table.name) \(key) stands twice") }
      if before[key] != old { problems.append("\(table.name) \(key) was another") }
      let new = try database.queue.inDatabase { try row(key, table, database.capture, $0) }
      if after[key] != new { problems.append("\(table.name) \(key) is read back as another") }
    }
    for key in Set(before.keys).union(after.keys) where before[key] != after[key] && !keys.contains(key) {
      problems.append("\(table.name) \(key) was not captured")
    }
    return problems
  }

  private func contents(_ database: CapturedDatabase, _ world: RandomTables) throws -> Contents {
    var contents: Contents = [:]
    try database.queue.inDatabase { db in
      for table in world.tables {
        let layout = try #require(database.capture.layout(of: table.type))
        let columns = table.key + layout.columns.map { table.record.table.columns[$0].name }
        let statement = try db.cachedStatement(sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)")
        var rows: [RowKey: RowImage] = [:]
        try StatementExecution(statement, recorder: nil).forEach { row in
          let key = RowKey(reading: row, count: table.key.count)
          rows[key] = RowImage(reading: row.advanced(by: Int32(table.key.count)), layout: layout)
        }
        contents[table.type] = rows
      }
    }
    return contents
  }

  /// Reads the row with a key as the engine does.
  private func row(
    _ key: RowKey, _ table: RandomTables.Table, _ capture: TestCapture, _ db: Database
  ) throws -> RowImage? {
    let layout = try #require(capture.layout(of: table.type))
    let execution = StatementExecution(try db.cachedStatement(sql: layout.selectByKey), recorder: nil)
    defer { execution.finish() }
    try execution.bind { try key.bind(to: $0, from: 1) }
    var image: RowImage?
    try execution.forEach { image = RowImage(reading: $0, layout: layout) }
    return image
  }
}
