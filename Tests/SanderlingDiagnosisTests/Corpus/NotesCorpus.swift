extension Corpus {
  /// A notes app that syncs: 100 MB, bodies in front of the flags, a few large contexts; not analyzed.
  static let notes = CorpusSchema(name: "notes", script: notesScript, statements: notesStatements)

  private static let notesScript = """
    CREATE TABLE context (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE);
    CREATE TABLE note (
      id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, context_id INTEGER NOT NULL REFERENCES context (id),
      author_id INTEGER NOT NULL REFERENCES author (id), title TEXT NOT NULL, created INTEGER NOT NULL,
      modified INTEGER NOT NULL, body TEXT NOT NULL, word_count INTEGER NOT NULL, pinned INTEGER NOT NULL,
      deleted INTEGER NOT NULL, sync_state INTEGER NOT NULL, server_version INTEGER);
    CREATE TABLE attachment (
      id INTEGER PRIMARY KEY, note_id INTEGER NOT NULL REFERENCES note (id), file_name TEXT NOT NULL,
      mime_type TEXT NOT NULL, bytes INTEGER NOT NULL, thumbnail BLOB);
    CREATE TABLE sync_change (sequence INTEGER PRIMARY KEY AUTOINCREMENT, note_uuid TEXT, operation TEXT, at INTEGER);
    CREATE INDEX note_context ON note (context_id);
    CREATE INDEX note_created ON note (created);

    INSERT INTO context SELECT i, iif(i % 3 = 0, 'stock', iif(i % 3 = 1, 'contact', 'idea')), title(1, i, 2)
    FROM numbers WHERE i <= 200;
    INSERT INTO author SELECT i, title(2, i, 2), word(i) || '@example.com' FROM numbers WHERE i <= 300;
    INSERT INTO note
    SELECT i, printf('%08x-%04x', i * 2654435761 & 4294967295, i & 65535), skewed(3, i, 200), skewed(4, i, 300),
      title(5, i, 2 + pick(6, i, 4)), 1500000000 + i * 3600, 1500000000 + i * 3600 + pick(7, i, 9000000),
      prose(8, i, 200 + skewed(9, i, 12000)), pick(10, i, 2000), chance(11, i) < 0.004, chance(12, i) < 0.03,
      iif(chance(13, i) < 0.004, 1, 0), iif(chance(14, i) < 0.98, 1000000 + i, pick(15, i, 5000))
    FROM numbers WHERE i <= 52000;
    INSERT INTO attachment
    SELECT i, skewed(16, i, 52000), word(i) || '.pdf', iif(i % 3 = 0, 'image/png', 'application/pdf'),
      1000 + pick(17, i, 900000), zeroblob(pick(18, i, 300))
    FROM numbers WHERE i <= 14000;
    INSERT INTO sync_change (note_uuid, operation, at)
    SELECT printf('%08x-%04x', pick(19, i, 52000) * 2654435761 & 4294967295, i & 65535), 'update', 1600000000 + i * 60
    FROM numbers WHERE i <= 20000;
    """

  private static let notesStatements: [CorpusStatement] = [
    .fine("notes-19", "SELECT * FROM note WHERE deleted = 0", because: "97 % of 100 MB are wanted"),
    .slow(
      "notes-01", "SELECT COUNT(*) FROM note WHERE context_id = ? AND deleted = 0", [1], [20],
      is: [.indexNotCovering, .wideRowsForCount], best: .index("note (context_id, deleted)"),
      or: [.index("note (context_id) WHERE deleted = 0")],
      because: "the count in the navigation bar: the flag lies behind the body of each note"),
    .slow(
      "notes-02",
      #"""
      SELECT "id", "title", "modified" FROM "note" WHERE ("context_id" = ?) AND ("deleted" = 0) \#
      ORDER BY "modified" DESC LIMIT 50
      """#,
      [2], is: [.sortWithoutIndex, .indexNotCovering], best: .index("note (context_id, deleted, modified DESC)"),
      or: [.index("note (context_id, deleted, modified)"), .index("note (context_id, modified) WHERE deleted = 0")],
      because: "filter and order from one index"),
    .slow(
      "notes-03", "SELECT uuid, title, body FROM note WHERE sync_state = 1", is: [.fullScan, .partialIndex],
      best: .index("note (id) WHERE sync_state = 1"), or: [.index("note (sync_state)")],
      because: "0.4 % wait for the sync, all of 100 MB is read"),
    .slow(
      "notes-04", "SELECT uuid FROM note WHERE sync_state <> 0 ORDER BY id", is: [.fullScan, .partialIndex],
      best: .index("note (id) WHERE sync_state <> 0"),
      because: "an inequality is no search term: only a partial index with the same condition helps"),
    .fine(
      "notes-05", "SELECT * FROM note WHERE context_id = ?1 AND body LIKE '%' || ?2 || '%'", [100, "gruta"],
      tolerated: [.patternWithoutIndex],
      because: "the context's notes are found by index; no index finds a text in the middle"),
    .slow(
      "notes-06", "SELECT id, title FROM note WHERE title LIKE 'Bagu%'", is: [.patternWithoutIndex, .fullScan],
      best: .index("note (title COLLATE NOCASE)"),
      because: "LIKE folds ASCII, so its range needs a NOCASE index; a BINARY one is not used for a search"),
    .fine(
      "notes-07", "SELECT id, title FROM note WHERE body LIKE '%grutaflo%'", tolerated: [.patternWithoutIndex],
      because: "no index serves a leading wildcard; a full-text index is another statement"),
    .slow(
      "notes-08", "UPDATE note SET sync_state = 2 WHERE server_version < ? AND sync_state = 0", [100], is: [.fullScan],
      best: .index("note (server_version)"), or: [.index("note (sync_state, server_version)")],
      because: "a handful of 52,000 carry versions that small"),
    .slow(
      "notes-09", "SELECT id, title, created FROM note ORDER BY created DESC LIMIT 50 OFFSET ?", [40_000],
      is: [.largeOffset],
      best: .keyset(
        "SELECT id, title, created FROM note WHERE created < ? ORDER BY created DESC LIMIT 50", [1_543_203_600]),
      because: "40,000 entries are stepped over for 50; the last row of the page before says where to go on"),
    .fine("notes-10", "SELECT COUNT(*) FROM note", because: "counted over the smallest index"),
    .fine(
      "notes-11", "SELECT * FROM note WHERE uuid = ?", ["2b80c908-1388"], sampled: true, because: "a unique index"),
    .slow(
      "notes-12",
      """
      SELECT note.id, note.title, SUM(attachment.bytes) FROM note JOIN attachment ON attachment.note_id = note.id
      WHERE note.context_id = @context GROUP BY note.id
      """,
      [60], sampled: true, is: [.automaticIndex, .fullScan], best: .index("attachment (note_id)"),
      or: [.index("attachment (note_id, bytes)")],
      because: "the attachments are scanned or indexed anew each time"),
    .slow(
      "notes-13", "SELECT MAX(modified) FROM note WHERE context_id = ?", [1], is: [.indexNotCovering],
      best: .index("note (context_id, modified)"), because: "the end of one range of an index instead of all notes"),
    .slow(
      "notes-14",
      "SELECT id, title, modified FROM note WHERE deleted = 0 ORDER BY pinned DESC, modified DESC LIMIT 30",
      is: [.sortWithoutIndex], best: .index("note (pinned, modified) WHERE deleted = 0"),
      or: [.index("note (pinned, modified)"), .index("note (deleted, pinned, modified)")],
      because: "the order must come from the index, the filter keeps nearly everything"),
    .fine(
      "notes-15",
      """
      INSERT INTO note (uuid, context_id, author_id, title, created, modified, body, word_count, pinned, deleted,
        sync_state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)
      ON CONFLICT (uuid) DO UPDATE SET title = excluded.title, body = excluded.body, modified = excluded.modified
      """,
      ["ffff-1", 3, 4, "Title", 1_700_000_000, 1_700_000_000, "Body", 1], because: "a sync's upsert, one row"),
    .fine(
      "notes-16", "UPDATE note SET modified = ?, pinned = 1 WHERE id = ?", [1_700_000_000, 777], because: "by rowid"),
    .slow(
      "notes-17", "DELETE FROM note WHERE id = ?", [51_999], is: [.slowForeignKey, .fullScan],
      best: .index("attachment (note_id)"), because: "attachments are searched for children of the deleted note"),
    .slow(
      "notes-18",
      """
      SELECT n.id, n.title, (SELECT COUNT(*) FROM attachment a WHERE a.note_id = n.id) AS files
      FROM note n WHERE n.context_id = ? ORDER BY n.created LIMIT 40
      """,
      [150], is: [.subqueryPerRow, .fullScan, .automaticIndex], best: .index("attachment (note_id)"),
      because: "14,000 attachments are scanned for each note"),
    .slow(
      "notes-20",
      """
      SELECT context.id, context.name, SUM(note.word_count) AS words, COUNT(attachment.id) AS attachments FROM context
      LEFT JOIN note ON note.context_id = context.id LEFT JOIN attachment ON attachment.note_id = note.id
      WHERE context.id = ? GROUP BY context.id
      """,
      [60], is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT context.id, context.name, (SELECT SUM(word_count) FROM note WHERE context_id = context.id) AS words,
        (SELECT COUNT(*) FROM note JOIN attachment ON attachment.note_id = note.id WHERE note.context_id = context.id)
        AS attachments FROM context WHERE context.id = ?
        """,
        with: "attachment (note_id)"),
      because: "the words of a note count once for each of its attachments"),
  ]
}
