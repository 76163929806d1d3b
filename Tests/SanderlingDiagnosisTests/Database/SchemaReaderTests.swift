import Testing

@testable import SanderlingDiagnosis

@Suite struct SchemaReaderTests {
  let fixture: DatabaseFixture
  let schema: DatabaseSchema

  init() throws {
    fixture = try DatabaseFixture()
    schema = try DatabaseSchemaReader(
      connection: fixture.copy(
        #"""
        CREATE TABLE place (code TEXT COLLATE NOCASE, country TEXT NOT NULL DEFAULT 'x', PRIMARY KEY (country, code)) WITHOUT ROWID;
        CREATE TABLE "odd ""name" (
          id INTEGER PRIMARY KEY, ring VARCHAR(10) UNIQUE, weight DOUBLE, twice AS (weight * 2), code TEXT, country TEXT,
          FOREIGN KEY (country, code) REFERENCES place (country, code) ON DELETE CASCADE);
        INSERT INTO "odd ""name" (ring, weight) VALUES ('a', 1), ('b', 2), ('c', 2);
        CREATE INDEX "an, index" ON "odd ""name" (lower(ring) COLLATE RTRIM DESC, weight, ("a" || coalesce(code, ',')) ASC)
          WHERE weight > 1 AND code IS NULL /* x */;
        CREATE INDEX byWeight ON "odd ""name" (weight);
        ANALYZE;
        CREATE TABLE kind (id INT PRIMARY KEY); CREATE TABLE descending (id INTEGER PRIMARY KEY DESC);
        CREATE VIRTUAL TABLE note USING fts5(body);
        CREATE VIEW heavy AS SELECT * FROM "odd ""name" WHERE weight > 1;
        CREATE TRIGGER t AFTER DELETE ON kind BEGIN SELECT 1; END;
        """#
      ).connection
    ).read()
  }

  @Test func tables() throws {
    let table = try #require(schema.table("ODD \"NAME"))
    #expect(table.columns.map(\.name) == ["id", "ring", "weight", "twice", "code", "country"])
    #expect(table.columns.map(\.affinity) == [.integer, .text, .real, .blob, .text, .text])
    #expect(table.columns.filter(\.isGenerated).map(\.name) == ["twice"])
    #expect(table.rowIDAlias == "id" && !table.isWithoutRowID && table.rowCount == 3 && table.isRowCountExact)
    #expect(table.pages == 1)
    #expect(
      table.foreignKeys == [
        ForeignKeySchema(
          table: "odd \"name", columns: ["country", "code"], parentTable: "place", parentColumns: ["country", "code"],
          onDelete: "CASCADE", onUpdate: "NO ACTION")
      ])
    let place = try #require(schema.table("place"))
    #expect(place.isWithoutRowID && place.primaryKey == ["country", "code"] && place.rowIDAlias == nil)
    #expect(place.column("code")?.collation == "NOCASE" && place.column("country")?.defaultSQL == "'x'")
    // A key is no alias of the rowid if its type isn't spelled INTEGER, or if it is descending.
    #expect(schema.table("kind")?.rowIDAlias == nil && schema.table("descending")?.rowIDAlias == nil)
    #expect(schema.views.map(\.name) == ["heavy"] && schema.triggers.map(\.table) == ["kind"])
  }

  @Test func indexes() throws {
    let index = try #require(schema.index("an, index"))
    #expect(
      index.keys == [
        IndexKey(expression: "lower(ring)", isDescending: true, collation: "RTRIM"),
        IndexKey(column: "weight", isDescending: false, collation: "BINARY"),
        IndexKey(expression: "(\"a\" || coalesce(code, ','))", isDescending: false, collation: "BINARY"),
      ])
    #expect(index.condition == "weight > 1 AND code IS NULL" && index.canBeDropped)
    #expect(schema.index("byweight")?.statistics == [3, 2] && schema.hasStatistics)
    let unique = try #require(schema.indexes.first { $0.origin == .unique })
    #expect(unique.isUnique && unique.sql == nil && !unique.canBeDropped && unique.pages == 1)
  }

  @Test func virtualTables() {
    #expect(schema.table("note")?.kind == .virtual(module: "fts5"))
    #expect(schema.table("note")?.columns.map(\.isHidden) == [false, true, true])
    #expect(schema.table("note_data")?.kind == .shadow)
  }

  /// SQLite 3.38 to 3.40 refuse JSON functions in a schema that isn't trusted, however the functions are spelled. Such
  /// a schema is read nevertheless.
  @Test(arguments: ["json_extract", "JSON_EXTRACT"]) func schemaWithJSON(function: String) throws {
    let copy = try DatabaseFixture().copy(
      """
      CREATE TABLE event (id INTEGER PRIMARY KEY, body TEXT, code TEXT AS (\(function)(body, '$.code')) VIRTUAL);
      CREATE INDEX event_zone ON event (\(function)(body, '$.zone'));
      INSERT INTO event (body) VALUES ('{"code": "a", "zone": 3}');
      """)
    let schema = try DatabaseSchemaReader(connection: copy.connection).read()
    #expect(schema.table("event")?.columns.map(\.name) == ["id", "body", "code"])
    #expect(try copy.connection.rows("SELECT code FROM event") == [[.text("a")]])
    #expect(try copy.makeSchemaCopy().rows("SELECT count(*) FROM event") == [[.integer(0)]])
  }
}
