-- schema: pkg
-- about: What is installed on a machine: packages with long descriptions, what they need, and all their files by path.
-- origin: FreeBSD pkg 2 (BSD-2-Clause, Copyright 2010-2019 its authors): fifteen of its tables with their indexes and its view
-- superfluous: redundant-index pkg_requires_package_id

CREATE TABLE packages (
  id INTEGER PRIMARY KEY, origin TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, comment TEXT NOT NULL, desc TEXT NOT NULL, \
mtree_id INTEGER, message TEXT, arch TEXT NOT NULL,
  maintainer TEXT NOT NULL, www TEXT, prefix TEXT NOT NULL, flatsize INTEGER NOT NULL, automatic INTEGER NOT NULL, locked INTEGER NOT NULL \
DEFAULT 0, licenselogic INTEGER NOT NULL, time INTEGER,
  manifestdigest TEXT NULL, pkg_format_version INTEGER, dep_formula TEXT NULL, vital INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX packages_unique ON packages(name);
CREATE TABLE deps (
  origin TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE UNIQUE INDEX deps_unique ON deps(name, version, package_id);
CREATE TABLE files (
  path TEXT PRIMARY KEY, sha256 TEXT, uname TEXT, gname TEXT, perm INTEGER, fflags INTEGER, mtime INTEGER, symlink_target TEXT,
  package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE pkg_categories (
  package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE, category_id INTEGER REFERENCES categories(id) ON DELETE \
RESTRICT ON UPDATE RESTRICT,
  PRIMARY KEY (package_id, category_id));
CREATE TABLE licenses (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE pkg_licenses (
  package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE, license_id INTEGER REFERENCES licenses(id) ON DELETE \
RESTRICT ON UPDATE RESTRICT,
  PRIMARY KEY (package_id, license_id));
CREATE TABLE shlibs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE pkg_shlibs_required (
  package_id INTEGER NOT NULL REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE, shlib_id INTEGER NOT NULL REFERENCES shlibs(id) \
ON DELETE RESTRICT ON UPDATE RESTRICT,
  UNIQUE (package_id, shlib_id));
CREATE TABLE pkg_shlibs_provided (
  package_id INTEGER NOT NULL REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE, shlib_id INTEGER NOT NULL REFERENCES shlibs(id) \
ON DELETE RESTRICT ON UPDATE RESTRICT,
  UNIQUE (package_id, shlib_id));
CREATE TABLE annotation (annotation_id INTEGER PRIMARY KEY, annotation TEXT NOT NULL UNIQUE);
CREATE TABLE pkg_annotation (
  package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE ON UPDATE RESTRICT, tag_id INTEGER NOT NULL REFERENCES \
annotation(annotation_id) ON DELETE CASCADE ON UPDATE RESTRICT,
  value_id INTEGER NOT NULL REFERENCES annotation(annotation_id) ON DELETE CASCADE ON UPDATE RESTRICT, UNIQUE (package_id, tag_id));
CREATE TABLE requires (id INTEGER PRIMARY KEY, require TEXT NOT NULL);
CREATE TABLE pkg_requires (
  package_id INTEGER NOT NULL REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE, require_id INTEGER NOT NULL REFERENCES \
requires(id) ON DELETE RESTRICT ON UPDATE RESTRICT,
  UNIQUE (package_id, require_id));
CREATE TABLE config_files (path TEXT NOT NULL UNIQUE, content TEXT, package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX deporigini on deps(origin);
CREATE INDEX deps_package_id ON deps (package_id);
CREATE INDEX files_package_id ON files (package_id);
CREATE INDEX pkg_digest_id ON packages(origin, manifestdigest);
CREATE INDEX packages_origin ON packages(origin COLLATE NOCASE);
CREATE INDEX packages_name ON packages(name COLLATE NOCASE);
CREATE INDEX pkg_shlibs_required_shlib_id ON pkg_shlibs_required(shlib_id);
CREATE INDEX pkg_shlibs_provided_shlib_id ON pkg_shlibs_provided(shlib_id);
CREATE VIEW flavors AS
  SELECT package_id, value.annotation AS flavor FROM pkg_annotation LEFT JOIN annotation tag ON pkg_annotation.tag_id = tag.annotation_id
  LEFT JOIN annotation value ON pkg_annotation.value_id = value.annotation_id WHERE tag.annotation = 'flavor';
CREATE INDEX requires_require ON requires(require);
CREATE INDEX pkg_requires_require_id ON pkg_requires(require_id);
CREATE INDEX pkg_requires_package_id ON pkg_requires(package_id);
CREATE INDEX config_files_package_id ON config_files(package_id);

INSERT INTO packages
SELECT i, word(skewed(1, i, 40)) || '/' || word(i), word(i), pick(2, i, 9) || '.' || pick(3, i, 20) || '_' || pick(4, i, 4), title(5, i, \
6), prose(6, i, 400 + pick(7, i, 1400)), NULL,
  iif(chance(8, i) < 0.2, prose(9, i, 600), NULL), 'freebsd:14:x86:64', iif(chance(10, i) < 0.3, 'ports@FreeBSD.org', iif(chance(11, i) < \
0.1, upper(word(skewed(12, i, 300))), word(skewed(12, i, 300))) || '@FreeBSD.org'),
  'https://example.org/' || word(i), '/usr/local', 2000 * skewed(13, i, 200000), chance(14, i) < 0.85, 0, 1, 1690000000 + pick(15, i, \
30000000), printf('%064x', i * 7919), 1, NULL, 0
FROM numbers WHERE i <= 3000;
INSERT OR IGNORE INTO deps SELECT p.origin, p.name, p.version, 1 + i % 3000 FROM numbers JOIN packages p ON p.id = skewed(16, i, 3000) \
WHERE i <= 24000;
INSERT INTO files
SELECT '/usr/local/' || CASE WHEN chance(17, i) < 0.3 THEN 'share/' WHEN chance(17, i) < 0.6 THEN 'lib/' WHEN chance(17, i) < 0.9 THEN \
'include/' ELSE 'bin/' END || word(skewed(18, i / 20, 3000)) || '/' || word(i),
  iif(chance(19, i) < 0.1, NULL, printf('1$%064x', iif(chance(20, i) < 0.02, skewed(21, i, 300), i * 7919))), 'root', 'wheel', \
iif(chance(22, i) < 0.0008, 2541, iif(chance(17, i) < 0.9, 420, 493)), 0,
  1690000000 + pick(23, i / 20, 30000000), iif(chance(19, i) < 0.1, word(i) || '.1', NULL), skewed(18, i / 20, 3000)
FROM numbers WHERE i <= 60000;
INSERT INTO categories SELECT i, word(i) FROM numbers WHERE i <= 60;
INSERT OR IGNORE INTO pkg_categories SELECT 1 + i % 3000, skewed(24, i, 60) FROM numbers WHERE i <= 5000;
INSERT INTO licenses SELECT i, word(i) FROM numbers WHERE i <= 50;
INSERT OR IGNORE INTO pkg_licenses SELECT 1 + i % 3000, skewed(25, i, 50) FROM numbers WHERE i <= 3600;
INSERT INTO shlibs SELECT i, 'lib' || word(i) || '.so.' || pick(26, i, 9) FROM numbers WHERE i <= 2500;
INSERT OR IGNORE INTO pkg_shlibs_required SELECT pick(27, i, 3000), skewed(28, i, 2500) FROM numbers WHERE i <= 20000;
INSERT OR IGNORE INTO pkg_shlibs_provided SELECT pick(29, i, 3000), i FROM numbers WHERE i <= 2400;
INSERT INTO annotation SELECT i, CASE i WHEN 1 THEN 'flavor' WHEN 2 THEN 'repository' WHEN 3 THEN 'repo_type' WHEN 4 THEN 'built_by' WHEN \
5 THEN 'port_git_hash' ELSE word(i) || i END FROM numbers WHERE i <= 660;
INSERT INTO pkg_annotation SELECT 1 + i % 3000, 2 + i / 3000, iif(i / 3000 < 3, 10 + i / 3000, 20 + pick(30, i, 600)) FROM numbers WHERE i < 12000;
INSERT INTO pkg_annotation SELECT i * 4, 1, 13 + pick(31, i, 7) FROM numbers WHERE i <= 700;
INSERT INTO requires SELECT i, word(i) FROM numbers WHERE i <= 40;
INSERT OR IGNORE INTO pkg_requires SELECT pick(32, i, 3000), skewed(33, i, 40) FROM numbers WHERE i <= 900;
INSERT INTO config_files SELECT '/usr/local/etc/' || word(i) || '.conf', prose(34, i, 900), pick(35, i, 3000) FROM numbers WHERE i <= 900;

-- statement: pkg-01
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column, or-without-index
-- because: a package by its name, with or without its version: one side of the OR is an expression
-- run: 'Drice' | 'noxi-3.17_1'

SELECT DISTINCT p.id, origin, p.name, version, comment, flatsize FROM packages AS p
LEFT JOIN pkg_categories ON p.id = pkg_categories.package_id LEFT JOIN categories ON categories.id = pkg_categories.category_id
WHERE (p.name = ?1 COLLATE NOCASE OR p.name || '-' || version = ?1 COLLATE NOCASE) ORDER BY p.name

-- best
-- index: packages ((name || '-' || version) COLLATE NOCASE)

-- statement: pkg-02
-- is: foreign-key-without-index, full-scan
-- because: notes that nothing has: each that goes is looked for in two columns without an index

DELETE FROM annotation WHERE annotation_id NOT IN (SELECT tag_id FROM pkg_annotation) AND annotation_id NOT IN (SELECT value_id FROM pkg_annotation)

-- best
-- index: pkg_annotation (tag_id)
-- index: pkg_annotation (value_id)

-- statement: pkg-03
-- is: full-scan, index-not-covering, sort-without-index, subquery-per-row
-- because: what nothing needs any more: each long description is passed

SELECT p.name, p.origin, p.version FROM packages AS p WHERE p.automatic = 1 AND p.vital = 0 AND NOT EXISTS (SELECT 1 FROM deps AS d WHERE \
d.name = p.name) ORDER BY p.name

-- best
-- index: packages (automatic, vital, name, origin, version)

SELECT p.name, p.origin, p.version FROM packages AS p WHERE p.automatic = 1 AND p.vital = 0 AND p.name NOT IN (SELECT name FROM deps) ORDER BY p.name

-- or
-- index: packages (automatic, vital, name, origin, version)

-- or

SELECT p.name, p.origin, p.version FROM packages AS p WHERE p.automatic = 1 AND p.vital = 0 AND p.name NOT IN (SELECT name FROM deps) ORDER BY p.name

-- statement: pkg-04
-- is: full-scan, sort-without-index
-- because: the largest packages: all are sorted

SELECT name, version, flatsize FROM packages ORDER BY flatsize DESC LIMIT 10

-- best
-- index: packages (flatsize)

-- or
-- index: packages (flatsize DESC)

-- statement: pkg-05
-- is: case-insensitive-without-index, full-scan, index-not-covering, sort-without-index
-- because: what somebody looks after, whatever the case of the address
-- run: 'gudi@freebsd.org' | 'yodi@FreeBSD.org'

SELECT name, version, comment FROM packages WHERE maintainer = ? COLLATE NOCASE ORDER BY name

-- best
-- index: packages (maintainer COLLATE NOCASE)

-- or
-- index: packages (maintainer COLLATE NOCASE, name)

-- statement: pkg-06
-- is: full-scan
-- because: files with the content of another: only paths have an index
-- run: '/usr/local/include/gudridi/zuki' | '/usr/local/include/loce/tugru'

SELECT path, package_id FROM files WHERE sha256 = (SELECT sha256 FROM files WHERE path = ?1) AND path <> ?1 ORDER BY path

-- best
-- index: files (sha256, path, package_id)

-- or
-- index: files (sha256)

-- or
-- index: files (sha256, path)

-- statement: pkg-07
-- is: full-scan, group-without-index, index-not-covering, join-order, missing-statistics
-- because: packages with new files: the files of all packages are read
-- run: 1719800000 | 1719990000

SELECT p.name, count(*) AS n FROM files AS f JOIN packages AS p ON p.id = f.package_id WHERE f.mtime > ? GROUP BY p.id ORDER BY n DESC, p.name

-- best
-- index: files (mtime, package_id)

-- or
-- index: files (mtime)

-- statement: pkg-08
-- is: expression-index, full-scan, function-on-column, index-not-covering, partial-index
-- because: files that run as somebody else, a few of all

SELECT path, perm, uname FROM files WHERE perm & 3072 <> 0 ORDER BY path

-- best
-- index: files (path) WHERE perm & 3072 <> 0

-- statement: pkg-09
-- fine
-- tolerated: group-without-index, index-not-covering
-- because: whose files these are, by the beginning of their path
-- run: '/usr/local/bin/brashuce/*'

SELECT p.id, p.origin, p.name, p.version FROM packages AS p INNER JOIN files AS f ON p.id = f.package_id WHERE f.path GLOB ?1 GROUP BY p.id

-- statement: pkg-10
-- fine
-- because: all tables that go with a package have an index for it
-- run: 700

DELETE FROM packages WHERE id = ?

-- statement: pkg-11
-- fine
-- because: all that needs a package, by the unique key of what is needed
-- run: 'pedi'

WITH RECURSIVE need (id) AS (
  SELECT id FROM packages WHERE name = ?1 UNION SELECT d.package_id FROM need JOIN packages AS p ON p.id = need.id JOIN deps AS d ON d.name = p.name)
SELECT count(*) FROM need

-- statement: pkg-12
-- fine
-- tolerated: sort-without-index
-- because: libraries that nothing provides: both sides have an index of libraries

SELECT s.name, count(*) AS n FROM shlibs AS s JOIN pkg_shlibs_required AS r ON r.shlib_id = s.id
WHERE NOT EXISTS (SELECT 1 FROM pkg_shlibs_provided AS p WHERE p.shlib_id = s.id) GROUP BY s.id ORDER BY n DESC, s.name

-- statement: pkg-13
-- is: full-scan, index-not-covering, join-order, missing-statistics
-- because: packages of a category with a license: each package of all is asked for both
-- run: 'zuki', 'vace' | 'clefo', 'loce'

SELECT p.name, p.version FROM packages AS p JOIN pkg_categories AS pc ON pc.package_id = p.id JOIN categories AS c ON c.id = pc.category_id
JOIN pkg_licenses AS pl ON pl.package_id = p.id JOIN licenses AS l ON l.id = pl.license_id WHERE c.name = ? AND l.name = ? ORDER BY p.name

-- best
-- index: pkg_categories (category_id, package_id)

-- or
-- index: pkg_categories (category_id)

-- or
-- index: pkg_categories (category_id)
-- index: pkg_licenses (license_id)
