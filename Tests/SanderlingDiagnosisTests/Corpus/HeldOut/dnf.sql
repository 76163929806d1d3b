-- schema: dnf
-- about: What a package manager did on a machine in ten years: transactions, the packages in them, and what was printed.
-- origin: libdnf 0.7x, schema version 1.2 (LGPL-2.1-or-later, Copyright Red Hat, Inc.): ten of its tables with their indexes; most \
--   statements as it runs them
-- superfluous: redundant-index rpm_name

CREATE TABLE trans (
  id INTEGER PRIMARY KEY AUTOINCREMENT, dt_begin INTEGER NOT NULL, dt_end INTEGER, rpmdb_version_begin TEXT, rpmdb_version_end TEXT, \
releasever TEXT NOT NULL, user_id INTEGER NOT NULL, cmdline TEXT, state INTEGER NOT NULL, comment TEXT DEFAULT '');
CREATE TABLE repo (id INTEGER PRIMARY KEY, repoid TEXT NOT NULL);
CREATE TABLE console_output (id INTEGER PRIMARY KEY, trans_id INTEGER REFERENCES trans(id), file_descriptor INTEGER NOT NULL, line TEXT NOT NULL);
CREATE TABLE item (id INTEGER PRIMARY KEY, item_type INTEGER NOT NULL);
CREATE TABLE trans_item (
  id INTEGER PRIMARY KEY AUTOINCREMENT, trans_id INTEGER REFERENCES trans(id), item_id INTEGER REFERENCES item(id), repo_id INTEGER \
REFERENCES repo(id), action INTEGER NOT NULL, reason INTEGER NOT NULL, state INTEGER NOT NULL);
CREATE TABLE item_replaced_by (trans_item_id INTEGER REFERENCES trans_item(id), by_trans_item_id INTEGER REFERENCES trans_item(id), \
PRIMARY KEY (trans_item_id, by_trans_item_id));
CREATE TABLE rpm (
  item_id INTEGER UNIQUE NOT NULL, name TEXT NOT NULL, epoch INTEGER NOT NULL, version TEXT NOT NULL, release TEXT NOT NULL, arch TEXT NOT \
NULL, FOREIGN KEY(item_id) REFERENCES item(id),
  CONSTRAINT rpm_unique_nevra UNIQUE (name, epoch, version, release, arch));
CREATE TABLE comps_group (item_id INTEGER UNIQUE NOT NULL, groupid TEXT NOT NULL, name TEXT NOT NULL, translated_name TEXT NOT NULL, \
pkg_types INTEGER NOT NULL, FOREIGN KEY(item_id) REFERENCES item(id));
CREATE TABLE comps_group_package (
  id INTEGER PRIMARY KEY AUTOINCREMENT, group_id INTEGER NOT NULL, name TEXT NOT NULL, installed INTEGER NOT NULL, pkg_type INTEGER NOT \
NULL, FOREIGN KEY(group_id) REFERENCES comps_group(item_id),
  CONSTRAINT comps_group_package_unique_name UNIQUE (group_id, name));
CREATE INDEX rpm_name ON rpm(name);
CREATE INDEX trans_item_item_id ON trans_item(item_id);
CREATE TABLE config (key TEXT PRIMARY KEY, value TEXT NOT NULL);

INSERT INTO config VALUES ('version', '1.2');
INSERT INTO repo SELECT i, CASE i WHEN 1 THEN 'updates' WHEN 2 THEN 'fedora' WHEN 3 THEN '@System' ELSE 'copr:' || word(i) END FROM \
numbers WHERE i <= 45;
INSERT INTO trans
SELECT i, 1400000000 + i * 45000 + pick(1, i, 30000), 1400000300 + i * 45000 + pick(1, i, 30000), printf('%d:%040x', 1500 + i % 900, i * \
7919), printf('%d:%040x', 1500 + (i + 1) % 900, (i + 1) * 7919), CAST(21 + i / 400 AS TEXT), iif(chance(2, i) < 0.3, 0, 1000 + pick(3, i, \
3)),
  iif(chance(4, i) < 0.6, 'upgrade -y --refresh', 'install -y ' || word(skewed(5, i, 2500))), iif(chance(6, i) < 0.03, 2, 1), ''
FROM numbers WHERE i <= 7000;
INSERT INTO item SELECT i, iif(i <= 22000, 1, 2) FROM numbers WHERE i <= 22120;
INSERT OR IGNORE INTO rpm
SELECT i, word(iif(chance(26, i) < 0.4, skewed(7, i, 2500), pick(27, i, 2500))) || iif(i % 7 = 0, '-libs', ''), iif(chance(8, i) < 0.05, \
1, 0), (1 + i / 4000) || '.' || (i % 4000 / 90) || '.' || pick(9, i, 20), pick(10, i, 9) || '.fc' || (21 + i / 1300), iif(chance(11, i) < \
0.25, 'noarch', iif(chance(11, i) < 0.3, 'i686', 'x86_64'))
FROM numbers WHERE i <= 22000;
INSERT INTO trans_item
SELECT i, max(1, min(7000, i * 7000 / 48000 - iif(chance(12, i) < 0.5, 0, pick(13, i, 5)))), 1 + (i * 22000 / 48000 + pick(14, i, 900)) % \
22000, CASE WHEN chance(15, i) < 0.6 THEN 1 WHEN chance(15, i) < 0.75 THEN 2 WHEN chance(15, i) < 0.96 THEN 3 ELSE 3 + skewed(16, i, 37) \
END,
  CASE WHEN chance(17, i) < 0.4 THEN 6 WHEN chance(17, i) < 0.8 THEN 7 WHEN chance(17, i) < 0.95 THEN 1 WHEN chance(17, i) < 0.98 THEN 8 \
