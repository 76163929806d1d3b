-- schema: svn
-- about: A working copy's state: paths as keys, layers of nodes, contents by checksum.
-- origin: Subversion 1.14.2 (Apache-2.0, Copyright The Apache Software Foundation): tables and indexes of a new working copy, without \
--   triggers

CREATE TABLE REPOSITORY (id INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT UNIQUE NOT NULL, uuid TEXT NOT NULL);
CREATE INDEX I_UUID ON REPOSITORY (uuid);
CREATE TABLE WCROOT (id INTEGER PRIMARY KEY AUTOINCREMENT, local_abspath TEXT UNIQUE);
CREATE TABLE PRISTINE (
  checksum TEXT NOT NULL PRIMARY KEY, compression INTEGER, size INTEGER NOT NULL, refcount INTEGER NOT NULL,
  md5_checksum TEXT NOT NULL);
CREATE INDEX I_PRISTINE_MD5 ON PRISTINE (md5_checksum);
CREATE TABLE NODES (
  wc_id INTEGER NOT NULL REFERENCES WCROOT (id), local_relpath TEXT NOT NULL, op_depth INTEGER NOT NULL,
  parent_relpath TEXT, repos_id INTEGER REFERENCES REPOSITORY (id), repos_path TEXT, revision INTEGER,
  presence TEXT NOT NULL, moved_here INTEGER, moved_to TEXT, kind TEXT NOT NULL, properties BLOB, depth TEXT,
  checksum TEXT REFERENCES PRISTINE (checksum), symlink_target TEXT, changed_revision INTEGER, changed_date INTEGER,
  changed_author TEXT, translated_size INTEGER, last_mod_time INTEGER, dav_cache BLOB, file_external INTEGER,
  inherited_props BLOB, PRIMARY KEY (wc_id, local_relpath, op_depth));
CREATE UNIQUE INDEX I_NODES_PARENT ON NODES (wc_id, parent_relpath, local_relpath, op_depth);
CREATE UNIQUE INDEX I_NODES_MOVED ON NODES (wc_id, moved_to, op_depth);
CREATE VIEW NODES_CURRENT AS SELECT * FROM nodes AS n WHERE op_depth = (
  SELECT MAX(op_depth) FROM nodes AS n2 WHERE n2.wc_id = n.wc_id AND n2.local_relpath = n.local_relpath);

INSERT INTO REPOSITORY VALUES (1, 'https://svn.example.org/repos', 'e1f0');
INSERT INTO WCROOT VALUES (1, NULL);
INSERT INTO PRISTINE SELECT '$sha1$' || printf('%040x', i * 2654435761), NULL, pick(1, i, 90000), iif(chance(2, i) < 0.002, 0, 1),
  '$md5 $' || printf('%032x', i * 40503) FROM numbers WHERE i <= 25000;
INSERT INTO NODES
SELECT 1, word(i / 400) || '/' || word(i / 20) || '/' || word(i) || '.c', 0, word(i / 400) || '/' || word(i / 20), 1,
  'trunk/' || word(i / 400) || '/' || word(i / 20) || '/' || word(i) || '.c', 1800000 + iif(chance(3, i) < 0.97, 20000, pick(4, i, 20000)),
  CASE WHEN chance(5, i) < 0.998 THEN 'normal' ELSE 'not-present' END, NULL, NULL, 'file', iif(chance(6, i) < 0.4, '(svn:eol-style 6 native)', NULL),
  NULL, '$sha1$' || printf('%040x', i * 2654435761), NULL, 1000000 + pick(7, i, 820000), 1300000000000000 + pick(8, i, 400000000) * 1000000,
  word(skewed(9, i, 300)), pick(1, i, 90000), 1700000000000000 + i, NULL, NULL, NULL
FROM numbers WHERE i <= 25000;
INSERT INTO NODES (wc_id, local_relpath, op_depth, parent_relpath, presence, moved_to, kind, changed_author)
SELECT 1, local_relpath, 3, parent_relpath, 'base-deleted', iif(rowid % 7 = 0, 'moved/' || rowid, NULL), 'file', NULL
FROM NODES WHERE chance(10, rowid) < 0.01;

-- statement: svn-01
-- fine
-- because: the index of parents
-- run: 1, 'bafo/cepece'

SELECT local_relpath, kind, presence FROM NODES WHERE wc_id = ? AND parent_relpath = ? AND op_depth = 0

-- statement: svn-02
-- fine
-- because: a subtree is a range of the primary key, and the OR is asked in two steps
-- run: 1, 'bafo/braloce'

SELECT local_relpath, op_depth, kind FROM NODES WHERE wc_id = ?1
AND (local_relpath = ?2 OR (local_relpath > ?2 || '/' AND local_relpath < ?2 || '0')) AND op_depth = 0

-- statement: svn-03
-- is: foreign-key-without-index, full-scan, index-not-covering
-- because: there is one working copy, so that its number leads everywhere
-- run: 1, '$sha1$000000000000000000000000000000009e3779b1'

SELECT local_relpath FROM NODES WHERE wc_id = ? AND checksum = ?

-- best
-- index: NODES (checksum)

-- or
-- index: NODES (wc_id, checksum)

-- statement: svn-04
-- is: full-scan, partial-index
-- because: what a clean-up removes: 0.2 %; that it is nought is the statement's meaning

SELECT checksum FROM PRISTINE WHERE refcount = 0

-- best
-- index: PRISTINE (refcount)

-- or
-- index: PRISTINE (checksum) WHERE refcount = 0

-- statement: svn-05
-- is: full-scan, index-not-covering, sort-without-index
-- because: one author's last changes
-- run: 1, 'bagru'

SELECT local_relpath, changed_revision, changed_date FROM NODES WHERE wc_id = ? AND op_depth = 0 AND changed_author = ?
ORDER BY changed_date DESC LIMIT 20

-- best
-- index: NODES (changed_author, changed_date)

-- or
-- index: NODES (changed_author)

-- statement: svn-06
-- is: full-scan, index-not-covering, wide-rows-for-count
-- because: the range of a mixed working copy, from an index a fifth of the table
-- run: 1

SELECT MIN(revision), MAX(revision) FROM NODES WHERE wc_id = ? AND op_depth = 0 AND presence IN ('normal', 'incomplete')

-- best
-- index: NODES (wc_id, op_depth, presence, revision)

-- statement: svn-07
-- is: full-scan, index-not-covering, subquery-per-row
-- because: 0.2 %, from which the view looks at few layers
-- run: 1, 'not-present'

SELECT local_relpath, presence FROM NODES_CURRENT WHERE wc_id = ? AND presence = ?

-- best
-- index: NODES (presence)

-- or
-- index: NODES (wc_id, presence)

-- statement: svn-08
-- fine
-- because: a range of the index of moves
-- run: 1

SELECT local_relpath, moved_to FROM NODES WHERE wc_id = ? AND moved_to IS NOT NULL
