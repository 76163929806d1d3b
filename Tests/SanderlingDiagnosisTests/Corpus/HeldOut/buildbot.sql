-- schema: buildbot
-- about: A server of continuous integration: requests, builds, their steps and logs, the changes that they come from, and the results of \
--   tests.
-- origin: Buildbot 3.3 (GPL-2.0-only, Copyright Buildbot Team Members): seventeen of its tables with their indexes; the foreign keys that \
--   SQLAlchemy leaves out for SQLite are left out here too
-- superfluous: redundant-index buildset_sourcestamps_buildsetid
-- superfluous: redundant-index builders_tags_builderid

CREATE TABLE masters (id INTEGER NOT NULL, name TEXT NOT NULL, name_hash VARCHAR(40) NOT NULL, active INTEGER NOT NULL, last_active \
INTEGER NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX master_name_hashes ON masters (name_hash);
CREATE TABLE workers (id INTEGER NOT NULL, name VARCHAR(50) NOT NULL, info TEXT NOT NULL, paused SMALLINT DEFAULT '0' NOT NULL, graceful \
SMALLINT DEFAULT '0' NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX workers_name ON workers (name);
CREATE TABLE builders (id INTEGER NOT NULL, name TEXT NOT NULL, description TEXT, name_hash VARCHAR(40) NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX builder_name_hash ON builders (name_hash);
CREATE TABLE tags (id INTEGER NOT NULL, name TEXT NOT NULL, name_hash VARCHAR(40) NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX tag_name_hash ON tags (name_hash);
CREATE TABLE builders_tags (
  id INTEGER NOT NULL, builderid INTEGER NOT NULL, tagid INTEGER NOT NULL, PRIMARY KEY (id), FOREIGN KEY(builderid) REFERENCES builders \
(id) ON DELETE CASCADE, FOREIGN KEY(tagid) REFERENCES tags (id) ON DELETE CASCADE);
CREATE INDEX builders_tags_builderid ON builders_tags (builderid);
CREATE UNIQUE INDEX builders_tags_unique ON builders_tags (builderid, tagid);
CREATE TABLE sourcestamps (
  id INTEGER NOT NULL, ss_hash VARCHAR(40) NOT NULL, branch VARCHAR(256), revision VARCHAR(256), patchid INTEGER, repository VARCHAR(512) \
DEFAULT '' NOT NULL, codebase VARCHAR(256) DEFAULT '' NOT NULL,
  project VARCHAR(512) DEFAULT '' NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX sourcestamps_ss_hash_key ON sourcestamps (ss_hash);
CREATE TABLE changes (
  changeid INTEGER NOT NULL, author VARCHAR(255) NOT NULL, committer VARCHAR(255), comments TEXT NOT NULL, branch VARCHAR(255), revision \
VARCHAR(255), revlink VARCHAR(256), when_timestamp INTEGER NOT NULL,
  category VARCHAR(255), repository VARCHAR(512) DEFAULT '' NOT NULL, codebase VARCHAR(256) DEFAULT '' NOT NULL, project VARCHAR(512) \
DEFAULT '' NOT NULL, sourcestampid INTEGER NOT NULL, parent_changeids INTEGER,
  PRIMARY KEY (changeid), FOREIGN KEY(sourcestampid) REFERENCES sourcestamps (id) ON DELETE CASCADE, FOREIGN KEY(parent_changeids) \
REFERENCES changes (changeid) ON DELETE SET NULL);
CREATE INDEX changes_branch ON changes (branch);
CREATE INDEX changes_revision ON changes (revision);
CREATE INDEX changes_author ON changes (author);
CREATE INDEX changes_category ON changes (category);
CREATE INDEX changes_when_timestamp ON changes (when_timestamp);
CREATE INDEX changes_sourcestampid ON changes (sourcestampid);
CREATE TABLE change_files (changeid INTEGER NOT NULL, filename VARCHAR(1024) NOT NULL, FOREIGN KEY(changeid) REFERENCES changes (changeid) \
ON DELETE CASCADE);
CREATE INDEX change_files_changeid ON change_files (changeid);
CREATE TABLE buildsets (
  id INTEGER NOT NULL, external_idstring VARCHAR(256), reason VARCHAR(256), submitted_at INTEGER NOT NULL, complete SMALLINT DEFAULT '0' \
NOT NULL, complete_at INTEGER, results SMALLINT, parent_buildid INTEGER,
  parent_relationship TEXT, PRIMARY KEY (id));
CREATE INDEX buildsets_complete ON buildsets (complete);
CREATE INDEX buildsets_submitted_at ON buildsets (submitted_at);
CREATE TABLE buildset_sourcestamps (
  id INTEGER NOT NULL, buildsetid INTEGER NOT NULL, sourcestampid INTEGER NOT NULL, PRIMARY KEY (id), FOREIGN KEY(buildsetid) REFERENCES \
buildsets (id) ON DELETE CASCADE,
  FOREIGN KEY(sourcestampid) REFERENCES sourcestamps (id) ON DELETE CASCADE);
CREATE INDEX buildset_sourcestamps_buildsetid ON buildset_sourcestamps (buildsetid);
CREATE UNIQUE INDEX buildset_sourcestamps_unique ON buildset_sourcestamps (buildsetid, sourcestampid);
CREATE TABLE buildrequests (
  id INTEGER NOT NULL, buildsetid INTEGER NOT NULL, builderid INTEGER NOT NULL, priority INTEGER DEFAULT '0' NOT NULL, complete INTEGER \
DEFAULT '0', results SMALLINT, submitted_at INTEGER NOT NULL, complete_at INTEGER,
  waited_for SMALLINT DEFAULT '0', PRIMARY KEY (id), FOREIGN KEY(buildsetid) REFERENCES buildsets (id) ON DELETE CASCADE, FOREIGN \
KEY(builderid) REFERENCES builders (id) ON DELETE CASCADE);
CREATE INDEX buildrequests_buildsetid ON buildrequests (buildsetid);
CREATE INDEX buildrequests_builderid ON buildrequests (builderid);
CREATE INDEX buildrequests_complete ON buildrequests (complete);
CREATE TABLE buildrequest_claims (
  brid INTEGER NOT NULL, masterid INTEGER NOT NULL, claimed_at INTEGER NOT NULL, FOREIGN KEY(brid) REFERENCES buildrequests (id) ON DELETE \
CASCADE, FOREIGN KEY(masterid) REFERENCES masters (id) ON DELETE CASCADE);
CREATE INDEX ix_buildrequest_claims_masterid ON buildrequest_claims (masterid);
CREATE UNIQUE INDEX buildrequest_claims_brids ON buildrequest_claims (brid);
CREATE TABLE builds (
  id INTEGER NOT NULL, number INTEGER NOT NULL, builderid INTEGER NOT NULL, buildrequestid INTEGER NOT NULL, workerid INTEGER, masterid \
INTEGER NOT NULL, started_at INTEGER NOT NULL, complete_at INTEGER,
  state_string TEXT NOT NULL, results INTEGER, PRIMARY KEY (id), FOREIGN KEY(builderid) REFERENCES builders (id) ON DELETE CASCADE, \
FOREIGN KEY(workerid) REFERENCES workers (id) ON DELETE SET NULL,
  FOREIGN KEY(masterid) REFERENCES masters (id) ON DELETE CASCADE);
CREATE INDEX builds_buildrequestid ON builds (buildrequestid);
CREATE UNIQUE INDEX builds_number ON builds (builderid, number);
CREATE INDEX builds_workerid ON builds (workerid);
CREATE INDEX builds_masterid ON builds (masterid);
CREATE TABLE build_properties (buildid INTEGER NOT NULL, name VARCHAR(256) NOT NULL, value TEXT NOT NULL, source VARCHAR(256) NOT NULL, \
FOREIGN KEY(buildid) REFERENCES builds (id) ON DELETE CASCADE);
CREATE INDEX build_properties_buildid ON build_properties (buildid);
CREATE TABLE steps (
  id INTEGER NOT NULL, number INTEGER NOT NULL, name VARCHAR(50) NOT NULL, buildid INTEGER NOT NULL, started_at INTEGER, complete_at \
INTEGER, state_string TEXT NOT NULL, results INTEGER, urls_json TEXT NOT NULL,
  hidden SMALLINT DEFAULT '0' NOT NULL, PRIMARY KEY (id), FOREIGN KEY(buildid) REFERENCES builds (id) ON DELETE CASCADE);
CREATE UNIQUE INDEX steps_number ON steps (buildid, number);
CREATE UNIQUE INDEX steps_name ON steps (buildid, name);
CREATE INDEX steps_started_at ON steps (started_at);
CREATE TABLE logs (
  id INTEGER NOT NULL, name TEXT NOT NULL, slug VARCHAR(50) NOT NULL, stepid INTEGER NOT NULL, complete SMALLINT NOT NULL, num_lines \
INTEGER NOT NULL, type VARCHAR(1) NOT NULL, PRIMARY KEY (id),
  FOREIGN KEY(stepid) REFERENCES steps (id) ON DELETE CASCADE);
CREATE UNIQUE INDEX logs_slug ON logs (stepid, slug);
CREATE TABLE logchunks (
  logid INTEGER NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, content BLOB, compressed SMALLINT NOT NULL, FOREIGN \
KEY(logid) REFERENCES logs (id) ON DELETE CASCADE);
CREATE INDEX logchunks_firstline ON logchunks (logid, first_line);
CREATE INDEX logchunks_lastline ON logchunks (logid, last_line);
CREATE TABLE test_result_sets (
  id INTEGER NOT NULL, builderid INTEGER NOT NULL, buildid INTEGER NOT NULL, stepid INTEGER NOT NULL, description TEXT, category TEXT NOT \
NULL, value_unit TEXT NOT NULL, tests_passed INTEGER, tests_failed INTEGER,
  complete SMALLINT NOT NULL, PRIMARY KEY (id), FOREIGN KEY(builderid) REFERENCES builders (id) ON DELETE CASCADE, FOREIGN KEY(buildid) \
REFERENCES builds (id) ON DELETE CASCADE,
  FOREIGN KEY(stepid) REFERENCES steps (id) ON DELETE CASCADE);
CREATE TABLE test_names (id INTEGER NOT NULL, builderid INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (id), FOREIGN KEY(builderid) \
REFERENCES builders (id) ON DELETE CASCADE);
CREATE INDEX test_names_name ON test_names (builderid, name);
CREATE TABLE test_results (
  id INTEGER NOT NULL, builderid INTEGER NOT NULL, test_result_setid INTEGER NOT NULL, test_nameid INTEGER, test_code_pathid INTEGER, line \
INTEGER, duration_ns INTEGER, value TEXT NOT NULL, PRIMARY KEY (id),
  FOREIGN KEY(builderid) REFERENCES builders (id) ON DELETE CASCADE, FOREIGN KEY(test_result_setid) REFERENCES test_result_sets (id) ON \
DELETE CASCADE, FOREIGN KEY(test_nameid) REFERENCES test_names (id) ON DELETE CASCADE);

INSERT INTO masters SELECT i, 'master' || i || ':/srv/buildbot', printf('%040x', i * 7919), i <= 2, 1700000000 + i FROM numbers WHERE i <= 3;
INSERT INTO workers SELECT i, word(i) || '-' || i, '{"admin":"' || word(i + 40) || '"}', 0, 0 FROM numbers WHERE i <= 50;
INSERT INTO builders SELECT i, word(i * 3) || iif(i % 4 = 0, '-nightly', '-ci'), iif(chance(1, i) < 0.5, title(2, i, 5), NULL), \
printf('%040x', i * 104729) FROM numbers WHERE i <= 70;
INSERT INTO tags SELECT i, word(i + 200), printf('%040x', i * 1299709) FROM numbers WHERE i <= 20;
INSERT OR IGNORE INTO builders_tags SELECT i, 1 + i % 70, skewed(3, i, 20) FROM numbers WHERE i <= 160;
INSERT INTO sourcestamps
SELECT i, printf('%040x', i * 15485863), iif(chance(4, i) < 0.7, 'master', 'feature/' || word(skewed(5, i, 400))), iif(chance(6, i) < \
0.04, NULL, printf('%08x%032x', i * 2654435761 % 4294967296, i * 32452843)), NULL,
  'https://git.example/' || word(skewed(7, i, 12)) || '.git', '', word(skewed(7, i, 12)), 1680000000 + i * 2100 FROM numbers WHERE i <= 9000;
INSERT INTO changes
SELECT i, word(skewed(8, i, 150)) || ' <' || word(skewed(8, i, 150)) || '@example.org>', iif(chance(9, i) < 0.3, NULL, word(skewed(10, i, \
150)) || '@example.org'), prose(11, i, 60 + skewed(12, i, 600)), s.branch, s.revision, '', 1680000000 + i * 2100 - pick(13, i, 90000),
  iif(chance(14, i) < 0.8, NULL, word(skewed(15, i, 8))), s.repository, '', s.project, s.id, iif(i > 1, i - 1, NULL)
FROM numbers JOIN sourcestamps AS s ON s.id = i WHERE i <= 8500;
INSERT INTO change_files SELECT 1 + i / 3, word(skewed(16, i, 40)) || '/' || word(skewed(17, i, 300)) || '/' || word(skewed(18, i, 2000)) \
|| '.c' FROM numbers WHERE i <= 25000;
INSERT INTO buildsets
SELECT i, NULL, iif(chance(19, i) < 0.2, 'The Nightly scheduler named ''nightly'' triggered this build', 'The AnyBranchScheduler scheduler \
triggered this build'), 1682000000 + i * 1700, i <= 9940, iif(i <= 9940, 1682000000 + i * 1700 + pick(20, i, 9000), NULL),
  iif(i <= 9940, iif(chance(21, i) < 0.8, 0, 2), NULL), iif(chance(22, i) < 0.3, pick(23, i, 9000), NULL), NULL FROM numbers WHERE i <= 10000;
INSERT INTO buildset_sourcestamps SELECT i, i, min(9000, 1 + i * 9 / 10 - skewed(24, i, 40) % (1 + i / 2)) FROM numbers WHERE i <= 10000;
INSERT OR IGNORE INTO buildset_sourcestamps SELECT 10000 + i, i * 7, pick(25, i, 8000) FROM numbers WHERE i <= 1200;
INSERT INTO buildrequests
SELECT i, 1 + i * 10 / 13, skewed(26, i, 70), iif(chance(27, i) < 0.05, 10, 0), i <= 12900, iif(i <= 12900, iif(chance(28, i) < 0.8, 0, \
2), NULL), 1682000000 + i * 1300, iif(i <= 12900, 1682000000 + i * 1300 + pick(29, i, 9000), NULL), 0 FROM numbers WHERE i <= 12990;
INSERT INTO buildrequest_claims SELECT i, 1 + (chance(30, i) < 0.3), 1682000000 + i * 1300 + 5 FROM numbers WHERE i <= 12930;
INSERT INTO builds
SELECT id, row_number() OVER (PARTITION BY builderid ORDER BY id), builderid, id, iif(chance(31, id) < 0.01, NULL, skewed(32, id, 50)), 1 \
+ (chance(30, id) < 0.3), submitted_at + 10, iif(id <= 12900 AND chance(33, id) > 0.001, submitted_at + 60 + skewed(34, id, 8000), NULL), \
'build successful', results
FROM buildrequests WHERE id <= 12930;
INSERT INTO build_properties
SELECT 1 + i / 4, CASE i % 4 WHEN 0 THEN 'got_revision' WHEN 1 THEN 'branch' WHEN 2 THEN 'owner' ELSE iif(chance(35, i) < 0.5, \
'virtual_builder_name', word(skewed(36, i, 60))) END,
  CASE i % 4 WHEN 0 THEN '"' || printf('%08x', (i / 4 * 9 / 13) * 2654435761 % 4294967296) || '"' WHEN 1 THEN '"' || iif(chance(4, i) < \
0.7, 'master', 'feature/' || word(skewed(5, i, 400))) || '"' WHEN 2 THEN '"' || word(skewed(8, i, 150)) || '"' ELSE '"' || prose(37, i, \
pick(38, i, 60)) || '"' END, 'Build'
FROM numbers WHERE i <= 48000;
INSERT INTO steps
SELECT i, i % 4, CASE i % 4 WHEN 0 THEN 'git' WHEN 1 THEN 'configure' WHEN 2 THEN 'compile' ELSE 'test' END, 1 + i / 4, 1682000000 + i / 4 \
* 1300 + i % 4 * 60, 1682000000 + i / 4 * 1300 + i % 4 * 60 + skewed(39, i, 4000), iif(chance(40, i) < 0.95, 'finished', 'finished \
(failure)'),
  iif(chance(41, i) < 0.93, 0, iif(chance(42, i) < 0.5, 1, 2)), '[]', i % 4 = 0 AND chance(43, i) < 0.1 FROM numbers WHERE i <= 50000;
INSERT INTO logs SELECT i, 'stdio', 'stdio', i, 1, skewed(44, i, 20000), iif(i < 3000, 'd', 's') FROM numbers WHERE i <= 48000;
INSERT INTO logchunks SELECT 42000 + i / 4, i % 4 * 50, i % 4 * 50 + 49, CAST(prose(45, i, 100 + pick(46, i, 500)) AS BLOB), 0 FROM \
numbers WHERE i <= 20000;
INSERT INTO test_result_sets SELECT i, b.builderid, b.id, i * 8 - 1, NULL, iif(chance(47, i) < 0.9, 'pass_fail', 'bench'), 'boolean', \
pick(48, i, 900), skewed(49, i, 30) - 1, 1 FROM numbers JOIN builds AS b ON b.id = i * 2 WHERE i <= 6000;
INSERT INTO test_names SELECT i, skewed(50, i, 70), word(skewed(51, i, 900)) || '.' || word(i) FROM numbers WHERE i <= 4000;
INSERT INTO test_results SELECT i, s.builderid, s.id, pick(52, i, 4000), NULL, NULL, skewed(53, i, 900000) * 1000, iif(chance(54, i) < \
0.97, 'PASSED', iif(chance(55, i) < 0.7, 'FAILED', 'SKIPPED')) FROM numbers JOIN test_result_sets AS s ON s.id = 1 + i / 10 WHERE i < 60000;

-- statement: buildbot-01
-- is: full-scan, sort-without-index
-- because: what ran on a day: no index has the time
-- run: 1690000000, 1690086400 | 1695000000, 1695050000

SELECT b.id, r.name, b.number, b.results, w.name FROM builds AS b JOIN builders AS r ON r.id = b.builderid LEFT JOIN workers AS w ON w.id = b.workerid
WHERE b.started_at >= ? AND b.started_at < ? ORDER BY b.started_at

-- best
-- index: builds (started_at)

-- statement: buildbot-02
-- is: full-scan, harmful-index, index-not-covering, partial-index
-- because: what a master still runs: all that it ever ran is looked up
-- run: 1 | 2

SELECT id, number, builderid, workerid FROM builds WHERE masterid = ? AND complete_at IS NULL

-- best
-- index: builds (masterid) WHERE complete_at IS NULL

-- or
-- index: builds (masterid, complete_at)

-- or
-- index: builds (complete_at, masterid)

-- statement: buildbot-03
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: requests that wait for a worker: a few, each by keys

SELECT r.id, r.buildsetid, r.builderid, r.priority, r.submitted_at, c.claimed_at, b.name, s.branch, s.repository FROM buildrequests AS r
LEFT OUTER JOIN buildrequest_claims AS c ON c.brid = r.id JOIN builders AS b ON b.id = r.builderid JOIN buildsets AS bs ON bs.id = r.buildsetid
JOIN buildset_sourcestamps AS bss ON bss.buildsetid = bs.id JOIN sourcestamps AS s ON s.id = bss.sourcestampid WHERE r.complete = 0 AND \
c.claimed_at IS NULL ORDER BY r.submitted_at

-- statement: buildbot-04
-- is: full-scan
-- because: builds of a revision, which is a property
-- run: '"09ded75c"' | '"5a0b7976"'

SELECT buildid FROM build_properties WHERE name = 'got_revision' AND value = ?

-- best
-- index: build_properties (name, value)

-- or
-- index: build_properties (value)

-- or
-- index: build_properties (value, name)

-- statement: buildbot-05
-- is: index-not-covering, sort-without-index, subquery-per-row
-- because: how each builder stands: all of its builds are sorted twice to see one

SELECT r.id, r.name, (SELECT b.results FROM builds AS b WHERE b.builderid = r.id AND b.complete_at IS NOT NULL ORDER BY b.started_at DESC \
LIMIT 1) AS last_result,
  (SELECT b.number FROM builds AS b WHERE b.builderid = r.id AND b.results = 0 ORDER BY b.started_at DESC LIMIT 1) AS last_good
FROM builders AS r ORDER BY r.name

-- best
-- index: builds (builderid, started_at)

-- or

SELECT r.id, r.name, (SELECT b.results FROM builds AS b WHERE b.builderid = r.id AND b.complete_at IS NOT NULL ORDER BY b.number DESC \
LIMIT 1) AS last_result,
  (SELECT b.number FROM builds AS b WHERE b.builderid = r.id AND b.results = 0 ORDER BY b.number DESC LIMIT 1) AS last_good
FROM builders AS r ORDER BY r.name

-- statement: buildbot-06
-- is: foreign-key-without-index
-- because: an old build goes, with its steps: for each, all sets of results are read, and all results for each set
-- run: 402 | 2504

DELETE FROM builds WHERE id = ?

-- best
-- index: test_result_sets (buildid)
-- index: test_result_sets (stepid)
-- index: test_results (test_result_setid)

-- statement: buildbot-07
-- is: expression-index, full-scan, function-on-column
-- because: a revision as people write it: its first eight digits
-- run: '0459adb4', 'gudi' | '1a1a1238', 'loce'

SELECT id, branch, repository FROM sourcestamps WHERE substr(revision, 1, 8) = ? AND project = ?

-- best
-- index: sourcestamps (substr(revision, 1, 8))

-- or
-- index: sourcestamps (revision)

SELECT id, branch, repository FROM sourcestamps WHERE revision >= ?1 AND revision < ?1 || 'g' AND project = ?2

-- statement: buildbot-08
-- is: full-scan, group-without-index, join-order, partial-index
-- because: tests that fail again and again on a builder: all results of all builders are read
-- run: 1 | 5

SELECT n.name, count(*) AS failures, max(s.buildid) AS latest FROM test_results AS t JOIN test_names AS n ON n.id = t.test_nameid JOIN \
test_result_sets AS s ON s.id = t.test_result_setid
WHERE t.builderid = ? AND t.value = 'FAILED' GROUP BY n.id HAVING count(*) > 1 ORDER BY failures DESC, n.name LIMIT 20

-- best
-- index: test_results (builderid, value, test_nameid)

-- or
-- index: test_results (builderid, value)

-- or
-- index: test_results (builderid, test_nameid) WHERE value = 'FAILED'

-- statement: buildbot-09
-- is: large-offset
-- because: a page far back: the changes before it are stepped over, large comments and all

SELECT changeid, author, comments, when_timestamp FROM changes ORDER BY changeid DESC LIMIT 20 OFFSET 6000

-- best
-- run: 2501

SELECT changeid, author, comments, when_timestamp FROM changes WHERE changeid < ? ORDER BY changeid DESC LIMIT 20

-- statement: buildbot-10
-- is: multiplied-aggregate
-- because: time lost in builds with trouble: a build with two such steps counts twice

SELECT r.name, count(*) AS failed, sum(b.complete_at - b.started_at) AS seconds FROM builders AS r JOIN builds AS b ON b.builderid = r.id \
JOIN steps AS s ON s.buildid = b.id
WHERE s.results IN (1, 2) GROUP BY r.id ORDER BY seconds DESC

-- best
-- index: steps (results, buildid)
-- changes results

SELECT r.name, count(*) AS failed, sum(b.complete_at - b.started_at) AS seconds FROM builders AS r JOIN builds AS b ON b.builderid = r.id
WHERE b.id IN (SELECT s.buildid FROM steps AS s WHERE s.results IN (1, 2)) GROUP BY r.id ORDER BY seconds DESC

-- statement: buildbot-11
-- is: full-scan, subquery-per-row
-- because: old stamps that nothing was built of: for each, all links are read
-- run: 1681000000

SELECT s.id, s.revision FROM sourcestamps AS s WHERE s.created_at < ?
AND NOT EXISTS (SELECT 1 FROM buildset_sourcestamps AS b WHERE b.sourcestampid = s.id) AND NOT EXISTS (SELECT 1 FROM changes AS c WHERE \
c.sourcestampid = s.id AND c.category IS NOT NULL)

-- best
-- index: buildset_sourcestamps (sourcestampid)

-- or

SELECT s.id, s.revision FROM sourcestamps AS s WHERE s.created_at < ?
AND s.id NOT IN (SELECT b.sourcestampid FROM buildset_sourcestamps AS b) AND NOT EXISTS (SELECT 1 FROM changes AS c WHERE c.sourcestampid \
= s.id AND c.category IS NOT NULL)

-- statement: buildbot-12
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: who changed a folder of late: all names of files are compared
-- run: 'bafo/gudi/%' | 'bafo/shuce/%'

SELECT c.changeid, c.author, c.when_timestamp FROM changes AS c WHERE c.changeid IN (SELECT f.changeid FROM change_files AS f WHERE \
f.filename LIKE ?) AND c.branch = 'master' ORDER BY c.when_timestamp DESC LIMIT 25

-- best
-- index: change_files (filename COLLATE NOCASE, changeid)

-- statement: buildbot-13
-- fine
-- because: the steps of a build, by their unique key
-- run: 700 | 9001

SELECT * FROM steps WHERE buildid = ? ORDER BY number

-- statement: buildbot-14
-- fine
-- tolerated: sort-without-index
-- because: some lines of a log, of which there are few chunks
-- run: 44000, 60, 120

SELECT first_line, last_line, content, compressed FROM logchunks WHERE logid = ? AND last_line >= ? AND first_line <= ? ORDER BY first_line

-- statement: buildbot-15
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: a word anywhere in the comments: they have to be read
-- run: '%fogu ce%'

SELECT changeid, author, comments FROM changes WHERE comments LIKE ? ORDER BY changeid DESC

-- statement: buildbot-16
-- fine
-- because: the next step of a build
-- run: 12800, 'upload', 1699000000

INSERT INTO steps (buildid, number, name, started_at, complete_at, state_string, urls_json, hidden) SELECT ?1, coalesce(max(number), -1) + \
1, ?2, ?3, NULL, 'pending', '[]', 0 FROM steps WHERE buildid = ?1

-- statement: buildbot-17
-- fine
-- tolerated: automatic-index, group-without-index, sort-without-index
-- because: all builders by tag: the tables are tiny

SELECT t.name, group_concat(r.name, ', ') FROM tags AS t JOIN builders_tags AS bt ON bt.tagid = t.id JOIN builders AS r ON r.id = \
bt.builderid GROUP BY t.id ORDER BY t.name