ELSE skewed(18, i, 10) END, CASE WHEN chance(19, i) < 0.8 THEN 1 WHEN chance(19, i) < 0.95 THEN 2 ELSE 3 END, 1
FROM numbers WHERE i <= 48000;
INSERT INTO console_output SELECT i, 1 + skewed(20, i, 6000) % 6900, 1 + i % 2, prose(21, i, 20 + pick(22, i, 120)) FROM numbers WHERE i <= 30000;
INSERT INTO item_replaced_by SELECT id, id + 1 + id % 3 FROM trans_item WHERE action = 7 AND id <= 47990;
INSERT INTO comps_group SELECT 22000 + i, word(i % 40), word(i % 40), title(23, i, 2), 3 FROM numbers WHERE i <= 120;
INSERT OR IGNORE INTO comps_group_package SELECT i, 22001 + i / 60 % 120, word(skewed(24, i, 2500)), chance(25, i) < 0.8, 2 FROM numbers \
WHERE i <= 7000;

-- statement: dnf-01
-- is: automatic-index, full-scan, join-order, missing-statistics
-- because: the packages of a transaction: what is indexed of their table is the package only
-- run: 4210 | 6999

SELECT ti.id, ti.action, ti.reason, ti.state, r.repoid, i.item_id, i.name, i.epoch, i.version, i.release, i.arch FROM trans_item ti, repo \
r, rpm i WHERE ti.trans_id = ? AND ti.repo_id = r.id AND ti.item_id = i.item_id

-- best
-- index: trans_item (trans_id)

-- statement: dnf-02
-- fine
-- tolerated: sort-without-index
-- because: where a package came from last: the unique key, then its few transactions
-- run: 'bacegu', 1, '3.6.4', '1.fc27', 'noarch'

SELECT ti.trans_id, ti.id, ti.action, ti.reason, ti.state, r.repoid, i.item_id FROM trans_item ti, repo r, rpm i WHERE ti.repo_id = r.id \
AND ti.item_id = i.item_id
AND i.name = ? AND i.epoch = ? AND i.version = ? AND i.release = ? AND i.arch = ? ORDER BY ti.id DESC LIMIT 1

-- statement: dnf-03
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: why a package is there: its versions by name, and each one's transactions
-- run: 'bacegu', 'x86_64'

SELECT ti.action as action, ti.reason as reason FROM trans_item ti JOIN trans t ON ti.trans_id = t.id JOIN rpm i USING (item_id)
WHERE t.state = 1 AND ti.action not in (3, 5, 7, 10) AND i.name = ? AND i.arch = ? ORDER BY ti.trans_id DESC LIMIT 1

-- statement: dnf-04
-- is: distinct-without-index, full-scan, join-fan-out, join-order, or-without-index, sort-without-index
-- because: the transactions with a package: nothing joins them to it, so that each transaction comes with every row
-- run: 'mupegu' | '1.7.3'

SELECT DISTINCT t.id FROM trans t, trans_item ti, rpm i WHERE t.state = 1 AND ti.item_id = i.item_id
AND (i.name = ?1 OR i.epoch = ?1 OR i.version = ?1 OR i.release = ?1 OR i.arch = ?1) ORDER BY trans_id DESC

-- best
-- changes results

SELECT DISTINCT t.id FROM rpm i CROSS JOIN trans_item ti CROSS JOIN trans t WHERE t.state = 1 AND ti.trans_id = t.id AND ti.item_id = i.item_id
AND (i.name = ?1 OR i.epoch = ?1 OR i.version = ?1 OR i.release = ?1 OR i.arch = ?1) ORDER BY trans_id DESC

-- statement: dnf-05
-- is: full-scan
-- because: what a transaction printed
-- run: 40 | 3012

SELECT file_descriptor, line FROM console_output WHERE trans_id = ? ORDER BY id

-- best
-- index: console_output (trans_id)

-- statement: dnf-06
-- is: full-scan, join-order, missing-statistics
-- because: the groups with a package: each of them is asked, as the key begins with the group
-- run: 'loce'

SELECT DISTINCT g.groupid FROM comps_group g JOIN comps_group_package p ON p.group_id = g.item_id WHERE p.name = ? AND p.installed = 1 \
ORDER BY g.groupid

