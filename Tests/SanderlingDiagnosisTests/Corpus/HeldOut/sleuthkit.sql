-- schema: sleuthkit
-- about: A case of digital forensics: all files of the images, what was found in them, and the times at which something happened.
-- origin: The Sleuth Kit 4.12 (Apache-2.0, Copyright Basis Technology Corp.): eighteen of the tables of its case database with their \
--   indexes
-- superfluous: duplicate-index artifact_artifact_objID
-- superfluous: redundant-index relationships_account1

CREATE TABLE tsk_objects (obj_id INTEGER PRIMARY KEY, par_obj_id INTEGER, type INTEGER NOT NULL, FOREIGN KEY (par_obj_id) REFERENCES \
tsk_objects (obj_id) ON DELETE CASCADE);
CREATE TABLE tsk_hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, status INTEGER DEFAULT 0, UNIQUE (name));
CREATE TABLE data_source_info (obj_id INTEGER PRIMARY KEY, device_id TEXT NOT NULL, time_zone TEXT NOT NULL, host_id INTEGER NOT NULL, \
FOREIGN KEY (host_id) REFERENCES tsk_hosts (id), FOREIGN KEY (obj_id) REFERENCES tsk_objects (obj_id) ON DELETE CASCADE);
CREATE TABLE tsk_os_accounts (
  os_account_obj_id INTEGER PRIMARY KEY, login_name TEXT DEFAULT NULL, full_name TEXT DEFAULT NULL, realm_id INTEGER, unique_id TEXT \
DEFAULT NULL, signature TEXT NOT NULL, status INTEGER, admin INTEGER DEFAULT 0, type INTEGER, created_date INTEGER DEFAULT NULL,
  UNIQUE (signature), FOREIGN KEY (os_account_obj_id) REFERENCES tsk_objects (obj_id) ON DELETE CASCADE);
CREATE TABLE tsk_files (
  obj_id INTEGER PRIMARY KEY, fs_obj_id INTEGER, data_source_obj_id INTEGER NOT NULL, attr_type INTEGER, attr_id INTEGER, name TEXT NOT \
NULL, meta_addr INTEGER, meta_seq INTEGER, type INTEGER, has_layout INTEGER, has_path INTEGER, dir_type INTEGER,
  meta_type INTEGER, dir_flags INTEGER, meta_flags INTEGER, size INTEGER, ctime INTEGER, crtime INTEGER, atime INTEGER, mtime INTEGER, \
mode INTEGER, uid INTEGER, gid INTEGER, md5 TEXT, sha256 TEXT, known INTEGER, parent_path TEXT, mime_type TEXT, extension TEXT,
  owner_uid TEXT DEFAULT NULL, os_account_obj_id INTEGER DEFAULT NULL, FOREIGN KEY (obj_id) REFERENCES tsk_objects (obj_id) ON DELETE \
CASCADE, FOREIGN KEY (data_source_obj_id) REFERENCES data_source_info (obj_id) ON DELETE CASCADE,
  FOREIGN KEY (os_account_obj_id) REFERENCES tsk_os_accounts (os_account_obj_id) ON DELETE CASCADE);
