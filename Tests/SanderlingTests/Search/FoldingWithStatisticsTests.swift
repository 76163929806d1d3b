import GRDB
import Sanderling
import Testing

/// Folding in a table with statistics, whose keys SQLite may look up in a descending index.
@Suite struct FoldingWithStatisticsTests {
  @Record("label")
  struct Label: Hashable {
    @PrimaryKey var shelf: Int
    @PrimaryKey var word: String
    @Searchable var comment: String?
  }

  @Test func allTextsOfOtherWritersAreFolded() async throws {
    let store = try Store(inMemory: [Label.self])
    let database = store.writer
    try await database.write { db in
      try db.execute(
        sql: """
          DROP TABLE label;
          CREATE TABLE label (shelf INTEGER NOT NULL, word TEXT NOT NULL, comment TEXT, comment_folded TEXT DEFAULT X'',
            PRIMARY KEY (shelf, word)) WITHOUT ROWID;
          CREATE INDEX label_word ON label (word DESC);
          CREATE INDEX label_folded ON label (comment_folded);
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 7)
          INSERT INTO label (shelf, word, comment) SELECT i % 4, 'a' || i, 'É' FROM n;
          """)
    }
    try await store.searchIndexed()
    try await database.write { try $0.execute(sql: "ANALYZE") }
    for round in 0..<40 {
      try await database.write { db in
        try db.execute(
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 9)
            INSERT OR REPLACE INTO label (shelf, word, comment, comment_folded)
            SELECT (i * 7 + \(round)) % 11, char(97 + (i + \(round)) % 5), 'É' || i, X'' FROM n
            """)
      }
      try await store.write("settle") { tx in
        try tx.execute("UPDATE label SET comment = 'own' WHERE shelf = 0 AND word = 'a0'")
        try tx.insert(Label(shelf: 100 + round, word: "own", comment: "Ö"))
      }
      let left = try await store.writer.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM label WHERE comment_folded = X''")
      }
      #expect(left == 0, "round \(round)")
    }
  }
}