-- best
-- index: comps_group_package (name)

-- or
-- index: comps_group_package (name, installed)

-- or
-- index: comps_group_package (name, installed, group_id)

-- statement: dnf-07
-- is: foreign-key-without-index
-- because: a repository that nothing came from: to know that, all packages of all transactions are read
-- run: 43 | 44

DELETE FROM repo WHERE id = ?

-- best
-- index: trans_item (repo_id)

-- statement: dnf-08
-- is: index-not-covering, subquery-per-row
-- because: packages that the user asked for, by what happened to them last: all versions of each are looked up for every row

SELECT i.name, i.arch, ti.action FROM rpm i JOIN trans_item ti ON ti.item_id = i.item_id
WHERE ti.reason = 2 AND ti.id = (SELECT max(t2.id) FROM trans_item t2 JOIN rpm r2 ON r2.item_id = t2.item_id WHERE r2.name = i.name AND \
r2.arch = i.arch) ORDER BY i.name, i.arch

-- best

SELECT name, arch, action FROM (SELECT i.name, i.arch, ti.action, ti.reason, max(ti.id) FROM trans_item ti JOIN rpm i ON i.item_id = \
ti.item_id GROUP BY i.name, i.arch) WHERE reason = 2 ORDER BY name, arch

-- statement: dnf-09
-- is: expression-index, full-scan, function-on-column
-- because: two weeks of transactions: the time of each is made readable first
-- run: '2018-03-01 00:00:00', '2018-03-14 23:59:59'

SELECT id, user_id, cmdline FROM trans WHERE datetime(dt_begin, 'unixepoch') BETWEEN ? AND ? ORDER BY dt_begin

-- best
-- index: trans (dt_begin)

SELECT id, user_id, cmdline FROM trans WHERE dt_begin BETWEEN unixepoch(?) AND unixepoch(?) ORDER BY dt_begin

-- or
-- index: trans (datetime(dt_begin, 'unixepoch'))

-- statement: dnf-10
-- is: automatic-index, distinct-without-index, full-scan, join-order, missing-statistics, sort-without-index
-- because: what came from a small repository
-- run: 'copr:soha' | 'copr:fogu'

SELECT DISTINCT i.name, i.arch FROM repo r JOIN trans_item ti ON ti.repo_id = r.id JOIN rpm i ON i.item_id = ti.item_id WHERE r.repoid = ? \
AND ti.action IN (1, 6) ORDER BY i.name, i.arch

-- best
-- index: trans_item (repo_id, action)

SELECT DISTINCT i.name, i.arch FROM trans_item ti JOIN rpm i ON i.item_id = ti.item_id WHERE ti.repo_id IN (SELECT id FROM repo WHERE \
repoid = ?) AND ti.action IN (1, 6) ORDER BY i.name, i.arch

-- or
-- index: trans_item (repo_id)
-- change: ANALYZE

-- or
-- index: trans_item (repo_id, action)
-- change: ANALYZE

-- or
-- index: trans_item (repo_id)
-- index: repo (repoid)

-- statement: dnf-11
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: packages by the beginning of their name: LIKE ignores case, the indexes of names don't
-- run: 'mupe%' | 'flo%'

SELECT DISTINCT name FROM rpm WHERE name LIKE ? ORDER BY name

-- best
-- index: rpm (name COLLATE NOCASE)

-- statement: dnf-12
-- fine
-- because: the same by GLOB, which the index of names serves

SELECT DISTINCT name FROM rpm WHERE name GLOB 'mupe*' ORDER BY name

-- statement: dnf-13
-- is: automatic-index, full-scan, join-order, missing-statistics
-- because: what a package took the place of: the key begins with the other side
-- run: 20010 | 20014 | 40003

SELECT ti.id, i.name, i.version FROM item_replaced_by r JOIN trans_item ti ON ti.id = r.trans_item_id JOIN rpm i ON i.item_id = ti.item_id \
WHERE r.by_trans_item_id = ?

-- best
-- index: item_replaced_by (by_trans_item_id)

-- or
-- index: item_replaced_by (by_trans_item_id, trans_item_id)

-- statement: dnf-14
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: another update of a package, whose versions are found by name
-- run: 7000, 1, 'mupegu', 'x86_64'

INSERT INTO trans_item (trans_id, item_id, repo_id, action, reason, state) SELECT ?, item_id, ?, 6, 1, 1 FROM rpm WHERE name = ? AND arch \
= ? ORDER BY item_id DESC LIMIT 1

-- statement: dnf-15
-- fine
-- tolerated: distinct-without-index, index-not-covering
-- because: for which machines there were packages of a name: few rows, by its index
-- run: 'mupegu'

SELECT DISTINCT arch FROM rpm WHERE name = ?

-- statement: dnf-16
-- fine
-- tolerated: index-not-covering
-- because: the packages of a group: most of them are installed, and there are fifty
-- run: 22002

SELECT p.name FROM comps_group_package p WHERE p.group_id = ? AND p.installed = 1
