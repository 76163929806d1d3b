-- schema: monotone
-- about: A version control system: revisions and their ancestry, signed statements about them, and files as chains of differences; \
--   identifiers and values are blobs.
-- origin: Monotone 1.1 (GPL-2.0-or-later, Copyright 2002 Graydon Hoare and the Monotone contributors): fourteen of the tables of its \
--   schema with their indexes

CREATE TABLE files (id primary key, data not null);
CREATE TABLE file_deltas (id not null, base not null, delta not null, unique(id, base));
CREATE TABLE file_sizes (id primary key, size not null);
CREATE TABLE revisions (id primary key, data not null);
CREATE TABLE revision_ancestry (parent not null, child not null, unique(parent, child));
CREATE INDEX revision_ancestry__child ON revision_ancestry (child);
CREATE TABLE heights (revision not null, height not null, unique(revision, height));
CREATE INDEX heights__height ON heights (height);
CREATE TABLE rosters (id primary key, checksum not null, data not null);
CREATE TABLE roster_deltas (id primary key, checksum not null, base not null, delta not null);
CREATE TABLE next_roster_node_number (node primary key);
CREATE TABLE public_keys (id primary key, name not null, keydata not null);
CREATE TABLE revision_certs (revision_id not null, name not null, value not null, keypair_id not null, signature not null, unique(name, \
value, revision_id, keypair_id, signature));
CREATE INDEX revision_certs__revnameoid ON revision_certs (revision_id, name, value, keypair_id, signature);
CREATE TABLE branch_leaves (branch not null, revision_id not null, unique(branch, revision_id));
CREATE TABLE branch_epochs (hash not null unique, branch not null unique, epoch not null);

