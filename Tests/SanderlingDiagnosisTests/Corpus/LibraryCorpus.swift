extension Corpus {
  /// A public library: pages in orders that NULL takes part in, counts with empty groups, keys of two columns.
  static let library = CorpusSchema(
    name: "library", script: libraryScript, statements: libraryStatements,
    superfluousIndexes: [.redundant("loan_member")])

  private static let libraryScript = """
    CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, left_at INTEGER);
    CREATE TABLE work (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER, rating REAL, series TEXT);
    CREATE TABLE loan (
      id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES member (id), work_id INTEGER NOT NULL REFERENCES work (id),
      lent INTEGER NOT NULL, returned INTEGER, fee INTEGER);
    CREATE TABLE shelf (room TEXT NOT NULL, place INTEGER NOT NULL, work_id INTEGER, PRIMARY KEY (room, place)) WITHOUT ROWID;
    CREATE INDEX loan_member ON loan (member_id);
    CREATE INDEX loan_member_lent ON loan (member_id, lent);
    CREATE INDEX loan_work ON loan (work_id);
    CREATE INDEX work_rating ON work (rating);
    CREATE INDEX work_year ON work (year);

    INSERT INTO member SELECT i, title(1, i, 2), iif(i % 9 = 0, NULL, word(pick(2, i, 40))), iif(i % 11 = 0, 17000 + i, NULL)
    FROM numbers WHERE i <= 4000;
    INSERT INTO work SELECT i, title(3, i, 4), iif(chance(4, i) < 0.2, NULL, 1900 + pick(5, i, 120)),
      iif(chance(6, i) < 0.3, NULL, pick(7, i, 50) / 10.0), iif(i % 5 = 0, word(pick(8, i, 600)), NULL)
    FROM numbers WHERE i <= 40000;
    INSERT INTO loan SELECT i, pick(9, i, 3900), skewed(10, i, 39000), 10000 + i / 8,
      iif(chance(11, i) < 0.02, NULL, 10000 + i / 8 + pick(12, i, 30)), iif(chance(13, i) < 0.8, NULL, pick(14, i, 9))
    FROM numbers WHERE i <= 60000;
    INSERT INTO shelf SELECT 'room ' || (i % 12), i, iif(i % 6 = 0, NULL, i) FROM numbers WHERE i <= 30000;
    """

  private static let libraryStatements: [CorpusStatement] = [
    .slow(
      "library-01", "SELECT id, title, rating FROM work ORDER BY rating DESC LIMIT 40 OFFSET 20000", is: [.largeOffset],
      best: .design, because: "12,000 works have no rating: a row value alone would lose them all"),
    .slow(
      "library-02", "SELECT id, title, year FROM work ORDER BY year LIMIT 40 OFFSET 25000", is: [.largeOffset],
      best: .design, because: "the first 8,000 rows have no year: a page among them needs a statement of its own"),
    .slow(
      "library-03",
      "SELECT m.id, m.name FROM member m WHERE (SELECT count(*) FROM loan l WHERE l.work_id = m.id AND l.fee = 3) > 4",
      is: [.subqueryPerRow, .indexNotCovering], best: .index("loan (work_id, fee)"),
      because: "counted by the index alone"),
    .fine(
      "library-04", "SELECT id, lent FROM loan WHERE member_id = ? ORDER BY lent DESC LIMIT 20", [77],
      because: "the index of both columns has this order"),
    .slow(
      "library-05", "SELECT id, member_id FROM loan WHERE returned IS NULL ORDER BY lent LIMIT 30",
      is: [.sortWithoutIndex, .partialIndex, .fullScan], best: .index("loan (lent) WHERE returned IS NULL"),
      or: [.index("loan (returned, lent)")], because: "2 % are out; NULL is no literal of one execution"),
    .slow(
      "library-06", "SELECT count(*) FROM loan WHERE fee = 7 AND lent > 15000", is: [.fullScan],
      best: .index("loan (fee, lent)"), because: "the general index, not one of the fee 7"),
    .fine("library-07", "SELECT title FROM work WHERE id = ?", [500], because: "by rowid"),
    .fine(
      "library-08", "SELECT work_id FROM shelf WHERE room = ? AND place BETWEEN ? AND ?", ["room 3", 100, 180],
      because: "the table is in this order"),
  ]
}
