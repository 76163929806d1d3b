-- schema: syncthing
-- about: What devices have of a folder: flags are bits of a number, hashes are blobs, and indexes are partial.
-- origin: Syncthing 2.0 (MPL-2.0, Copyright the Syncthing authors): the tables of a folder's database with their indexes, without its \
--   counts and triggers

CREATE TABLE devices (idx INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, device_id TEXT NOT NULL UNIQUE COLLATE BINARY);
CREATE TABLE files (
  device_idx INTEGER NOT NULL, sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, remote_sequence INTEGER, name TEXT NOT NULL COLLATE \
BINARY, type INTEGER NOT NULL,
  modified INTEGER NOT NULL, size INTEGER NOT NULL, version TEXT NOT NULL COLLATE BINARY, deleted INTEGER NOT NULL, local_flags INTEGER \
NOT NULL, blocklist_hash BLOB,
  FOREIGN KEY(device_idx) REFERENCES devices(idx) ON DELETE CASCADE) STRICT;
CREATE TABLE fileinfos (
  sequence INTEGER NOT NULL PRIMARY KEY, fiprotobuf BLOB NOT NULL, FOREIGN KEY(sequence) REFERENCES files(sequence) ON DELETE CASCADE \
DEFERRABLE INITIALLY DEFERRED) STRICT;
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
SELECT 1 + i % 3, i, iif(i % 3 = 0, NULL, i * 2), word(pick(1, i / 900, 40)) || '/' || word(pick(2, i / 90, 300)) || '/' || word(i / 3) || \
'.' || (i / 3), iif(chance(3, i / 3) < 0.1, 1, 0),
  1600000000000000000 + pick(4, i / 3, 900000000) * 100000000, iif(chance(3, i / 3) < 0.1, 0, pick(5, i / 3, 50000000)), 'v' || \
iif(chance(6, i) < 0.97, 1, 2), chance(7, i / 3) < 0.06,
  CASE WHEN i % 3 = 0 THEN 16 WHEN chance(8, i) < 0.01 AND i % 3 = 1 THEN 48 WHEN chance(9, i) < 0.002 THEN 64 ELSE 0 END,
  iif(chance(3, i / 3) < 0.1, NULL, CAST(printf('%016x', i / 3 * 7919) AS BLOB)) FROM numbers WHERE i <= 24000;
INSERT INTO fileinfos SELECT sequence, CAST(prose(10, sequence, 120) AS BLOB) FROM files;
INSERT INTO blocklists SELECT i, CAST(printf('%016x', i * 7919) AS BLOB), CAST(prose(11, i, 300) AS BLOB) FROM numbers WHERE i <= 8000;
INSERT INTO blocks SELECT i, CAST(printf('%016x', pick(12, i, 14000) * 104729) AS BLOB), CAST(printf('%016x', (1 + i / 2) * 7919) AS \
BLOB), i % 2, i % 2 * 131072, 131072 FROM numbers WHERE i < 16000;
INSERT INTO mtimes SELECT word(i), i, i + 1 FROM numbers WHERE i <= 500;

-- statement: syncthing-01
-- fine
-- because: what everybody should have of a file, by its name
-- run: 'shulo/tudidi/ceripli.4000'

SELECT fi.fiprotobuf, bl.blprotobuf FROM fileinfos fi JOIN files f ON fi.sequence = f.sequence
LEFT JOIN blocklists bl ON bl.blocklist_hash = f.blocklist_hash WHERE f.name = ? AND f.local_flags & 16 != 0

-- statement: syncthing-02
-- is: expression-index, full-scan, function-on-column, index-not-covering, partial-index
-- because: what this device lacks: a bit that one file in five hundred has

SELECT sequence, name, size, modified FROM files WHERE local_flags & 2 = 0 AND local_flags & 32 != 0 ORDER BY name LIMIT 100

-- best
-- index: files (name) WHERE local_flags & 32 != 0

-- or
-- index: files (local_flags & 32, name)

SELECT sequence, name, size, modified FROM files WHERE local_flags & 2 = 0 AND local_flags & 32 = 32 ORDER BY name LIMIT 100

-- statement: syncthing-03
-- is: group-without-index, index-not-covering, missing-statistics
-- because: what a device has: a third of all rows for three numbers
-- run: 1 | 2

