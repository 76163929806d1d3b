extension Corpus {
  /// The file versions of devices in a folder: flags are bits of a number, hashes are blobs, and indexes are partial.
  static let syncthing = CorpusSchema(
    name: "syncthing", script: syncthingScript, statements: syncthingStatements,
    origin:
      "Syncthing 2.0 (MPL-2.0, Copyright the Syncthing authors): the tables of a folder's database with their indexes, without its counts and triggers"
  )

  private static let syncthingScript = """
    CREATE TABLE devices (idx INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, device_id TEXT NOT NULL UNIQUE COLLATE BINARY);
    CREATE TABLE files (
      device_idx INTEGER NOT NULL, sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, remote_sequence INTEGER, name TEXT NOT NULL COLLATE BINARY, type INTEGER NOT NULL,
      modified INTEGER NOT NULL, size INTEGER NOT NULL, version TEXT NOT NULL COLLATE BINARY, deleted INTEGER NOT NULL, local_flags INTEGER NOT NULL, blocklist_hash BLOB,
      FOREIGN KEY(device_idx) REFERENCES devices(idx) ON DELETE CASCADE) STRICT;
    CREATE TABLE fileinfos (
      sequence INTEGER NOT NULL PRIMARY KEY, fiprotobuf BLOB NOT NULL, FOREIGN KEY(sequence) REFERENCES files(sequence) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED) STRICT;
    CREATE UNIQUE INDEX files_remote_sequence ON files (device_idx, remote_sequence) WHERE remote_sequence IS NOT NULL;
    CREATE UNIQUE INDEX files_device_name ON files (device_idx, name);
    CREATE INDEX files_name_only ON files (name);
    CREATE INDEX files_blocklist_hash_only ON files (blocklist_hash, device_idx) WHERE blocklist_hash IS NOT NULL;
    CREATE TABLE blocklists (id INTEGER PRIMARY KEY, blocklist_hash BLOB NOT NULL, blprotobuf BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX blockslists_unique ON blocklists (blocklist_hash);
    CREATE TABLE blocks (
      id INTEGER PRIMARY KEY, hash BLOB NOT NULL, blocklist_hash BLOB NOT NULL, idx INTEGER NOT NULL, offset INTEGER NOT NULL, size INTEGER NOT NULL,
      FOREIGN KEY(blocklist_hash) REFERENCES blocklists(blocklist_hash) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX blocks_unique ON blocks (hash, blocklist_hash, idx);
    CREATE TABLE mtimes (name TEXT NOT NULL, ondisk INTEGER NOT NULL, virtual INTEGER NOT NULL, PRIMARY KEY(name)) STRICT, WITHOUT ROWID;

    INSERT INTO devices SELECT i, upper(word(i * 7919)) || '-' || i FROM numbers WHERE i <= 3;
    INSERT INTO files
    SELECT 1 + i % 3, i, iif(i % 3 = 0, NULL, i * 2), word(pick(1, i / 900, 40)) || '/' || word(pick(2, i / 90, 300)) || '/' || word(i / 3) || '.' || (i / 3), iif(chance(3, i / 3) < 0.1, 1, 0),
      1600000000000000000 + pick(4, i / 3, 900000000) * 100000000, iif(chance(3, i / 3) < 0.1, 0, pick(5, i / 3, 50000000)), 'v' || iif(chance(6, i) < 0.97, 1, 2), chance(7, i / 3) < 0.06,
      CASE WHEN i % 3 = 0 THEN 16 WHEN chance(8, i) < 0.01 AND i % 3 = 1 THEN 48 WHEN chance(9, i) < 0.002 THEN 64 ELSE 0 END,
      iif(chance(3, i / 3) < 0.1, NULL, CAST(printf('%016x', i / 3 * 7919) AS BLOB)) FROM numbers WHERE i <= 24000;
    INSERT INTO fileinfos SELECT sequence, CAST(prose(10, sequence, 120) AS BLOB) FROM files;
    INSERT INTO blocklists SELECT i, CAST(printf('%016x', i * 7919) AS BLOB), CAST(prose(11, i, 300) AS BLOB) FROM numbers WHERE i <= 8000;
    INSERT INTO blocks SELECT i, CAST(printf('%016x', pick(12, i, 14000) * 104729) AS BLOB), CAST(printf('%016x', (1 + i / 2) * 7919) AS BLOB), i % 2, i % 2 * 131072, 131072 FROM numbers WHERE i < 16000;
    INSERT INTO mtimes SELECT word(i), i, i + 1 FROM numbers WHERE i <= 500;
    """

  private static let syncthingStatements: [CorpusStatement] = [
    .fine(
      "syncthing-01",
      """
      SELECT fi.fiprotobuf, bl.blprotobuf FROM fileinfos fi JOIN files f ON fi.sequence = f.sequence
      LEFT JOIN blocklists bl ON bl.blocklist_hash = f.blocklist_hash WHERE f.name = ? AND f.local_flags & 16 != 0
      """, ["shulo/tudidi/ceripli.4000"], because: "what everybody should have of a file, by its name"),
    .slow(
      "syncthing-02",
      """
      SELECT sequence, name, size, modified FROM files WHERE local_flags & 2 = 0 AND local_flags & 32 != 0 ORDER BY name LIMIT 100
      """, is: [.fullScan, .partialIndex, .expressionIndex, .indexNotCovering, .functionOnColumn],
      best: .change("CREATE INDEX corpus_best_1 ON files (name) WHERE local_flags & 32 != 0"),
      or: [
        .rewrite(
          "SELECT sequence, name, size, modified FROM files WHERE local_flags & 2 = 0 AND local_flags & 32 = 32 ORDER BY name LIMIT 100",
          with: "files (local_flags & 32, name)")
      ],
      because: "what this device lacks: a bit that one file in five hundred has"),
    .slow(
      "syncthing-03",
      "SELECT type, deleted, count(*), sum(size) FROM files WHERE device_idx = ? GROUP BY type, deleted", [1], [2],
      is: [.groupWithoutIndex, .indexNotCovering, .missingStatistics],
      best: .index("files (device_idx, type, deleted, size)"),
      because: "what a device has: a third of all rows for three numbers"),
    .slow(
      "syncthing-04", "SELECT max(remote_sequence) FROM files WHERE device_idx = ?", [2], [3],
      is: [.indexNotCovering, .partialIndex, .fullScan],
      best: .rewrite("SELECT max(remote_sequence) FROM files WHERE device_idx = ? AND remote_sequence IS NOT NULL"),
      or: [.index("files (device_idx, remote_sequence)")],
      because: "how far a device is known: its index has no NULL, so that the largest isn't looked for in it"),
    .slow(
      "syncthing-05",
      "SELECT sequence, name, size FROM files WHERE device_idx = 1 AND sequence >= ? ORDER BY sequence LIMIT 1000",
      [12_000], [20_000], is: [.sortWithoutIndex, .missingStatistics, .harmfulIndex, .indexNotCovering],
      best: .rewrite(
        "SELECT sequence, name, size FROM files WHERE +device_idx = 1 AND sequence >= ? ORDER BY sequence LIMIT 1000"),
      or: [.change("ANALYZE")],
      because: "what changed since: all of the device is found by name, and sorted by its number"),
    .slow(
      "syncthing-06",
      """
      SELECT f.name, b.idx FROM blocks b JOIN files f ON f.blocklist_hash = b.blocklist_hash
      WHERE f.device_idx = 1 AND b.hash = CAST(? AS BLOB)
      """, ["00000000013f9b88"], is: [.joinOrder, .missingStatistics, .harmfulIndex, .indexNotCovering],
      best: .change("ANALYZE"),
      or: [
        .rewrite(
          """
          SELECT f.name, b.idx FROM blocks b CROSS JOIN files f ON f.blocklist_hash = b.blocklist_hash
          WHERE f.device_idx = 1 AND b.hash = CAST(? AS BLOB)
          """)
      ],
      because: "which files have a block: it begins with all files"),
    .slow(
      "syncthing-07",
      "DELETE FROM blocklists WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.blocklist_hash = blocklists.blocklist_hash)",
      is: [.slowForeignKey], best: .index("blocks (blocklist_hash)"),
      because: "lists that no file has: for each, all blocks are read for those that refer to it"),
    .slow(
      "syncthing-08", "SELECT idx, offset, size, hash FROM blocks WHERE blocklist_hash = CAST(? AS BLOB) ORDER BY idx",
      ["0000000000182ab8"], ["0000000000549584"], is: [.fullScan, .sortWithoutIndex, .slowForeignKey],
      best: .index("blocks (blocklist_hash)"),
      or: [.index("blocks (blocklist_hash, idx)")], because: "the blocks of a list"),
    .slow(
      "syncthing-09",
      "SELECT name, size, modified FROM files WHERE local_flags & 16 != 0 AND deleted = 0 ORDER BY modified DESC, sequence LIMIT 20",
      is: [.sortWithoutIndex, .fullScan, .partialIndex], best: .index("files (modified DESC)"),
      or: [.index("files (modified)")],
      because: "the newest files: all are sorted"),
    .fine(
      "syncthing-10", "SELECT sequence, name FROM files WHERE device_idx = 1 AND name >= ? AND name < ? ORDER BY name",
      ["gudi/", "gudi0"],
      because: "what is below a folder, by a range of names"),
    .slow(
      "syncthing-11",
      """
      SELECT blocklist_hash, count(*), min(name) FROM files WHERE device_idx = 1 AND blocklist_hash IS NOT NULL
      GROUP BY blocklist_hash HAVING count(*) > 1
      """, is: [.groupWithoutIndex, .indexNotCovering, .missingStatistics],
      best: .index("files (device_idx, blocklist_hash, name)"),
      because: "files that are there twice: all of the device are looked up and grouped"),
    .slow(
      "syncthing-12", "SELECT count(*), sum(size) FROM files WHERE local_flags & 64 != 0",
      is: [.fullScan, .partialIndex, .indexNotCovering, .expressionIndex],
      best: .change("CREATE INDEX corpus_best_1 ON files (size) WHERE local_flags & 64 != 0"),
      because: "what is left out: a bit that one file in a thousand has"),
    .fine(
      "syncthing-13",
      "SELECT sequence, name, remote_sequence FROM files WHERE device_idx = ? AND remote_sequence > ? ORDER BY remote_sequence LIMIT 100",
      [2, 30_000], because: "what a device sent since, by a partial index"),
    .fine(
      "syncthing-14", "SELECT ondisk, virtual FROM mtimes WHERE name = ?", ["babrace"], because: "a time by its key"),
  ]
}