CREATE TABLE blackboard_artifact_types (artifact_type_id INTEGER PRIMARY KEY, type_name TEXT NOT NULL, display_name TEXT, category_type \
INTEGER DEFAULT 0);
CREATE TABLE blackboard_attribute_types (attribute_type_id INTEGER PRIMARY KEY, type_name TEXT NOT NULL, display_name TEXT, value_type \
INTEGER NOT NULL);
CREATE TABLE blackboard_artifacts (
  artifact_id INTEGER PRIMARY KEY, obj_id INTEGER NOT NULL, artifact_obj_id INTEGER NOT NULL, data_source_obj_id INTEGER NOT NULL, \
artifact_type_id INTEGER NOT NULL, review_status_id INTEGER NOT NULL, UNIQUE (artifact_obj_id),
  FOREIGN KEY (obj_id) REFERENCES tsk_objects (obj_id) ON DELETE CASCADE, FOREIGN KEY (artifact_type_id) REFERENCES \
blackboard_artifact_types (artifact_type_id));
CREATE TABLE blackboard_attributes (
  artifact_id INTEGER NOT NULL, artifact_type_id INTEGER NOT NULL, source TEXT, context TEXT, attribute_type_id INTEGER NOT NULL, \
value_type INTEGER NOT NULL, value_byte BLOB, value_text TEXT, value_int32 INTEGER, value_int64 INTEGER, value_double NUMERIC(20, 10),
  FOREIGN KEY (artifact_id) REFERENCES blackboard_artifacts (artifact_id) ON DELETE CASCADE, FOREIGN KEY (attribute_type_id) REFERENCES \
blackboard_attribute_types (attribute_type_id));
CREATE TABLE tsk_aggregate_score (obj_id INTEGER PRIMARY KEY, data_source_obj_id INTEGER NOT NULL, significance INTEGER NOT NULL, \
confidence INTEGER NOT NULL, FOREIGN KEY (obj_id) REFERENCES tsk_objects (obj_id) ON DELETE CASCADE);
CREATE TABLE tag_names (tag_name_id INTEGER PRIMARY KEY, display_name TEXT UNIQUE, description TEXT NOT NULL, color TEXT NOT NULL, \
knownStatus INTEGER NOT NULL, tag_set_id INTEGER, rank INTEGER);
CREATE TABLE content_tags (tag_id INTEGER PRIMARY KEY, obj_id INTEGER NOT NULL, tag_name_id INTEGER NOT NULL, comment TEXT NOT NULL, \
begin_byte_offset INTEGER NOT NULL, end_byte_offset INTEGER NOT NULL, examiner_id INTEGER,
  FOREIGN KEY (obj_id) REFERENCES tsk_objects (obj_id) ON DELETE CASCADE, FOREIGN KEY (tag_name_id) REFERENCES tag_names (tag_name_id) ON \
DELETE CASCADE);
CREATE TABLE blackboard_artifact_tags (tag_id INTEGER PRIMARY KEY, artifact_id INTEGER NOT NULL, tag_name_id INTEGER NOT NULL, comment \
TEXT NOT NULL, examiner_id INTEGER,
  FOREIGN KEY (artifact_id) REFERENCES blackboard_artifacts (artifact_id) ON DELETE CASCADE, FOREIGN KEY (tag_name_id) REFERENCES \
tag_names (tag_name_id) ON DELETE CASCADE);
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, account_type_id INTEGER NOT NULL, account_unique_identifier TEXT NOT NULL, UNIQUE \
(account_type_id, account_unique_identifier));
CREATE TABLE account_relationships (
  relationship_id INTEGER PRIMARY KEY, account1_id INTEGER NOT NULL, account2_id INTEGER NOT NULL, relationship_source_obj_id INTEGER NOT \
NULL, date_time INTEGER, relationship_type INTEGER NOT NULL, data_source_obj_id INTEGER NOT NULL,
  UNIQUE (account1_id, account2_id, relationship_source_obj_id), FOREIGN KEY (account1_id) REFERENCES accounts (account_id), FOREIGN KEY \
(account2_id) REFERENCES accounts (account_id));
CREATE TABLE tsk_event_types (event_type_id INTEGER PRIMARY KEY, display_name TEXT UNIQUE NOT NULL, super_type_id INTEGER REFERENCES \
tsk_event_types (event_type_id));
CREATE TABLE tsk_event_descriptions (
  event_description_id INTEGER PRIMARY KEY, full_description TEXT NOT NULL, med_description TEXT, short_description TEXT, \
data_source_obj_id INTEGER NOT NULL, content_obj_id INTEGER NOT NULL, artifact_id INTEGER, hash_hit INTEGER NOT NULL, tagged INTEGER NOT \
NULL,
  FOREIGN KEY (content_obj_id) REFERENCES tsk_objects (obj_id) ON DELETE CASCADE, FOREIGN KEY (artifact_id) REFERENCES \
blackboard_artifacts (artifact_id) ON DELETE CASCADE, UNIQUE (full_description, content_obj_id, artifact_id));
CREATE TABLE tsk_events (
  event_id INTEGER PRIMARY KEY, event_type_id INTEGER NOT NULL REFERENCES tsk_event_types (event_type_id), event_description_id INTEGER \
NOT NULL REFERENCES tsk_event_descriptions (event_description_id) ON DELETE CASCADE, time INTEGER NOT NULL,
  UNIQUE (event_type_id, event_description_id, time));
