-- schema: fossil
-- about: A repository of a version control system: numbers for hashes, edges between them, and a timeline.
-- origin: Fossil 2.21 (BSD-2-Clause, Copyright D. Richard Hipp): tables and indexes of a new repository

CREATE TABLE blob(
  rid INTEGER PRIMARY KEY, rcvid INTEGER, size INTEGER, uuid TEXT UNIQUE NOT NULL, content BLOB,
  CHECK( length(uuid)>=40 AND rid>0 ));
CREATE TABLE delta(rid INTEGER PRIMARY KEY, srcid INTEGER NOT NULL REFERENCES blob);
CREATE INDEX delta_i1 ON delta(srcid);
CREATE TABLE filename(fnid INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE mlink(
  mid INTEGER, fid INTEGER, pmid INTEGER, pid INTEGER, fnid INTEGER REFERENCES filename, pfnid INTEGER, mperm INTEGER,
  isaux BOOLEAN DEFAULT 0);
CREATE INDEX mlink_i1 ON mlink(mid);
CREATE INDEX mlink_i2 ON mlink(fnid);
CREATE INDEX mlink_i3 ON mlink(fid);
CREATE INDEX mlink_i4 ON mlink(pid);
CREATE TABLE event(
  type TEXT, mtime DATETIME, objid INTEGER PRIMARY KEY, tagid INTEGER, uid INTEGER, bgcolor TEXT, euser TEXT, user TEXT,
  ecomment TEXT, comment TEXT, brief TEXT, omtime DATETIME);
CREATE INDEX event_i1 ON event(mtime);
CREATE TABLE tag(tagid INTEGER PRIMARY KEY, tagname TEXT UNIQUE);
CREATE TABLE tagxref(
  tagid INTEGER REFERENCES tag, tagtype INTEGER, srcid INTEGER REFERENCES blob, origid INTEGER REFERENCES blob,
  value TEXT, mtime TIMESTAMP, rid INTEGER REFERENCE blob, UNIQUE(rid, tagid));
CREATE INDEX tagxref_i1 ON tagxref(tagid, mtime);

INSERT INTO blob SELECT i, i / 9, pick(1, i, 40) * pick(2, i, 2500), printf('%08x', i * 2654435761 % 4294967296) || printf('%032x', i),
  CAST(prose(3, i, pick(4, i, 500)) AS BLOB) FROM numbers WHERE i <= 60000;
INSERT INTO delta SELECT i, i + 1 FROM numbers WHERE i < 30000 AND chance(5, i) < 0.6;
INSERT INTO filename SELECT i, 'src/' || word(pick(6, i, 60)) || '/' || word(i) || '.c' FROM numbers WHERE i <= 1500;
INSERT INTO mlink
SELECT 1 + 3 * (i / 4), pick(7, i, 30000), iif(i < 4, NULL, 1 + 3 * (i / 4 - 1)), pick(8, i, 30000), skewed(9, i, 1500), 0, 0, 0
FROM numbers WHERE i < 40000;
INSERT INTO event
SELECT CASE WHEN chance(10, i) < 0.75 THEN 'ci' WHEN chance(10, i) < 0.996 THEN 't' ELSE 'w' END, 2454000.5 + i * 0.25, 1 + 3 * i,
  NULL, 1, NULL, iif(chance(11, i) < 0.02, word(skewed(12, i, 50)), NULL), word(skewed(13, i, 400)),
  iif(chance(14, i) < 0.03, prose(15, i, 90), NULL), prose(16, i, 30 + pick(17, i, 400)), NULL, 2454000.5 + i * 0.25
FROM numbers WHERE i < 20000;
INSERT INTO tag SELECT i, iif(i % 3 = 0, 'sym-', 'wiki-') || word(i) FROM numbers WHERE i <= 900;
INSERT OR IGNORE INTO tagxref
SELECT skewed(18, i, 900), pick(19, i, 3) - 1, pick(20, i, 30000), pick(21, i, 30000), iif(chance(22, i) < 0.8, NULL, word(pick(23, i, 90))),
  2454000.5 + i * 0.2, pick(24, i, 30000) FROM numbers WHERE i <= 25000;

-- statement: fossil-01
-- fine
-- because: three of four are check-ins, in the order of an index
-- run: 'ci'

SELECT blob.rid, uuid, datetime(event.mtime), coalesce(ecomment, comment), coalesce(euser, user)
FROM event JOIN blob ON blob.rid = event.objid WHERE event.type = ? ORDER BY event.mtime DESC LIMIT 20

-- statement: fossil-02
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: 0.4 % are wiki pages: the index of time leads through most of the table
-- run: 2454100.5

SELECT event.objid, datetime(event.mtime), coalesce(ecomment, comment) FROM event WHERE event.type = 'w'
AND event.mtime >= ? ORDER BY event.mtime DESC LIMIT 50

-- best
-- index: event (type, mtime)

-- or
-- index: event (mtime) WHERE type = 'w'

-- statement: fossil-03
-- is: expression-index, full-scan, function-on-column, index-not-covering
-- because: a rare user; the name is an expression, which an index can hold
-- run: 'badidi' | 'bamudi'

SELECT objid, datetime(mtime), coalesce(ecomment, comment) FROM event WHERE coalesce(euser, user) = ?
ORDER BY mtime DESC LIMIT 20

-- best
-- index: event (coalesce(euser, user), mtime)

-- or
-- index: event (coalesce(euser, user))

-- statement: fossil-04
-- fine
-- because: a file's history: each step by an index or a key
-- run: 900

SELECT mlink.mid, event.mtime, event.user FROM mlink JOIN filename ON filename.fnid = mlink.fnid
JOIN event ON event.objid = mlink.mid WHERE filename.name = (SELECT name FROM filename WHERE fnid = ?)
ORDER BY event.mtime DESC

-- statement: fossil-05
-- is: full-scan, sort-without-index
-- because: the largest ones, without passing by all content
-- run: 90000

SELECT rid, uuid, size FROM blob WHERE size > ? ORDER BY size DESC LIMIT 20

-- best
-- index: blob (size)

-- statement: fossil-06
-- is: full-scan
-- because: the children's changes: each column of numbers has an index but this one
-- run: 3001

SELECT mid, fid FROM mlink WHERE pmid = ?

-- best
-- index: mlink (pmid)

-- statement: fossil-07
-- is: expression-index, full-scan, function-on-column, group-without-index, index-not-covering
-- because: an activity graph, from two short columns of rows with comments

SELECT strftime('%Y-%m', mtime) AS month, count(*) FROM event WHERE type = 'ci' GROUP BY month ORDER BY month

-- best
-- index: event (type, strftime('%Y-%m', mtime))

-- statement: fossil-08
-- fine
-- because: an abbreviated hash is a range of the unique index
-- run: '3c5', '3c6'

SELECT rid FROM blob WHERE uuid >= ? AND uuid < ? ORDER BY uuid

-- statement: fossil-09
-- is: automatic-index, full-scan, sort-without-index
-- because: one of 400 rows has this value; the index of tags leads through all of them
-- run: 'bana'

SELECT tag.tagname, tagxref.rid FROM tagxref JOIN tag ON tag.tagid = tagxref.tagid
WHERE tagxref.value = ? AND tagxref.tagtype > 0 ORDER BY tagxref.mtime DESC

-- best
-- index: tagxref (value)
