import Foundation
import GRDB
import Sanderling
import Testing

/// Recording doesn't disturb an app's own trace: SQLite has one trace for each connection.
@Suite struct TracingTests {
  let folder = TemporaryFolder()

  /// An app's own trace on the writing connection.
  private final class AppTrace: Sendable {
    private let lines = Lock<[String]>([])

    func install(on writer: any DatabaseWriter) async throws {
      try await writer.writeWithoutTransaction { db in
        db.trace { event in
          let line = "\(event)"
          self.lines.withLock { $0.append(line) }
        }
      }
    }

    func contains(_ sql: String) -> Bool { lines.withLock { $0.contains(sql) } }
  }

  private func mark(_ number: Int, in store: Store) async throws {
    try await store.write("mark") { _ = try $0.execute("UPDATE bird SET sightings = \(raw: "\(number)")") }
  }

  @Test(arguments: StoreKind.allCases, StatementTracing.allCases)
  func storeWithoutAListenerInstallsNoTrace(kind: StoreKind, tracing: StatementTracing) async throws {
    let store = try folder.store(kind, tracing: tracing)
    let trace = AppTrace()
    try await trace.install(on: store.writer)
    try await mark(1, in: store)
    try await mark(2, in: store)
    #expect(trace.contains("UPDATE bird SET sightings = 1") && trace.contains("UPDATE bird SET sightings = 2"))
  }

  @Test func anAdoptedWritersTraceStays() async throws {
    let writer = try DatabasePool(path: folder.path())
    try writer.run(
      "CREATE TABLE bird (id INTEGER PRIMARY KEY, ring TEXT NOT NULL UNIQUE, species TEXT NOT NULL, sightings INTEGER NOT NULL)"
    )
    let store = try Store(writer, schema: [Bird.self])
    let trace = AppTrace()
    try await trace.install(on: writer)
    let (_, statements) = try await store.record { try await mark(1, in: store) }
    try await mark(2, in: store)
    #expect(statements.map(\.sql) == ["UPDATE bird SET sightings = 1"])
    #expect(trace.contains("UPDATE bird SET sightings = 1") && trace.contains("UPDATE bird SET sightings = 2"))
  }

  @Test(arguments: StoreKind.allCases)
  func allStatementsAreThoseOfPlainGRDBToo(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let (_, statements) = try await store.record {
      try await store.write("import") { tx in
        try tx.database.execute(sql: "INSERT INTO bird (ring, species) VALUES (?, 'knot')", arguments: ["secret"])
        _ = try Bird.fetchAll(tx.database, sql: "SELECT * FROM bird")
        try tx.savepoint { _ = try tx.insert(BirdTag(birdID: 1, tag: "male")) }
      }
    }
    #expect(
      statements.map(\.sql) == [
        "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO bird (ring, species) VALUES (?, 'knot')", "SELECT * FROM bird",
        "SAVEPOINT grdb", #"INSERT INTO "birdTag" ("birdID", "tag", "weight") VALUES (?, ?, ?)"#,
        "RELEASE SAVEPOINT grdb", "COMMIT TRANSACTION",
      ])
    #expect(statements.map(\.rowCount) == [0, 1, 1, 0, 1, 0, 0])
    #expect(Set(statements.map(\.operation?.name)) == ["import"])
  }

  @Test(arguments: StoreKind.allCases)
  func ownStatementsAreSanderlingsOnly(kind: StoreKind) async throws {
    let store = try folder.store(kind, tracing: .ownStatements)
    let (_, statements) = try await store.record {
      try await store.write("import") { tx in
        try tx.database.execute(sql: "INSERT INTO bird (ring, species) VALUES (?, 'knot')", arguments: ["secret"])
        _ = try Bird.fetchAll(tx.database, sql: "SELECT * FROM bird")
        try tx.insert(BirdTag(birdID: 1, tag: "male"))
      }
    }
    #expect(statements.map(\.sql) == [#"INSERT INTO "birdTag" ("birdID", "tag", "weight") VALUES (?, ?, ?)"#])
  }

  @Test(arguments: StatementTracing.allCases)
  func triggersAreNotRecordedAsStatements(tracing: StatementTracing) async throws {
    let store = try folder.store(birds: 2, tracing: tracing)
    try store.writer.run(
      """
      CREATE TABLE log (ring TEXT);
      CREATE TRIGGER logging AFTER UPDATE ON bird BEGIN
        INSERT INTO log VALUES (new.ring);
        DELETE FROM log WHERE ring = 'none';
      END
      """)
    let (_, statements) = try await store.record {
      try await store.write("mark") { try $0.update(Bird.order { $0.id }, .set(\.sightings, to: 0)) }
    }
    #expect(statements.sql == [#"UPDATE "bird" SET "sightings" = ?"#])
    #expect(statements.first { $0.sql.hasPrefix("UPDATE") }?.rowCount == 2)
  }

  /// A statement that begins with a comment is recorded as a statement. SQLite reports triggers to a trace as comments.
  @Test(arguments: StatementTracing.allCases)
  func statementsThatBeginWithAComment(tracing: StatementTracing) async throws {
    let store = try folder.store(birds: 2, tracing: tracing)
    let (_, statements) = try await store.record { try await store.texts("-- all rings\nSELECT ring FROM bird") }
    #expect(statements.map(\.sql) == ["-- all rings\nSELECT ring FROM bird"])
    #expect(statements.map(\.rowCount) == [2])
  }

  /// The trace ends with the recorded access: a later access reports nothing to the released recorder.
  @Test(arguments: StoreKind.allCases)
  func theTraceEndsWithTheAccess(kind: StoreKind) async throws {
    struct ChangeOfMind: Error {}
    let store = try folder.store(kind)
    let (_, statements) = await store.record {
      await #expect(throws: ChangeOfMind.self) { try await store.write("mark") { _ in throw ChangeOfMind() } }
    }
    #expect(statements.map(\.sql) == ["BEGIN IMMEDIATE TRANSACTION", "ROLLBACK TRANSACTION"])
    try await mark(1, in: store)
    try store.writer.run("UPDATE bird SET sightings = 2")
    _ = try await store.birds
  }
}