CREATE INDEX parObjId ON tsk_objects (par_obj_id);
CREATE INDEX artifact_objID ON blackboard_artifacts (obj_id);
CREATE INDEX artifact_artifact_objID ON blackboard_artifacts (artifact_obj_id);
CREATE INDEX artifact_typeID ON blackboard_artifacts (artifact_type_id);
CREATE INDEX attrsArtifactID ON blackboard_attributes (artifact_id);
CREATE INDEX mime_type ON tsk_files (dir_type, mime_type, type);
CREATE INDEX file_extension ON tsk_files (extension);
CREATE INDEX relationships_account1 ON account_relationships (account1_id);
CREATE INDEX relationships_account2 ON account_relationships (account2_id);
CREATE INDEX relationships_date_time ON account_relationships (date_time);
CREATE INDEX events_content_obj_id ON tsk_event_descriptions (content_obj_id);
CREATE INDEX events_artifact_id ON tsk_event_descriptions (artifact_id);
CREATE INDEX events_sub_type_time ON tsk_events (event_type_id, time);
CREATE INDEX events_time ON tsk_events (time);
CREATE INDEX score_significance_confidence ON tsk_aggregate_score (significance, confidence);

INSERT INTO tsk_hosts SELECT i, 'pc' || i, 0 FROM numbers WHERE i <= 3;
INSERT INTO tsk_objects SELECT i, NULL, 0 FROM numbers WHERE i <= 3;
INSERT INTO data_source_info SELECT i, 'dev' || i, 'Europe/Berlin', i FROM numbers WHERE i <= 3;
INSERT INTO tsk_objects SELECT 3 + i, NULL, 7 FROM numbers WHERE i <= 97;
INSERT INTO tsk_os_accounts SELECT 3 + i, word(i), title(1, i, 2), 1, 'S-1-5-21-' || (i * 7919), '1_S-1-5-21-' || (i * 7919), 0, i % 10 = \
0, 1, 1500000000 + i * 9000 FROM numbers WHERE i <= 97;
INSERT INTO tsk_objects SELECT 100 + i, CASE WHEN i <= 3 THEN i WHEN i <= 40 THEN 100 + 1 + i % 3 WHEN i <= 4000 THEN 100 + 3 + (i - 3) / \
5 ELSE 100 + 40 + iif(chance(2, i) < 0.5, skewed(3, i, 3950), pick(4, i, 3950)) END, 4 FROM numbers WHERE i <= 40000;
INSERT INTO tsk_files (obj_id, fs_obj_id, data_source_obj_id, attr_type, attr_id, name, meta_addr, meta_seq, type, has_layout, has_path, \
dir_type, meta_type, dir_flags, meta_flags, size, ctime, crtime, atime, mtime, mode, uid, gid, md5, sha256, known, parent_path, mime_type, \
extension, owner_uid, os_account_obj_id)
SELECT 100 + i, NULL, 1 + i % 3, 128, 1, iif(i <= 4000, word(i), iif(chance(5, i) < 0.3, upper(substr(word(skewed(6, i, 9000)), 1, 1)) || \
substr(word(skewed(6, i, 9000)), 2), word(skewed(6, i, 9000))) || '.' || CASE skewed(7, i, 12) WHEN 1 THEN 'dll' WHEN 2 THEN 'jpg' WHEN 3 \
THEN 'exe' WHEN 4 THEN 'txt' WHEN 5 THEN 'JPG' WHEN 6 THEN 'pdf' ELSE 'dat' END),
  i, 1, 0, 0, 0, iif(i <= 4000, 3, 5), iif(i <= 4000, 2, 1), iif(chance(8, i) < 0.1, 2, 1), 1, iif(i <= 4000, 0, skewed(9, i, 300000000)), \
