extension Corpus {
  /// The history of shells: commands with their folder, their session and how they ended.
  static let atuin = CorpusSchema(
    name: "atuin", script: atuinScript, statements: atuinStatements,
    superfluousIndexes: [.redundant("idx_history_command"), .redundant("idx_history_timestamp")],
    origin: "Atuin 15 (MIT, Copyright Ellie Huxtable): the client's history as its migrations leave it"
  )

  private static let atuinScript = """
    CREATE TABLE history (
      id text primary key, timestamp integer not null, duration integer not null, exit integer not null, command text not null,
      cwd text not null, session text not null, hostname text not null, deleted_at integer, unique(timestamp, cwd, command));
    CREATE INDEX idx_history_timestamp ON history(timestamp);
    CREATE INDEX idx_history_command ON history(command);
    CREATE INDEX idx_history_command_timestamp ON history(command, timestamp);

    INSERT INTO history
    SELECT printf('%032x', i * 104729), 1650000000000000000 + i * 600000000000, pick(1, i, 900000000), iif(chance(2, i) < 0.08, 1, 0),
      word(skewed(3, i, 120)) || ' ' || word(skewed(4, i, 900)) || iif(chance(5, i) < 0.3, ' --' || word(pick(6, i, 200)), ''),
      '/home/me/' || word(skewed(7, i, 400)), printf('%032x', i / 25), 'laptop:me', iif(chance(8, i) < 0.02, 1700000000000000000, NULL)
    FROM numbers WHERE i <= 36000;
    """

  private static let atuinStatements: [CorpusStatement] = [
    .slow(
      "atuin-01",
      "SELECT command, max(timestamp) AS last FROM history WHERE command LIKE 'braha %' AND deleted_at IS NULL GROUP BY command ORDER BY last DESC LIMIT 200",
      is: [.fullScan, .patternWithoutIndex, .caseInsensitiveWithoutIndex, .indexNotCovering],
      best: .index("history (command COLLATE NOCASE)"),
      because: "what was typed begins like that: LIKE needs an index that ignores case"),
    .slow(
      "atuin-02",
      "SELECT command, exit, duration FROM history WHERE cwd = ? AND deleted_at IS NULL ORDER BY timestamp DESC LIMIT 50",
      ["/home/me/mumuce"], ["/home/me/loce"], is: [.fullScan, .indexNotCovering, .sortWithoutIndex],
      best: .index("history (cwd, timestamp)"), because: "the last commands in a folder: all are walked, newest first"),
    .slow(
      "atuin-03",
      "SELECT command, count(*) AS times FROM history WHERE deleted_at IS NULL GROUP BY command ORDER BY times DESC LIMIT 10",
      is: [.indexNotCovering, .groupWithoutIndex, .partialIndex, .fullScan],
      best: .index("history (command) WHERE deleted_at IS NULL"),
      or: [.index("history (deleted_at, command)"), .index("history (command, deleted_at)")],
      because: "the most frequent commands: each row is looked up to see whether it is deleted"),
    .fine(
      "atuin-04", "SELECT command, cwd, exit FROM history WHERE deleted_at IS NULL ORDER BY timestamp DESC LIMIT 1",
      because: "the end of an index"),
    .slow(
      "atuin-05",
      "SELECT session, count(*) AS failures FROM history WHERE exit <> 0 AND timestamp > ? GROUP BY session HAVING count(*) > 2",
      [1_660_000_000_000_000_000], is: [.fullScan, .groupWithoutIndex, .partialIndex, .indexNotCovering],
      best: .index("history (session, timestamp) WHERE exit <> 0"),
      or: [.index("history (timestamp, session) WHERE exit <> 0")],
      because: "sessions in which much failed: 8 % did"),
    .fine(
      "atuin-06", "SELECT command FROM history WHERE timestamp > ? ORDER BY timestamp LIMIT 10",
      [1_655_000_000_000_000_000],
      because: "ten from a place in an index"),
    .slow(
      "atuin-07",
      """
      SELECT h.command, (SELECT p.command FROM history p WHERE p.session = h.session AND p.timestamp < h.timestamp
        ORDER BY p.timestamp DESC LIMIT 1) AS previous FROM history h WHERE h.command = ?
      """, ["gudi loce"], is: [.subqueryPerRow, .indexNotCovering, .automaticIndex, .fullScan],
      best: .index("history (session, timestamp)"),
      because: "what came before: the first of a session walks all that is older"),
    .fine(
      "atuin-08", "SELECT count(*), max(timestamp) FROM history WHERE command = ?", ["loce loce"],
      because: "an index has it all"),
    .slow(
      "atuin-09",
      "SELECT count(*) FROM history WHERE date(timestamp / 1000000000, 'unixepoch') = ?", ["2022-07-01"],
      ["2022-09-09"],
      is: [.functionOnColumn, .expressionIndex, .fullScan, .indexNotCovering],
      best: .index("history (date(timestamp / 1000000000, 'unixepoch'))"), because: "how much was done on a day"),
  ]
}