SELECT type, deleted, count(*), sum(size) FROM files WHERE device_idx = ? GROUP BY type, deleted

-- best
-- index: files (device_idx, type, deleted, size)

-- statement: syncthing-04
-- is: full-scan, index-not-covering, partial-index
-- because: how far a device is known: its index has no NULL, so that the largest isn't looked for in it
-- run: 2 | 3

SELECT max(remote_sequence) FROM files WHERE device_idx = ?

-- best

SELECT max(remote_sequence) FROM files WHERE device_idx = ? AND remote_sequence IS NOT NULL

-- or
-- index: files (device_idx, remote_sequence)

-- statement: syncthing-05
-- is: harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: what changed since: all of the device is found by name, and sorted by its number
-- run: 12000 | 20000

SELECT sequence, name, size FROM files WHERE device_idx = 1 AND sequence >= ? ORDER BY sequence LIMIT 1000

-- best

SELECT sequence, name, size FROM files WHERE +device_idx = 1 AND sequence >= ? ORDER BY sequence LIMIT 1000

-- or
-- change: ANALYZE

-- statement: syncthing-06
-- is: harmful-index, index-not-covering, join-order, missing-statistics
-- because: which files have a block: it begins with all files
-- run: '00000000013f9b88'

SELECT f.name, b.idx FROM blocks b JOIN files f ON f.blocklist_hash = b.blocklist_hash
WHERE f.device_idx = 1 AND b.hash = CAST(? AS BLOB)

-- best
-- change: ANALYZE

-- or

SELECT f.name, b.idx FROM blocks b CROSS JOIN files f ON f.blocklist_hash = b.blocklist_hash
WHERE f.device_idx = 1 AND b.hash = CAST(? AS BLOB)

-- statement: syncthing-07
-- is: foreign-key-without-index
-- because: lists that no file has: for each, all blocks are read for those that refer to it

DELETE FROM blocklists WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.blocklist_hash = blocklists.blocklist_hash)

-- best
-- index: blocks (blocklist_hash)

-- statement: syncthing-08
-- is: foreign-key-without-index, full-scan, sort-without-index
-- because: the blocks of a list
-- run: '0000000000182ab8' | '0000000000549584'

SELECT idx, offset, size, hash FROM blocks WHERE blocklist_hash = CAST(? AS BLOB) ORDER BY idx

-- best
-- index: blocks (blocklist_hash)

-- or
-- index: blocks (blocklist_hash, idx)

-- statement: syncthing-09
-- is: full-scan, partial-index, sort-without-index
-- because: the newest files: all are sorted

SELECT name, size, modified FROM files WHERE local_flags & 16 != 0 AND deleted = 0 ORDER BY modified DESC, sequence LIMIT 20

-- best
-- index: files (modified DESC)

-- or
-- index: files (modified)

-- statement: syncthing-10
-- fine
-- because: what is below a folder, by a range of names
-- run: 'gudi/', 'gudi0'

SELECT sequence, name FROM files WHERE device_idx = 1 AND name >= ? AND name < ? ORDER BY name

-- statement: syncthing-11
-- is: group-without-index, index-not-covering, missing-statistics
-- because: files that are there twice: all of the device are looked up and grouped

SELECT blocklist_hash, count(*), min(name) FROM files WHERE device_idx = 1 AND blocklist_hash IS NOT NULL
GROUP BY blocklist_hash HAVING count(*) > 1

-- best
-- index: files (device_idx, blocklist_hash, name)

-- statement: syncthing-12
-- is: expression-index, full-scan, index-not-covering, partial-index
-- because: what is left out: a bit that one file in a thousand has

SELECT count(*), sum(size) FROM files WHERE local_flags & 64 != 0

-- best
-- index: files (size) WHERE local_flags & 64 != 0

-- statement: syncthing-13
-- fine
-- because: what a device sent since, by a partial index
-- run: 2, 30000

SELECT sequence, name, remote_sequence FROM files WHERE device_idx = ? AND remote_sequence > ? ORDER BY remote_sequence LIMIT 100

-- statement: syncthing-14
-- fine
-- because: a time by its key
-- run: 'babrace'

SELECT ondisk, virtual FROM mtimes WHERE name = ?