1400000000 + pick(10, i, 200000000), 1400000000 + pick(11, i, 200000000), 1500000000 + pick(12, i, 100000000), 1400000000 + pick(13, i, \
200000000), 511, 0, 0,
  iif(i <= 4000 OR chance(14, i) < 0.01, NULL, printf('%032x', iif(chance(15, i) < 0.2, skewed(16, i, 4000), i) * 104729)), NULL, CASE \
WHEN chance(17, i) < 0.5 THEN 1 WHEN chance(17, i) < 0.505 THEN 2 WHEN chance(17, i) < 0.8 THEN 0 ELSE NULL END,
  '/' || CASE skewed(18, i, 5) WHEN 1 THEN 'Windows' WHEN 2 THEN 'Program Files' WHEN 3 THEN 'Users' WHEN 4 THEN 'ProgramData' ELSE \
'$OrphanFiles' END || '/' || word(skewed(19, i, 60)) || '/' || word(skewed(20, i, 400)) || '/',
  iif(i <= 4000, NULL, iif(chance(21, i) < 0.04, NULL, CASE skewed(7, i, 12) WHEN 1 THEN 'application/x-msdownload' WHEN 2 THEN \
'image/jpeg' WHEN 3 THEN 'application/x-dosexec' WHEN 4 THEN 'text/plain' WHEN 5 THEN 'image/jpeg' WHEN 6 THEN 'application/pdf' ELSE \
'application/octet-stream' END)),
  iif(i <= 4000, '', CASE skewed(7, i, 12) WHEN 1 THEN 'dll' WHEN 2 THEN 'jpg' WHEN 3 THEN 'exe' WHEN 4 THEN 'txt' WHEN 5 THEN 'jpg' WHEN \
6 THEN 'pdf' ELSE 'dat' END), NULL, iif(chance(22, i) < 0.7, 3 + skewed(23, i, 60), NULL)
FROM numbers WHERE i <= 40000;
INSERT INTO blackboard_artifact_types SELECT i, 'TSK_' || upper(word(i)), word(i), i % 2 FROM numbers WHERE i <= 60;
INSERT INTO blackboard_attribute_types SELECT i, 'TSK_' || upper(word(i)), word(i), 0 FROM numbers WHERE i <= 140;
INSERT INTO tsk_objects SELECT 50000 + i, 100 + iif(chance(24, i) < 0.7, 4000 + skewed(25, i, 3000), 4000 + pick(26, i, 36000)), 5 FROM \
numbers WHERE i <= 22000;
INSERT INTO blackboard_artifacts SELECT obj_id - 50000, par_obj_id, obj_id, 1 + par_obj_id % 3, skewed(27, obj_id, 60), iif(chance(28, \
obj_id) < 0.95, 1, 2) FROM tsk_objects WHERE obj_id > 50000;
INSERT INTO blackboard_attributes
SELECT a.artifact_id, a.artifact_type_id, 'Recent Activity', '', CASE n.i WHEN 1 THEN 1 WHEN 2 THEN 33 WHEN 3 THEN 2 ELSE skewed(29, \
a.artifact_id * 9 + n.i, 140) END, iif(n.i = 2, 5, 0), NULL,
  CASE n.i WHEN 1 THEN 'https://' || word(skewed(30, a.artifact_id, 3000)) || '.example/' || word(pick(31, a.artifact_id, 9000)) WHEN 2 \
