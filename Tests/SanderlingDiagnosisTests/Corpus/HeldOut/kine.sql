-- schema: kine
-- about: The log of a cluster's state in one table: names in a column of integers, a revision for each write.
-- origin: kine 0.3 (Apache-2.0, Copyright Rancher Labs): its table with its indexes

CREATE TABLE kine (
  id INTEGER primary key autoincrement, name INTEGER, created INTEGER, deleted INTEGER, create_revision INTEGER,
  prev_revision INTEGER, lease INTEGER, value BLOB, old_value BLOB);
CREATE INDEX kine_name_index ON kine (name);
CREATE UNIQUE INDEX kine_name_prev_revision_uindex ON kine (name, prev_revision);

INSERT INTO kine (id, name, created, deleted, create_revision, prev_revision, lease, value, old_value)
SELECT i, CASE WHEN i <= 3 THEN 'compact_rev_key' || iif(i = 1, '', i) WHEN chance(1, i) < 0.55 THEN '/registry/leases/kube-node-lease/' \
|| word(skewed(2, i, 60))
    WHEN chance(1, i) < 0.7 THEN '/registry/events/default/' || word(pick(3, i, 4000))
    WHEN chance(1, i) < 0.9 THEN '/registry/pods/' || word(skewed(4, i, 12)) || '/' || word(pick(5, i, 400))
    ELSE '/registry/configmaps/' || word(skewed(6, i, 12)) || '/' || word(pick(7, i, 300)) END,
  chance(8, i) < 0.05, chance(9, i) < 0.04, 0, i - 1, iif(chance(1, i) BETWEEN 0.55 AND 0.7 AND chance(10, i) < 0.2, 3660, 0),
  CAST(prose(11, i, 150 + pick(12, i, 500)) AS BLOB), NULL
FROM numbers WHERE i <= 40000;

-- statement: kine-01
-- is: full-scan, pattern-without-index
-- because: the newest revision of each name under a prefix: all names are walked, since LIKE ignores case
-- run: '/registry/configmaps/bafo/%' | '/registry/pods/tufo/%'

SELECT kv.id, kv.name, kv.create_revision, kv.value FROM kine kv
JOIN (SELECT max(mkv.id) AS id FROM kine mkv WHERE mkv.name LIKE ? GROUP BY mkv.name) newest ON newest.id = kv.id
WHERE kv.deleted = 0 ORDER BY kv.id LIMIT 500

-- best
-- index: kine (name COLLATE NOCASE)

-- or
-- run: '/registry/configmaps/bafo/*' | '/registry/pods/tufo/*'

SELECT kv.id, kv.name, kv.create_revision, kv.value FROM kine kv
JOIN (SELECT max(mkv.id) AS id FROM kine mkv WHERE mkv.name GLOB ? GROUP BY mkv.name) newest ON newest.id = kv.id
WHERE kv.deleted = 0 ORDER BY kv.id LIMIT 500

-- statement: kine-02
-- fine
-- because: what changed since the last look: 200 rows by their key
-- run: 39800, '/registry/pods/%'

SELECT id, name, created, deleted, prev_revision, value FROM kine WHERE id > ? AND name LIKE ? ORDER BY id LIMIT 500

-- statement: kine-03
-- is: full-scan, index-not-covering, partial-index
-- because: 3 % have a lease; the table is read with its values

SELECT id, name, lease FROM kine WHERE lease > 0 AND deleted = 0 ORDER BY id

-- best
-- index: kine (id, name, lease) WHERE lease > 0 AND deleted = 0

-- or
-- index: kine (id) WHERE lease > 0 AND deleted = 0

-- statement: kine-04
-- is: index-not-covering, subquery-per-row
-- because: 60 names with 22,000 revisions: the newest one is looked for at each
-- run: '/registry/leases/', '/registry/leases0'

SELECT k.name, k.id, length(k.value) FROM kine k WHERE k.name >= ? AND k.name < ? AND k.deleted = 0
AND k.id = (SELECT max(x.id) FROM kine x WHERE x.name = k.name)

-- best

SELECT k.name, k.id, length(k.value) FROM kine k WHERE k.deleted = 0
AND k.id IN (SELECT max(x.id) FROM kine x WHERE x.name >= ? AND x.name < ? GROUP BY x.name)

-- statement: kine-05
-- is: full-scan, index-not-covering
-- because: the unique index begins with the name
-- run: 20000 | 33333

SELECT id, name FROM kine WHERE prev_revision = ?

-- best
-- index: kine (prev_revision)

-- statement: kine-06
-- fine
-- because: one entry of the unique index

SELECT max(prev_revision) FROM kine WHERE name = 'compact_rev_key'

-- statement: kine-07
-- is: full-scan, index-not-covering, pattern-without-index
-- because: the busiest names under a prefix that is written into the statement

SELECT name, count(*) AS revisions, max(id) FROM kine WHERE name LIKE '/registry/events/%' GROUP BY name ORDER BY revisions DESC, name LIMIT 20

-- best

SELECT name, count(*) AS revisions, max(id) FROM kine WHERE name GLOB '/registry/events/*' GROUP BY name ORDER BY revisions DESC, name LIMIT 20

-- or
-- index: kine (name COLLATE NOCASE)
