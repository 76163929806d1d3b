import Foundation
import SanderlingDiagnosis
import Testing

/// Files of the corpus are read completely, and each error names its line.
struct CorpusFileTests {
  private static let example = #"""
    -- schema: tasks
    -- about: Tasks of projects, \
    --   with dates.
    -- origin: Tasks 1.0 (MIT)
    -- superfluous: duplicate-index a b

    CREATE TABLE task (id INTEGER PRIMARY KEY, project INTEGER, due TEXT);

    -- a comment inside of SQL
    INSERT INTO task SELECT i, pick(1, i, 9), \
    date(i) FROM numbers WHERE i <= 1000;

    -- statement: tasks-01
    -- is: full-scan, automatic-index
    -- because: no index: none at all
    -- sampled
    -- run: 3, 'it''s | a' | -4.0, NULL
    -- run: 5, ''

    SELECT * FROM task
      WHERE project = ?

    -- best
    -- index: task (project)
    -- change: CREATE TRIGGER t AFTER INSERT ON task BEGIN
    --     SELECT 1;
    --   END
    -- index: task (due)

    -- or
    -- changes results
    -- run:

    SELECT 1

    -- statement: tasks-02
    -- fine
    -- tolerated: full-scan
    -- because: few rows
    -- operation: load

    SELECT 2

    -- statement: tasks-03
    -- is: repeated-statement
    -- because: once per row

    SELECT 3

    -- best: design
    """#

  @Test func aFileIsASchema() throws {
    let schema = try CorpusFile.schema(Self.example, file: "tasks.sql")
    #expect(schema.name == "tasks" && schema.origin == "Tasks 1.0 (MIT)")
    #expect(schema.superfluousIndexes.map(\.names) == [["a", "b"]])
    #expect(schema.superfluousIndexes.map(\.kind) == [.duplicateIndex])
    #expect(
      schema.script == """
        CREATE TABLE task (id INTEGER PRIMARY KEY, project INTEGER, due TEXT);

        -- a comment inside of SQL
        INSERT INTO task SELECT i, pick(1, i, 9), date(i) FROM numbers WHERE i <= 1000;
        """)
    #expect(schema.statements.map(\.id) == ["tasks-01", "tasks-02", "tasks-03"])
    let first = schema.statements[0]
    #expect(first.sql == "SELECT * FROM task\n  WHERE project = ?")
    #expect(first.executions == [[3, "it's | a"], [-4.0, nil], [5, ""]])
    #expect(!first.logsValues && first.operation == nil)
    guard case .fix(let kinds, let best, let alternatives, let reason) = first.verdict else {
      Issue.record("\(first.verdict)")
      return
    }
    #expect(kinds == [.fullScan, .automaticIndex] && reason == "no index: none at all")
    #expect(
      best.changes == [
        "CREATE INDEX corpus_best_1 ON task (project)",
        "CREATE TRIGGER t AFTER INSERT ON task BEGIN\n  SELECT 1;\nEND", "CREATE INDEX corpus_best_3 ON task (due)",
      ])
    #expect(best.replacement == nil && best.replacementExecutions == nil && !best.changesResults && best.isMeasurable)
    #expect(alternatives.map(\.replacement) == ["SELECT 1"] && alternatives.map(\.changesResults) == [true])
    #expect(alternatives.first?.replacementExecutions == [[]])
    let second = schema.statements[1]
    #expect(second.executions == [[]] && second.logsValues && second.operation == "load")
    guard case .none("few rows", [.fullScan]) = second.verdict else {
      Issue.record("\(second.verdict)")
      return
    }
    #expect(schema.statements[2].isOfDesign)
  }

  /// Each change of the example file is an error with this line number and these words.
  @Test(arguments: [
    ("-- schema: tasks\n", "", 1, "begins with"), ("-- schema: tasks", "-- schema: task", 1, "another name"),
    ("-- about: Tasks of projects, \\\n--   with dates.\n", "", 1, "'about' is missing"),
    ("--   with dates.", "with dates.", 3, "goes on with"),
    ("duplicate-index a b", "duplicate a b", 5, "kind of finding"),
    ("duplicate-index a b", "duplicate-index", 5, "names"), ("-- origin", "-- author", 4, "no header 'author'"),
    ("-- origin: Tasks 1.0 (MIT)", "-- about: a", 4, "twice"),
    ("-- statement: tasks-01", "-- statement: task-01", 13, "a number of its own"),
    ("-- statement: tasks-02", "-- statement: tasks-01", 36, "a number of its own"),
    ("-- is: full-scan, automatic-index", "-- is: full-scan, slow", 14, "'slow'"),
    ("-- is: full-scan, automatic-index\n", "", 13, "'is' or 'fine'"),
    ("-- because: no index: none at all\n", "", 13, "'because' is missing"),
    ("-- sampled", "-- sampled: yes", 16, "has no text"), ("3, 'it''s | a'", "3, 'it's | a'", 17, "Values"),
    ("-4.0", "four", 17, "Values"), ("-- run: 5, ''", "-- run: 5,", 18, "Values"),
    ("SELECT * FROM task\n  WHERE project = ?", "", 13, "no SQL"),
    ("-- best\n", "-- best: design\n", 23, "can't be run"),
    ("-- best\n", "-- or\n", 23, "one best remedy"), ("-- or\n", "-- best\n", 30, "one best remedy"),
    ("-- index: task (due)", "-- index:", 28, "says nothing"), ("\n\nSELECT 1", "", 30, "changes nothing"),
    ("-- fine\n", "-- fine\n-- is: full-scan\n", 36, "something else"),
    ("-- fine\n", "-- is: full-scan\n", 38, "tolerated"), ("-- best: design", "", 44, "no best remedy"),
    ("-- best: design", "-- best: other", 50, "no remedy 'other'"),
    ("-- best: design", "SELECT 3 \\", 50, "ends in a backslash"),
  ])
  func errorsHaveTheirLine(old: String, new: String, line: Int, words: String) throws {
    let place = try #require(Self.example.range(of: old))
    let text = Self.example.replacingCharacters(in: place, with: new)
    let problem = #expect(throws: CorpusFile.Problem.self) { try CorpusFile.schema(text, file: "tasks.sql") }
    #expect(problem?.line == line, "\(String(describing: problem))")
    #expect(problem?.text.contains(words) == true, "\(String(describing: problem))")
    #expect(problem?.description.hasPrefix("tasks.sql:\(line): ") == true)
  }

  @Test func theCorpusIsComplete() throws {
    #expect(try Corpus.files("Built").count == Corpus.built.count)
    #expect(try Corpus.files("HeldOut").count == Corpus.heldOut.count)
    #expect(Corpus.built.count == 18 && Corpus.heldOut.count >= 128)
    #expect(Set(Corpus.schemas.map(\.name)).count == Corpus.schemas.count)
    #expect(Corpus.heldOut.allSatisfy { $0.origin != nil })
  }
}