THEN NULL WHEN 3 THEN word(skewed(32, a.artifact_id, 400)) || '.example' ELSE prose(33, a.artifact_id * 9 + n.i, 60) END, NULL, iif(n.i = \
2, 1400000000 + pick(34, a.artifact_id, 200000000), NULL), NULL
FROM blackboard_artifacts AS a JOIN numbers AS n ON n.i <= 2 + skewed(35, a.artifact_id, 4);
INSERT INTO tsk_aggregate_score SELECT obj_id, 1 + obj_id % 3, CASE WHEN chance(36, obj_id) < 0.01 THEN 30 WHEN chance(36, obj_id) < 0.2 \
THEN 20 ELSE 10 END, 20 FROM tsk_files WHERE chance(37, obj_id) < 0.3;
INSERT INTO tag_names SELECT i, title(38, i, 2) || ' ' || i, '', 'None', 0, 1, i FROM numbers WHERE i <= 12;
INSERT INTO content_tags SELECT i, 100 + 4000 + pick(39, i, 36000), skewed(40, i, 12), '', 0, 0, 1 FROM numbers WHERE i <= 1500;
INSERT INTO blackboard_artifact_tags SELECT i, pick(41, i, 22000), skewed(42, i, 12), '', 1 FROM numbers WHERE i <= 1200;
INSERT INTO accounts SELECT i, 1 + i % 9, '+49' || (150000000 + i * 7919) FROM numbers WHERE i <= 2500;
INSERT OR IGNORE INTO account_relationships SELECT i, 1 + skewed(43, i, 40), 40 + skewed(44, i, 2400), 50000 + pick(45, i, 22000), \
1500000000 + pick(46, i, 100000000), skewed(47, i, 4), 1 FROM numbers WHERE i <= 14000;
INSERT INTO tsk_event_types SELECT i, 'event ' || i, NULL FROM numbers WHERE i <= 30;
INSERT INTO tsk_event_descriptions SELECT obj_id, parent_path || name, parent_path, '', data_source_obj_id, obj_id, NULL, chance(48, \
obj_id) < 0.01, 0 FROM tsk_files WHERE obj_id > 4100;
INSERT INTO tsk_event_descriptions SELECT 50000 + artifact_id, 'visited ' || word(skewed(49, artifact_id, 3000)), '', '', \
data_source_obj_id, obj_id, artifact_id, 0, 0 FROM blackboard_artifacts WHERE artifact_type_id <= 8;
INSERT INTO tsk_events (event_type_id, event_description_id, time)
SELECT 4 + n.i - 1, f.obj_id, CASE n.i WHEN 1 THEN f.mtime WHEN 2 THEN f.atime ELSE f.crtime END FROM tsk_files AS f, (SELECT i FROM \
numbers WHERE i <= 3) AS n WHERE f.obj_id > 4100;
INSERT INTO tsk_events (event_type_id, event_description_id, time) SELECT 8 + skewed(50, event_description_id, 22), event_description_id, \
1400000000 + pick(51, event_description_id, 200000000) FROM tsk_event_descriptions WHERE event_description_id > 50000;

-- statement: sleuthkit-01
-- is: full-scan
-- because: files with a checksum: all are read
-- run: '00000000000000000000000000ff2a90' | '0000000000000000000000000001f91'

SELECT obj_id, parent_path, name FROM tsk_files WHERE md5 = ?

-- best
-- index: tsk_files (md5)

-- statement: sleuthkit-02
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column, pattern-without-index
-- because: files by name in whatever case: a function on both sides of LIKE keeps every index away
-- run: 1, 'nope.dll', '%windows%' | 2, 'haki.JPG', '%users%'

SELECT obj_id, parent_path, name, size FROM tsk_files WHERE data_source_obj_id = ? AND lower(name) LIKE lower(?) AND lower(parent_path) LIKE lower(?)

-- best
-- index: tsk_files (lower(name))

SELECT obj_id, parent_path, name, size FROM tsk_files WHERE data_source_obj_id = ? AND lower(name) = lower(?) AND lower(parent_path) LIKE lower(?)

-- or
-- index: tsk_files (name COLLATE NOCASE)

SELECT obj_id, parent_path, name, size FROM tsk_files WHERE data_source_obj_id = ? AND name = ? COLLATE NOCASE AND lower(parent_path) LIKE lower(?)

-- statement: sleuthkit-03
-- fine
-- tolerated: sort-without-index
-- because: what is in a folder, by an index and a key
-- run: 160 | 2500

SELECT f.obj_id, f.name, f.size, f.dir_type FROM tsk_objects AS o JOIN tsk_files AS f ON f.obj_id = o.obj_id WHERE o.par_obj_id = ? ORDER BY f.name

-- statement: sleuthkit-04
-- fine
-- because: how many files there are of each type, counted in an index that has all of it

SELECT mime_type, count(*) AS n FROM tsk_files WHERE dir_type = 5 AND mime_type IS NOT NULL AND type IN (0, 1, 4, 5, 9) GROUP BY mime_type \
ORDER BY n DESC

