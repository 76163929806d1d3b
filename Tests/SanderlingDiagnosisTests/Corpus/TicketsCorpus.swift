extension Corpus {
  /// Tickets of an issue tracker with JSON: literals that belong to an index, and those that one execution had.
  static let tickets = CorpusSchema(name: "tickets", script: ticketsScript, statements: ticketsStatements)

  private static let ticketsScript = """
    CREATE TABLE ticket (
      id INTEGER PRIMARY KEY, state TEXT NOT NULL, priority INTEGER NOT NULL, assignee INTEGER, opened TEXT NOT NULL,
      title TEXT NOT NULL, fields TEXT NOT NULL, is_spam INTEGER NOT NULL);
    CREATE TABLE remark (id INTEGER PRIMARY KEY, ticket_id INTEGER NOT NULL REFERENCES ticket (id), author INTEGER, body TEXT);
    CREATE INDEX remark_ticket ON remark (ticket_id);
    CREATE INDEX ticket_opened ON ticket (opened);

    INSERT INTO ticket SELECT i,
      CASE WHEN chance(1, i) < 0.01 THEN 'blocked' WHEN chance(2, i) < 0.1 THEN 'open' ELSE 'closed' END, pick(3, i, 5),
      iif(chance(4, i) < 0.3, NULL, pick(5, i, 400)), datetime('2020-01-01', (i * 40) || ' minutes'), title(6, i, 5),
      json_object('customer', 'c' || pick(7, i, 3000), 'version', pick(8, i, 20)), chance(9, i) < 0.01
    FROM numbers WHERE i <= 40000;
    INSERT INTO remark SELECT i, skewed(10, i, 40000), pick(11, i, 400), prose(12, i, 60) FROM numbers WHERE i <= 50000;
    """

  private static let ticketsStatements: [CorpusStatement] = [
    .slow(
      "tickets-01", "SELECT id, title FROM ticket WHERE json_extract(fields, '$.customer') = ?", ["c77"],
      is: [.fullScan, .expressionIndex, .functionOnColumn], best: .index("ticket (json_extract(fields, '$.customer'))"),
      because: "the path belongs to the index"),
    .slow(
      "tickets-02", "SELECT id, title FROM ticket WHERE state = 'blocked' AND assignee = 33", is: [.fullScan],
      best: .index("ticket (assignee, state)"), or: [.index("ticket (state, assignee)")],
      because: "one execution says nothing of other states"),
    .slow(
      "tickets-03", "SELECT id FROM ticket WHERE state = ? ORDER BY opened DESC LIMIT 20", ["blocked"],
      is: [.sortWithoutIndex, .indexNotCovering, .fullScan], best: .index("ticket (state, opened)"),
      because: "a parameter: the general index"),
    .slow(
      "tickets-04", "SELECT id, title FROM ticket WHERE date(opened) = '2022-03-04'", is: [.functionOnColumn],
      best: .rewrite("SELECT id, title FROM ticket WHERE opened >= '2022-03-04' AND opened < '2022-03-05'"),
      or: [.index("ticket (date(opened))")], because: "all rows have the form that date() begins with"),
    .slow(
      "tickets-05", "SELECT id, title FROM ticket WHERE is_spam = 1", is: [.fullScan, .partialIndex],
      best: .index("ticket (is_spam)"), or: [.index("ticket (id) WHERE is_spam = 1")], because: "a flag"),
    .fine(
      "tickets-06", "SELECT body FROM remark WHERE ticket_id = ?", [12], because: "by its index"),
    .fine("tickets-07", "SELECT count(*) FROM remark", because: "counted over an index"),
    .slow(
      "tickets-08",
      """
      SELECT id, title, opened FROM ticket WHERE (?1 IS NULL OR assignee = ?1) AND (?2 IS NULL OR state = ?2)
      ORDER BY opened DESC LIMIT 50
      """, [33, nil], [212, nil], is: [.orWithoutIndex, .fullScan, .sortWithoutIndex],
      best: .rewrite(
        """
        SELECT id, title, opened FROM ticket WHERE ?1 IS NOT NULL AND assignee = ?1 AND (?2 IS NULL OR state = ?2)
        UNION ALL SELECT id, title, opened FROM ticket WHERE ?1 IS NULL AND (?2 IS NULL OR state = ?2)
        ORDER BY 3 DESC LIMIT 50
        """, with: "ticket (assignee, opened)"),
      because:
        "the list of one person: a filter that a parameter switches off has no index, and others' tickets are read"),
    .slow(
      "tickets-09", "SELECT count(*) FROM remark WHERE (1 = :all OR author = :author)", [0, 77],
      is: [.orWithoutIndex, .fullScan],
      best: .rewrite(
        """
        SELECT CASE WHEN 1 = :all THEN (SELECT count(*) FROM remark) ELSE (SELECT count(*) FROM remark WHERE author = :author)
        END AS "count(*)"
        """, with: "remark (author)"),
      because: "one author's remarks are counted among all"),
    .fine(
      "tickets-10", "SELECT id, title FROM ticket WHERE (?1 IS NULL OR assignee = ?1)", [nil],
      because: "no filter is set: all tickets are wanted"),
  ]
}