CREATE TEMP TABLE r (i INTEGER PRIMARY KEY, id, branch INTEGER, author INTEGER, key);
INSERT INTO r SELECT i, CAST(printf('%08x%08x%04x', pick(1, i, 4294967295), pick(2, i, 4294967295), i) AS BLOB), skewed(3, i, 260), \
skewed(4, i, 120), NULL FROM numbers WHERE i <= 24000;
UPDATE r SET key = CAST(printf('%08x%012x', pick(5, author, 4294967295), author) AS BLOB);
INSERT INTO revisions SELECT id, CAST(prose(6, i, 60 + pick(7, i, 200)) AS BLOB) FROM r;
INSERT INTO revision_ancestry SELECT p.id, c.id FROM r AS c JOIN r AS p ON p.i = c.i - iif(c.i < 40, 1, skewed(8, c.i, 30)) WHERE c.i > 1;
INSERT OR IGNORE INTO revision_ancestry SELECT p.id, c.id FROM r AS c JOIN r AS p ON p.i = c.i - 10 - pick(9, c.i, 200) WHERE c.i > 300 \
AND chance(10, c.i) < 0.16;
INSERT INTO heights SELECT id, CAST(printf('%012d', i) AS BLOB) FROM r;
INSERT INTO rosters SELECT id, id, CAST(prose(11, i, 20000) AS BLOB) FROM r WHERE i IN (23900, 23950, 24000);
INSERT INTO roster_deltas SELECT a.id, a.id, b.id, CAST(prose(12, a.i, 60 + skewed(13, a.i, 400)) AS BLOB) FROM r AS a JOIN r AS b ON b.i \
= a.i + 1 WHERE a.i NOT IN (23900, 23950);
INSERT INTO public_keys SELECT DISTINCT key, word(author) || '@' || word(author % 9) || '.example', CAST(prose(14, author, 160) AS BLOB) FROM r;
INSERT INTO public_keys SELECT CAST(printf('%020x', i) AS BLOB), word(i) || '@unused.example', x'00' FROM numbers WHERE i BETWEEN 500 AND 530;
INSERT INTO revision_certs SELECT id, 'author', CAST(word(author) || '@' || word(author % 9) || '.example' AS BLOB), key, CAST(prose(15, \
i, 64) AS BLOB) FROM r;
INSERT INTO revision_certs SELECT id, 'branch', CAST('net.' || word(branch % 7) || '.' || word(branch) AS BLOB), key, CAST(prose(16, i, \
64) AS BLOB) FROM r WHERE chance(17, i) < 0.995;
INSERT INTO revision_certs SELECT id, 'changelog', CAST(title(18, i, 3 + pick(19, i, 12)) || char(10) || prose(20, i, iif(chance(21, i) < \
0.3, pick(22, i, 300), 0)) AS BLOB), key, CAST(prose(23, i, 64) AS BLOB) FROM r;
INSERT INTO revision_certs SELECT id, 'date', CAST(strftime('%Y-%m-%dT%H:%M:%S', 1060000000 + i * 9000 + pick(24, i, 20000), 'unixepoch') \
AS BLOB), key, CAST(prose(25, i, 64) AS BLOB) FROM r;
INSERT INTO revision_certs SELECT id, 'tag', CAST('release-' || (i / 4000) || '.' || (i % 97) AS BLOB), key, CAST(prose(26, i, 64) AS \
BLOB) FROM r WHERE chance(27, i) < 0.006;
INSERT OR IGNORE INTO branch_leaves SELECT CAST('net.' || word(branch % 7) || '.' || word(branch) AS BLOB), id FROM (SELECT branch, max(i) \
AS i FROM r GROUP BY branch) JOIN r USING (i, branch);
INSERT INTO branch_epochs SELECT CAST(printf('%020x', i * 77) AS BLOB), CAST('net.' || word(i % 7) || '.' || word(i) AS BLOB), \
CAST(printf('%020x', i) AS BLOB) FROM numbers WHERE i <= 260;
CREATE TEMP TABLE f (i INTEGER PRIMARY KEY, id, file INTEGER, version INTEGER);
INSERT INTO f SELECT i, CAST(printf('%08x%08x%04x', pick(31, i, 4294967295), pick(32, i, 4294967295), i) AS BLOB), file, row_number() OVER \
(PARTITION BY file ORDER BY i) FROM (SELECT i, skewed(33, i, 9000) AS file FROM numbers WHERE i <= 42000);
CREATE TEMP TABLE g (file INTEGER, version INTEGER, id, PRIMARY KEY (file, version));
INSERT INTO g SELECT file, version, id FROM f;
INSERT INTO files SELECT id, CAST(prose(34, i, 200 + skewed(35, i, 4000)) AS BLOB) FROM f WHERE NOT EXISTS (SELECT 1 FROM g WHERE g.file = \
f.file AND g.version = f.version + 1);
INSERT INTO file_deltas SELECT f.id, g.id, CAST(prose(36, f.i, 20 + skewed(37, f.i, 500)) AS BLOB) FROM f JOIN g ON g.file = f.file AND \
g.version = f.version + 1;
INSERT INTO file_sizes SELECT id, 100 + skewed(38, i, 90000) FROM f WHERE chance(39, i) < 0.97;
INSERT INTO next_roster_node_number VALUES (51231);
DROP TABLE r; DROP TABLE f; DROP TABLE g;

-- statement: monotone-01
-- fine
-- tolerated: full-scan
-- because: the whole graph, as it is loaded before walking it: both columns of all rows

SELECT parent, child FROM revision_ancestry

-- statement: monotone-02
-- is: expression-index, function-on-column, pattern-without-index
-- because: the revisions of an author by how their name begins: the value is made a text, so that all authors are read
-- run: 'author', 'thaje*' | 'author', 'floso*'

SELECT DISTINCT revision_id FROM revision_certs WHERE name = ? AND CAST(value AS TEXT) GLOB ?

-- best

SELECT DISTINCT revision_id FROM revision_certs WHERE name = ?1 AND value >= CAST(rtrim(?2, '*') AS BLOB) AND value < CAST(rtrim(?2, '*') \
|| '~' AS BLOB)

