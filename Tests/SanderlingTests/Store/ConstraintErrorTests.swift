import Foundation
import Sanderling
import Testing

/// The message for a violated constraint names the constraint, its table and columns, and the remedy. It never contains
/// the values.
@Suite struct ConstraintErrorTests {
  let folder = TemporaryFolder()

  /// Makes a store with one bird, its tag, and a table of the app.
  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writer.run(
      """
      INSERT INTO bird VALUES (1, 'secret', 'knot', 0);
      INSERT INTO birdTag VALUES (1, 'secret', 1);
      CREATE TABLE gauge (level CONSTRAINT levelIsPositive CHECK (level >= 0), place TEXT CHECK (length(place) < 5));
      CREATE UNIQUE INDEX gauge_on_place ON gauge (lower(place));
      INSERT INTO gauge VALUES (1, 'a');
      CREATE TRIGGER closing BEFORE INSERT ON gauge WHEN new.level = 77
      BEGIN SELECT RAISE(ABORT, 'closed for the season'); END;
      CREATE TABLE typed (number INTEGER) STRICT
      """)
    return store
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let change: @Sendable (WriteTransaction) throws -> Void
    let kind: ConstraintViolation.Kind
    var table: String?
    var columns: [String] = []
    var name: String?
    let text: String
    var testDescription: String { text }
  }

  static let cases: [Case] = [
    Case(
      change: { try $0.insert(Bird(ring: "secret", species: "knot")) }, kind: .unique, table: "bird", columns: ["ring"],
      text: "There is a row with these values already: UNIQUE constraint on ring of table bird."),
    Case(
      change: { try $0.insert(contentsOf: [Bird(id: 1, ring: "other", species: "knot")]) }, kind: .primaryKey,
      table: "bird", columns: ["id"],
      text: "There is a row with these values already: PRIMARY KEY constraint on id of table bird."),
    Case(
      change: { try $0.insert(BirdTag(birdID: 1, tag: "secret")) }, kind: .primaryKey, table: "birdTag",
      columns: ["birdID", "tag"],
      text: "There is a row with these values already: PRIMARY KEY constraint on birdID, tag of table birdTag."),
    Case(
      change: { try $0.execute("UPDATE bird SET ring = NULL WHERE ring = \("secret")") }, kind: .notNull, table: "bird",
      columns: ["ring"], text: "A value is missing: NOT NULL constraint on ring of table bird."),
    Case(
      change: { try $0.insert(BirdTag(birdID: 9, tag: "secret")) }, kind: .foreignKey,
      text: "A reference would lead nowhere: FOREIGN KEY constraint. Insert a row before the rows that refer to it, "
        + "and delete it after them."),
    Case(
      change: { try $0.execute("INSERT INTO gauge VALUES (\(-5), 'b')") }, kind: .check, name: "levelIsPositive",
      text: "A value is not allowed: CHECK constraint levelIsPositive."),
    Case(
      change: { try $0.execute("INSERT INTO gauge VALUES (5, \("secret"))") }, kind: .check, name: "length(place) < 5",
      text: "A value is not allowed: CHECK constraint length(place) < 5."),
    Case(
      change: { try $0.execute("INSERT INTO gauge VALUES (5, \("A"))") }, kind: .unique, name: "index 'gauge_on_place'",
      text: "There is a row with these values already: UNIQUE constraint index 'gauge_on_place'."),
    Case(
      change: { try $0.execute("INSERT INTO gauge VALUES (77, \("s"))") }, kind: .trigger,
      name: "closed for the season",
      text: "A trigger forbids the change: closed for the season."),
    Case(
      change: { try $0.execute("INSERT INTO typed VALUES (\("secret"))") }, kind: .other,
      name: "cannot store TEXT value in INTEGER column typed.number",
      text: "A constraint forbids the change: cannot store TEXT value in INTEGER column typed.number."),
  ]

  @Test(arguments: StoreKind.allCases, cases)
  func names(kind: StoreKind, violation: Case) async throws {
    let store = try store(kind)
    let error = await #expect(throws: StoreError.self) {
      try await store.write("violate") { tx in
        try tx.execute("UPDATE bird SET sightings = sightings + 1")
        try violation.change(tx)
      }
    }
    guard case .constraint(let found) = error else { throw try #require(error) }
    #expect(found.kind == violation.kind)
    #expect(found.table == violation.table)
    #expect(found.columns == violation.columns)
    #expect(found.name == violation.name)
    #expect(error?.localizedDescription == violation.text)
    #expect(!String(reflecting: found).contains("secret"))
    #expect(try await store.birds == [Bird(id: 1, ring: "secret", species: "knot")])
  }

  /// A statement that violates a constraint is undone alone. The closure may catch the error and continue.
  @Test(arguments: StoreKind.allCases)
  func canBeCaughtInsideTheTransaction(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("violate") { tx in
      for violation in Self.cases {
        #expect(throws: StoreError.self) { try violation.change(tx) }
      }
      try tx.insert(Bird(ring: "new", species: "knot"))
    }
    #expect(try await store.birds.map(\.ring) == ["secret", "new"])
  }

  /// A recording contains the requested statements only, without statements that describe the error.
  @Test func constraintErrorsRunNoFurtherStatement() async throws {
    let store = try store(.file)
    let (_, statements) = await store.record {
      await #expect(throws: StoreError.self) {
        try await store.write("violate") { try $0.insert(Bird(ring: "secret", species: "knot")) }
      }
    }
    #expect(
      statements.map(\.sql) == [
        "BEGIN IMMEDIATE TRANSACTION",
        #"INSERT INTO "bird" ("id", "ring", "species", "sightings") VALUES (?, ?, ?, ?)"#, "ROLLBACK TRANSACTION",
      ])
  }
}
