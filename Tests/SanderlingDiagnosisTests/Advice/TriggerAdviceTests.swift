import Testing

@testable import SanderlingDiagnosis

/// Searches inside triggers get indexes too, although no query plan shows them.
struct TriggerAdviceTests {
  private static let script = """
    CREATE TABLE lens (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE roll (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE image (
      id INTEGER PRIMARY KEY, roll INTEGER REFERENCES roll (id) ON DELETE CASCADE, lens INTEGER, place INTEGER, title TEXT);
    CREATE INDEX image_roll ON image (roll);
    \(AdviceFixture.numbers(6_000)) INSERT INTO lens SELECT i, 'Lens ' || i FROM n;
    \(AdviceFixture.numbers(3_000)) INSERT INTO roll SELECT i, 'Roll ' || i FROM n;
    \(AdviceFixture.numbers(6_000)) INSERT INTO image SELECT i, (i + 1) / 2, i, i, printf('%.60c', 'x') FROM n;
    CREATE TRIGGER lastOfLens AFTER DELETE ON image WHEN OLD.lens IS NOT NULL BEGIN
      DELETE FROM lens WHERE id = OLD.lens AND NOT EXISTS (SELECT 1 FROM image WHERE lens = OLD.lens);
    END;
    CREATE TRIGGER newPlace AFTER INSERT ON image BEGIN
      UPDATE image SET place = (SELECT MAX(place) FROM image) + 1 WHERE id = NEW.id;
    END;
    """

  @Test(arguments: [
    ("DELETE FROM image WHERE id = 3001", "lens"),
    // Deleting a roll deletes its images, which fires the trigger of the images.
    ("DELETE FROM roll WHERE id = 40", "lens"),
    ("INSERT INTO image (lens, title) VALUES (7, 'new')", "place"),
  ])
  func indexServesTheSearchesOfATrigger(sql: String, column: String) throws {
    let fixture = try AdviceFixture(Self.script)
    let advice = try fixture.advise(sql)
    #expect(advice.sql == ["CREATE INDEX \"image_on_\(column)\" ON \"image\" (\"\(column)\")"])
    let analyzed = try fixture.analyze(sql)
    let finding = try #require(
      AdviceFinding(advice: advice, analyzed: analyzed, names: fixture.advisor.names).findings.first)
    #expect(finding.kind == .fullScan && finding.title.hasPrefix("A trigger looks through image"))
  }

  @Test(arguments: [
    "UPDATE image SET title = 'other' WHERE id = 3001", "SELECT * FROM image WHERE id = 3001",
    "DELETE FROM lens WHERE id = 12",
  ])
  func statementThatFiresNoTriggerNeedsNoIndexOfIt(sql: String) throws {
    #expect(try AdviceFixture(Self.script).advise(sql).sql.isEmpty)
  }

  /// SQLite 3.40 refuses full-text tables in triggers of a schema that isn't trusted. The diagnosis works nevertheless.
  @Test func statementWithTriggersOfAFullTextTableIsDiagnosed() throws {
    let script = """
      CREATE TABLE message (id INTEGER PRIMARY KEY, sent TEXT, body TEXT);
      CREATE VIRTUAL TABLE words USING fts5 (body, content = 'message', content_rowid = 'id');
      CREATE TRIGGER added AFTER INSERT ON message BEGIN INSERT INTO words (rowid, body) VALUES (new.id, new.body); END;
      CREATE TRIGGER gone AFTER DELETE ON message BEGIN
        INSERT INTO words (words, rowid, body) VALUES ('delete', old.id, old.body);
      END;
      \(AdviceFixture.numbers(6_000)) INSERT INTO message (sent, body) SELECT printf('2026-%05d', i * 7919 % 6000), 'tide ' || i FROM n;
      """
    let sql = "DELETE FROM message WHERE sent < '2026-00020'"
    #expect(
      try AdviceFixture(script).advise(sql).sql == ["CREATE INDEX \"message_on_sent\" ON \"message\" (\"sent\")"])
  }

  @Test func statementsOfATriggerAreReadAlone() throws {
    let text = try #require(
      TriggerText(
        TriggerSchema(
          name: "t", table: "Note",
          sql: """
            CREATE TRIGGER IF NOT EXISTS t AFTER UPDATE OF "title", body ON Note FOR EACH ROW
            WHEN NEW.title <> "old".title AND CASE WHEN old.id THEN 1 END
            BEGIN
              INSERT INTO search (search, rowid) VALUES ('delete; END', old.id);
              UPDATE Note SET changed = main.new.id WHERE id = [NEW].id;
            END
            """)))
    #expect(text.event == TriggerEvent(kind: .update, table: "note", columns: ["title", "body"]))
    #expect(
      text.statements == [
        "SELECT 1 WHERE ? <> ? AND CASE WHEN ? THEN 1 END",
        "INSERT INTO search (search, rowid) VALUES ('delete; END', ?)",
        "UPDATE Note SET changed = main.new.id WHERE id = ?",
      ])
    let other = TriggerEvent(kind: .update, table: "note", columns: ["color"])
    #expect(!text.event.isFired(by: other) && text.event.isFired(by: TriggerEvent(kind: .update, table: "note")))
  }
}