-- statement: sleuthkit-05
-- is: full-scan, harmful-index, index-not-covering, sort-without-index
-- because: large files: of all files the size is looked up

SELECT obj_id, parent_path, name, size FROM tsk_files WHERE size >= 200000000 AND dir_type = 5 AND (known IS NULL OR known <> 1) ORDER BY \
size DESC LIMIT 100

-- best
-- index: tsk_files (dir_type, size)

-- statement: sleuthkit-06
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: all below a folder, by the beginning of its path in whatever case

SELECT obj_id, name, crtime FROM tsk_files WHERE parent_path LIKE '/users/drice/%' AND data_source_obj_id = 2 ORDER BY crtime

-- best
-- index: tsk_files (data_source_obj_id, parent_path COLLATE NOCASE)

-- or
-- index: tsk_files (parent_path COLLATE NOCASE)

-- statement: sleuthkit-07
-- is: full-scan, index-not-covering, join-order
-- because: what was found of a domain: all attributes are read
-- run: 2, 'tunaki.example' | 2, 'loce.example'

SELECT a.artifact_id, a.obj_id, t.type_name FROM blackboard_attributes AS x JOIN blackboard_artifacts AS a ON a.artifact_id = \
x.artifact_id JOIN blackboard_artifact_types AS t ON t.artifact_type_id = a.artifact_type_id
WHERE x.attribute_type_id = ? AND x.value_text = ? AND a.review_status_id <> 2

-- best
-- index: blackboard_attributes (attribute_type_id, value_text, artifact_id)

-- or
-- index: blackboard_attributes (attribute_type_id, value_text)

-- or
-- index: blackboard_attributes (value_text)

-- statement: sleuthkit-08
-- fine
-- because: what happened on a day, in the order of an index
-- run: 1555545600, 1555632000

SELECT e.time, e.event_type_id, d.full_description FROM tsk_events AS e JOIN tsk_event_descriptions AS d ON d.event_description_id = \
e.event_description_id WHERE e.time >= ? AND e.time < ? ORDER BY e.time

-- statement: sleuthkit-09
-- is: expression-index, function-on-column, group-without-index, sort-without-index
-- because: the timeline by month: the month is made of each time, and all are sorted by it
-- run: 6

SELECT strftime('%Y-%m', time, 'unixepoch') AS month, count(*) FROM tsk_events WHERE event_type_id = ? GROUP BY month ORDER BY month

-- best
-- index: tsk_events (event_type_id, strftime('%Y-%m', time, 'unixepoch'))

-- statement: sleuthkit-10
-- fine
-- tolerated: full-scan
-- because: tagged files: the condition makes the outer join an inner one, so that it begins with the few tags
-- run: 4

SELECT f.obj_id, f.name, ct.comment FROM tsk_files AS f LEFT JOIN content_tags AS ct ON ct.obj_id = f.obj_id WHERE ct.tag_name_id = ? AND \
f.known IS NOT 1

-- statement: sleuthkit-11
-- is: foreign-key-without-index
-- because: accounts that were merged into others: all files are read for theirs
-- run: 90 | 91 | 95

DELETE FROM tsk_os_accounts WHERE os_account_obj_id = ?

-- best
-- index: tsk_files (os_account_obj_id)

-- statement: sleuthkit-12
-- is: automatic-index, join-fan-out, multiplied-aggregate
-- because: how often each tag is used: each tagged file is joined with each tagged result, so both are counted too often

SELECT tn.display_name, count(ct.tag_id) AS files, count(at.tag_id) AS results FROM tag_names AS tn LEFT JOIN content_tags AS ct ON \
ct.tag_name_id = tn.tag_name_id
LEFT JOIN blackboard_artifact_tags AS at ON at.tag_name_id = tn.tag_name_id GROUP BY tn.tag_name_id ORDER BY tn.display_name

-- best
-- index: content_tags (tag_name_id)
-- index: blackboard_artifact_tags (tag_name_id)
-- changes results

SELECT tn.display_name, (SELECT count(*) FROM content_tags AS ct WHERE ct.tag_name_id = tn.tag_name_id) AS files, (SELECT count(*) FROM \
blackboard_artifact_tags AS at WHERE at.tag_name_id = tn.tag_name_id) AS results
FROM tag_names AS tn ORDER BY tn.display_name