-- statement: monotone-03
-- is: expression-index, function-on-column
-- because: the revisions of a month: the dates are blobs, and each is made a text
-- run: '2009-05-01', '2009-06-01'

SELECT DISTINCT revision_id FROM revision_certs WHERE name = 'date' AND CAST(value AS TEXT) >= ? AND CAST(value AS TEXT) < ?

-- best

SELECT DISTINCT revision_id FROM revision_certs WHERE name = 'date' AND value >= CAST(? AS BLOB) AND value < CAST(? AS BLOB)

-- or
-- index: revision_certs (name, CAST(value AS TEXT), revision_id)

-- or
-- index: revision_certs (name, CAST(value AS TEXT))

-- statement: monotone-04
-- is: expression-index, full-scan, function-on-column
-- because: a version of a file by its identifier in hexadecimal

SELECT hex(base), length(delta) FROM file_deltas WHERE hex(id) = '3934306631326532346633386562303330336338'

-- best

SELECT hex(base), length(delta) FROM file_deltas WHERE id = x'3934306631326532346633386562303330336338'

-- or
-- index: file_deltas (hex(id))

-- statement: monotone-05
-- is: join-order, subquery-per-row
-- because: the heads of a branch: for each of its revisions, all of them are tried as children instead of its own few
-- run: 'net.gudi.gudi'

SELECT hex(c.revision_id) FROM revision_certs AS c WHERE c.name = 'branch' AND c.value = CAST(? AS BLOB)
AND NOT EXISTS (SELECT 1 FROM revision_ancestry AS a JOIN revision_certs AS d ON d.revision_id = a.child AND d.name = 'branch' AND d.value \
= c.value WHERE a.parent = c.revision_id)

-- best

SELECT hex(c.revision_id) FROM revision_certs AS c WHERE c.name = 'branch' AND c.value = CAST(? AS BLOB)
AND NOT EXISTS (SELECT 1 FROM revision_ancestry AS a CROSS JOIN revision_certs AS d ON d.revision_id = a.child AND d.name = 'branch' AND \
d.value = c.value WHERE a.parent = c.revision_id)

-- statement: monotone-06
-- fine
-- tolerated: sort-without-index
-- because: how many revisions each branch has, in the order of the index

SELECT CAST(value AS TEXT) AS branch, count(*) AS n FROM revision_certs WHERE name = 'branch' GROUP BY value ORDER BY n DESC, branch

-- statement: monotone-07
-- is: automatic-index, full-scan
-- because: the older versions of a file: differences are found by what they lead to, not by what they start from

WITH RECURSIVE chain (id, depth) AS (SELECT x'3064623462313364623766313064643638376331', 0 UNION ALL SELECT d.id, c.depth + 1 FROM chain \
AS c JOIN file_deltas AS d ON d.base = c.id WHERE c.depth < 60) SELECT count(*), max(c.depth), sum(s.size) FROM chain AS c LEFT JOIN \
file_sizes AS s ON s.id = c.id

-- best
-- index: file_deltas (base, id)

-- or
-- index: file_deltas (base)

-- statement: monotone-08
-- is: large-offset
-- because: a far page of the log
-- run: 14000

SELECT hex(revision_id), CAST(value AS TEXT) FROM revision_certs WHERE name = 'date' ORDER BY value DESC, revision_id DESC LIMIT 40 OFFSET ?

-- best
-- run: '2006-06-11T10:35:32', '65d35d51e6043d6a2711'

SELECT hex(revision_id), CAST(value AS TEXT) FROM revision_certs WHERE name = 'date' AND (value, revision_id) < (CAST(? AS BLOB), CAST(? \
AS BLOB)) ORDER BY value DESC, revision_id DESC LIMIT 40

-- statement: monotone-09
-- is: join-order, missing-statistics, stale-statistics
-- because: the newest revisions of a small branch: all dates from the newest are tried, to save sorting its few
-- run: 'net.drice.kibrace' | 'net.drice.fotuce'

