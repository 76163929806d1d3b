import Testing

@testable import SanderlingDiagnosis

/// Triggers that run for updates of columns that they don't read.
@Suite struct TriggerColumnsTests {
  private let detector = TriggerColumnsDetector()

  private static let notes = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, folder INTEGER, title TEXT, body TEXT, isRead INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX note_on_folder ON note (folder);
    CREATE TABLE summary (note INTEGER PRIMARY KEY, title TEXT, changes INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE log (note INTEGER, title TEXT);
    CREATE VIRTUAL TABLE texts USING fts5 (title, body, content='note', content_rowid='id');
    CREATE VIRTUAL TABLE words USING fts4 (content='note', title, body);
    \(DetectorFixture.numbers(2_000)) INSERT INTO note (id, folder, title, body)
      SELECT i, i % 20, 'title ' || i, printf('word%d ', i) || replace(printf('%.100c', 'x'), 'x', 'some words ') FROM n;
    INSERT INTO summary (note, title) SELECT id, title FROM note;
    INSERT INTO texts (texts) VALUES ('rebuild');
    INSERT INTO words (words) VALUES ('rebuild');

    """

  private static let marking = "UPDATE note SET isRead = 1 WHERE folder = 7"

  private func fix(_ triggers: String, _ sql: String = Self.marking) throws -> [String]? {
    let findings = try DetectorFixture(Self.notes + triggers).findings(detector, sql)
    #expect(findings.allSatisfy { $0.kind == .triggerWithoutColumns && $0.isProven })
    // The proof compared more rows than the statement's own values find.
    #expect(findings.allSatisfy { $0.formProof?.shortage == nil && $0.formProof != nil })
    return findings.first?.fix?.sql
  }

  /// A trigger indexes texts again when only a flag changes. It is written as in SQLite's documentation of FTS5.
  @Test func triggerIsLimitedToTheIndexedColumns() throws {
    let fix = try fix(
      """
      CREATE TRIGGER note_texts AFTER UPDATE ON note BEGIN
        INSERT INTO texts (texts, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
        INSERT INTO texts (rowid, title, body) VALUES (new.id, new.title, new.body);
      END;
      """)
    #expect(fix?.first == "DROP TRIGGER \"note_texts\"")
    #expect(
      fix?.last?.hasPrefix("CREATE TRIGGER note_texts AFTER UPDATE OF \"id\", \"title\", \"body\" ON note BEGIN")
        == true)
  }

  /// Two triggers written as in SQLite's documentation of FTS4. One removes the texts that the other adds, so both get
  /// the columns of both.
  @Test func twoTriggersBelongTogether() throws {
    let removal = "CREATE TRIGGER before BEFORE UPDATE ON note BEGIN DELETE FROM words WHERE docid = old.rowid; END;"
    let addition = """
      CREATE TRIGGER after AFTER UPDATE ON note BEGIN INSERT INTO words (docid, title, body) VALUES (new.rowid, new.title, new.body); END;
      """
    let fix = try #require(try fix(removal + addition))
    #expect(fix.count == 4)
    #expect(fix.filter { $0.contains(#"UPDATE OF "id", "title", "body" ON note"#) }.count == 2)
    #expect(try self.fix(removal) == nil)
    #expect(try self.fix(removal.replacing("BEFORE UPDATE", with: "BEFORE UPDATE OF isRead") + addition) == nil)
  }

  @Test func aCopyOfAColumn() throws {
    let trigger = """
      CREATE TRIGGER "a copy" AFTER UPDATE ON note WHEN new.title <> '' BEGIN UPDATE summary SET title = upper(new.title) WHERE note + 0 = new.id; END;
      UPDATE summary SET title = upper(title);
      """
    #expect(try fix(trigger)?.first == "DROP TRIGGER \"a copy\"")
    #expect(try fix(trigger, "UPDATE note SET title = 'other' WHERE folder = 7") == nil)
    #expect(try fix(trigger, "UPDATE note SET rowid = rowid + 10000 WHERE folder = 7") == nil)
    #expect(try fix(trigger, "DELETE FROM note WHERE folder = 7") == nil)
    // A stored value differs from the trigger's value, so an update of any column would correct it.
    #expect(try fix(trigger + "UPDATE summary SET title = 'otherwise' WHERE note = 7;") == nil)
  }

  @Test(arguments: [
    "INSERT INTO log VALUES (new.id, new.title)", "UPDATE summary SET changes = changes + 1 WHERE note + 0 = new.id",
    "UPDATE summary SET title = (SELECT title FROM note WHERE id = new.id) WHERE note + 0 = new.id",
    "UPDATE summary SET title = datetime('now') WHERE note + 0 = new.id",
    "UPDATE summary SET title = new.title || new.isRead WHERE note + 0 = new.id",
    "UPDATE summary SET changes = 7 WHERE note + 0 = new.id AND (SELECT count(*) FROM note WHERE isRead) > 3",
    "DELETE FROM log WHERE note = new.id", "UPDATE note SET title = new.title WHERE id + 0 = new.id",
    "INSERT INTO texts (rowid, title, body) VALUES (new.id, new.title, new.body)",
  ])
  func triggersThatNeedEachUpdateStay(body: String) throws {
    #expect(try fix("CREATE TRIGGER other AFTER UPDATE ON note BEGIN \(body); END;") == nil)
  }

  private func verdict(
    _ trigger: String, reading columns: [String], writing tables: [String], _ sql: String = Self.marking,
    bindings: [[Int: BoundValue]] = []
  ) throws -> RewriteProof.Verdict {
    let fixture = try DetectorFixture(Self.notes + "CREATE TRIGGER t AFTER UPDATE ON note BEGIN \(trigger); END;")
    let list = columns.joined(separator: ", ")
    return try TriggerProof(
      context: fixture.context, analyzed: fixture.analyzed(sql, bindings: bindings),
      table: try #require(fixture.context.schema.table("note")), columns: columns,
      written: tables.compactMap(fixture.context.schema.table),
      fix: ["DROP TRIGGER t", "CREATE TRIGGER t AFTER UPDATE OF \(list) ON note BEGIN \(trigger); END"]
    ).verdict()
  }

  private static let texts = """
    INSERT INTO texts (texts, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
    INSERT INTO texts (rowid, title, body) VALUES (new.id, new.title, new.body)
    """

  /// The proof finds that the changed triggers do less, by firing them on small databases and comparing tables and
  /// full-text indexes.
  @Test(arguments: [
    ("UPDATE summary SET title = new.title || new.isRead WHERE note = new.id", "summary"),
    ("UPDATE summary SET changes = changes + 1 WHERE note = new.id", "summary"),
    ("INSERT INTO log VALUES (new.id, new.title)", "log"),
    (texts.replacing(".body", with: ".isRead"), "texts"),
  ])
  func triggersThatDoMore(trigger: String, table: String) throws {
    #expect(try verdict(trigger, reading: ["title", "body"], writing: [table]) == .different)
  }

  @Test func triggersThatDoTheSame() throws {
    let cases = [
      ("UPDATE summary SET title = upper(new.title) WHERE note = new.id", ["title"], "summary"),
      (Self.texts, ["id", "title", "body"], "texts"),
    ]
    for (trigger, columns, table) in cases {
      let verdict = try verdict(trigger, reading: columns, writing: [table])
      #expect(verdict.isSame, "\(verdict)")
      let named = try self.verdict(
        trigger, reading: columns, writing: [table], "UPDATE note SET isRead = ?1 WHERE folder = ?2",
        bindings: [[1: .integer(1), 2: .integer(7)]])
      #expect(named.isSame, "\(named)")
    }
  }
}