-- statement: sleuthkit-13
-- is: automatic-index, full-scan
-- because: where notable files are on the other computers: SQLite makes an index of all checksums for each run

SELECT a.obj_id, a.name, b.obj_id AS other, b.parent_path FROM tsk_files AS a JOIN tsk_files AS b ON b.md5 = a.md5 AND b.obj_id <> \
a.obj_id AND b.data_source_obj_id <> a.data_source_obj_id WHERE a.known = 2

-- best
-- index: tsk_files (known)
-- index: tsk_files (md5)

-- or
-- index: tsk_files (md5)

-- statement: sleuthkit-14
-- fine
-- because: all below a folder, by the index of parents
-- run: 105 | 900

WITH RECURSIVE below (id) AS (SELECT ? UNION ALL SELECT o.obj_id FROM below JOIN tsk_objects AS o ON o.par_obj_id = below.id)
SELECT count(*), sum(f.size) FROM below JOIN tsk_files AS f ON f.obj_id = below.id WHERE f.meta_type = 1

-- statement: sleuthkit-15
-- fine
-- tolerated: sort-without-index
-- because: all talks of an account, whoever began: an index for each side
-- run: 300 | 1200

SELECT relationship_id, account1_id, account2_id, date_time FROM account_relationships WHERE (account1_id = ?1 OR account2_id = ?1) AND \
relationship_type = 1 ORDER BY date_time

-- statement: sleuthkit-16
-- fine
-- because: frequent extensions, counted in their index

SELECT extension, count(*) AS n FROM tsk_files GROUP BY extension HAVING count(*) > 500 ORDER BY n DESC

-- statement: sleuthkit-17
-- is: repeated-statement
-- because: the attributes of each result in a list, one after the other
-- operation: list of results
-- run: 3 | 6 | 9 | 12 | 15 | 18 | 21 | 24 | 27 | 30 | 33 | 36 | 39 | 42 | 45 | 48 | 51 | 54 | 57 | 60 | 63 | 66 | 69 | 72 | 75 | 78 | 81 \
--   | 84 | 87 | 90 | 93 | 96 | 99 | 102 | 105 | 108 | 111 | 114 | 117 | 120 | 123 | 126 | 129 | 132 | 135 | 138 | 141 | 144 | 147 | 150 | 153 \
--   | 156 | 159 | 162 | 165 | 168 | 171 | 174 | 177 | 180 | 183 | 186 | 189 | 192 | 195 | 198 | 201 | 204 | 207 | 210 | 213 | 216 | 219 | 222 \
--   | 225 | 228 | 231 | 234 | 237 | 240 | 243 | 246 | 249 | 252 | 255 | 258 | 261 | 264 | 267 | 270 | 273 | 276 | 279 | 282 | 285 | 288 | 291 \
--   | 294 | 297 | 300 | 303 | 306 | 309 | 312 | 315 | 318 | 321 | 324 | 327 | 330 | 333 | 336 | 339 | 342 | 345 | 348 | 351 | 354 | 357 | 360

SELECT artifact_id, attribute_type_id, value_type, value_text, value_int64 FROM blackboard_attributes WHERE artifact_id = ?

-- best
-- run: '[3,6,9,12,15,18,21,24,27,30,33,36,39,42,45,48,51,54,57,60,63,66,69,72,75,78,81,84,87,90,93,96,99,102,105,108,111,114,117,120,123,\
--   126,129,132,135,138,141,144,147,150,153,156,159,162,165,168,171,174,177,180,183,186,189,192,195,198,201,204,207,210,213,216,219,222,225,\
--   228,231,234,237,240,243,246,249,252,255,258,261,264,267,270,273,276,279,282,285,288,291,294,297,300,303,306,309,312,315,318,321,324,327,\
--   330,333,336,339,342,345,348,351,354,357,360]'

SELECT artifact_id, attribute_type_id, value_type, value_text, value_int64 FROM blackboard_attributes WHERE artifact_id IN (SELECT value \
FROM json_each(?))