SELECT hex(d.revision_id), CAST(d.value AS TEXT) AS date FROM revision_certs AS b JOIN revision_certs AS d ON d.revision_id = \
b.revision_id AND d.name = 'date' WHERE b.name = 'branch' AND b.value = CAST(? AS BLOB) ORDER BY d.value DESC LIMIT 20

-- best

SELECT hex(d.revision_id), CAST(d.value AS TEXT) AS date FROM revision_certs AS b JOIN revision_certs AS d ON d.revision_id = \
b.revision_id AND d.name = 'date' WHERE b.name = 'branch' AND b.value = CAST(? AS BLOB) ORDER BY +d.value DESC LIMIT 20

-- or

SELECT hex(d.revision_id), CAST(d.value AS TEXT) AS date FROM revision_certs AS b CROSS JOIN revision_certs AS d ON d.revision_id = \
b.revision_id AND d.name = 'date' WHERE b.name = 'branch' AND b.value = CAST(? AS BLOB) ORDER BY d.value DESC LIMIT 20

-- or
-- change: ANALYZE

-- statement: monotone-10
-- fine
-- tolerated: function-on-column, pattern-without-index
-- because: words anywhere in the messages, of which all have to be read
-- run: '%vashu gudi%'

SELECT hex(revision_id), CAST(value AS TEXT) FROM revision_certs WHERE name = 'changelog' AND CAST(value AS TEXT) LIKE ? LIMIT 400

-- statement: monotone-11
-- is: automatic-index, full-scan, index-not-covering
-- because: how many revisions each key signed

SELECT k.name, count(c.revision_id) AS n FROM public_keys AS k LEFT JOIN revision_certs AS c ON c.keypair_id = k.id AND c.name = 'date' \
GROUP BY k.id ORDER BY n DESC, k.name

-- best
-- index: revision_certs (name, keypair_id)

SELECT k.name, coalesce(c.n, 0) AS n FROM public_keys AS k LEFT JOIN (SELECT keypair_id, count(*) AS n FROM revision_certs WHERE name = \
'date' GROUP BY keypair_id) AS c ON c.keypair_id = k.id ORDER BY n DESC, k.name

-- or
-- index: revision_certs (keypair_id, name, revision_id)

-- or
-- index: revision_certs (name, keypair_id, revision_id)

-- statement: monotone-12
-- is: full-scan, sort-without-index
-- because: the largest files

SELECT hex(id), size FROM file_sizes ORDER BY size DESC, id LIMIT 10

-- best
-- index: file_sizes (size DESC, id)

-- or
-- index: file_sizes (size)

-- statement: monotone-13
-- fine
-- because: the edges at a revision: an index for each side

SELECT hex(parent), hex(child) FROM revision_ancestry WHERE parent = x'6563653331316636626366306334336230316634' OR child = \
x'6563653331316636626366306334336230316634'

-- statement: monotone-14
-- fine
-- because: all that descends from a revision, each by an index

WITH RECURSIVE below (id) AS (SELECT x'3266393733383531306466386338646633613938' UNION SELECT a.child FROM below JOIN revision_ancestry AS \
a ON a.parent = below.id) SELECT count(*), max(h.height) FROM below JOIN heights AS h ON h.revision = below.id

-- statement: monotone-15
-- is: full-scan
-- because: a difference between states goes, by what it starts from

DELETE FROM roster_deltas WHERE base = x'6336306433386462343631636263396230326263'

-- best
-- index: roster_deltas (base)

-- statement: monotone-16
-- fine
-- tolerated: full-scan, pattern-without-index, sort-without-index
-- because: the keys of a host, of some hundred
-- run: '%@loce.example'

SELECT hex(id), name FROM public_keys WHERE name LIKE ? ORDER BY name

-- statement: monotone-17
-- fine
-- because: a new leaf of its branch

INSERT OR IGNORE INTO branch_leaves SELECT value, revision_id FROM revision_certs WHERE revision_id = \
x'6563653331316636626366306334336230316634' AND name = 'branch'
