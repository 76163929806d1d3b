-- schema: nextcloud
-- about: A file server: all files of all users in one table, shares, tags, settings and jobs.
-- origin: Nextcloud 13 (AGPL-3.0, Copyright the Nextcloud contributors): ten of the tables of its first migration with their indexes
-- superfluous: redundant-index appconfig_appid_key

CREATE TABLE oc_appconfig (
  appid VARCHAR(32) DEFAULT '' NOT NULL, configkey VARCHAR(64) DEFAULT '' NOT NULL, configvalue CLOB DEFAULT NULL, PRIMARY KEY(appid, configkey));
CREATE INDEX appconfig_config_key_index ON oc_appconfig (configkey);
CREATE INDEX appconfig_appid_key ON oc_appconfig (appid);
CREATE TABLE oc_filecache (
  fileid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, storage INTEGER DEFAULT 0 NOT NULL, path VARCHAR(4000) DEFAULT NULL, path_hash \
VARCHAR(32) DEFAULT '' NOT NULL,
  parent INTEGER DEFAULT 0 NOT NULL, name VARCHAR(250) DEFAULT NULL, mimetype INTEGER DEFAULT 0 NOT NULL, mimepart INTEGER DEFAULT 0 NOT \
NULL, size BIGINT DEFAULT 0 NOT NULL,
  mtime INTEGER DEFAULT 0 NOT NULL, storage_mtime INTEGER DEFAULT 0 NOT NULL, encrypted INTEGER DEFAULT 0 NOT NULL, unencrypted_size \
BIGINT DEFAULT 0 NOT NULL,
  etag VARCHAR(40) DEFAULT NULL, permissions INTEGER DEFAULT 0, checksum VARCHAR(255) DEFAULT NULL);
CREATE UNIQUE INDEX fs_storage_path_hash ON oc_filecache (storage, path_hash);
CREATE INDEX fs_parent_name_hash ON oc_filecache (parent, name);
CREATE INDEX fs_storage_mimetype ON oc_filecache (storage, mimetype);
CREATE INDEX fs_storage_mimepart ON oc_filecache (storage, mimepart);
CREATE INDEX fs_storage_size ON oc_filecache (storage, size, fileid);
CREATE TABLE oc_preferences (
  userid VARCHAR(64) DEFAULT '' NOT NULL, appid VARCHAR(32) DEFAULT '' NOT NULL, configkey VARCHAR(64) DEFAULT '' NOT NULL, configvalue \
CLOB DEFAULT NULL,
  PRIMARY KEY(userid, appid, configkey));
CREATE TABLE oc_properties (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, userid VARCHAR(64) DEFAULT '' NOT NULL, propertypath VARCHAR(255) DEFAULT '' NOT NULL, \
propertyname VARCHAR(255) DEFAULT '' NOT NULL,
  propertyvalue CLOB NOT NULL);
CREATE INDEX property_index ON oc_properties (userid);
CREATE TABLE oc_share (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, share_type SMALLINT DEFAULT 0 NOT NULL, share_with VARCHAR(255) DEFAULT NULL, password \
VARCHAR(255) DEFAULT NULL,
  uid_owner VARCHAR(64) DEFAULT '' NOT NULL, uid_initiator VARCHAR(64) DEFAULT NULL, parent INTEGER DEFAULT NULL, item_type VARCHAR(64) \
DEFAULT '' NOT NULL,
  item_source VARCHAR(255) DEFAULT NULL, item_target VARCHAR(255) DEFAULT NULL, file_source INTEGER DEFAULT NULL, file_target VARCHAR(512) \
DEFAULT NULL,
  permissions SMALLINT DEFAULT 0 NOT NULL, stime BIGINT DEFAULT 0 NOT NULL, accepted SMALLINT DEFAULT 0 NOT NULL, expiration DATETIME \
DEFAULT NULL, token VARCHAR(32) DEFAULT NULL,
  mail_send SMALLINT DEFAULT 0 NOT NULL, share_name VARCHAR(64) DEFAULT NULL);
CREATE INDEX item_share_type_index ON oc_share (item_type, share_type);
CREATE INDEX file_source_index ON oc_share (file_source);
CREATE INDEX token_index ON oc_share (token);
CREATE TABLE oc_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, class VARCHAR(255) DEFAULT '' NOT NULL, argument VARCHAR(4000) DEFAULT '' NOT NULL, \
last_run INTEGER DEFAULT 0,
  last_checked INTEGER DEFAULT 0, reserved_at INTEGER DEFAULT 0, execution_duration INTEGER DEFAULT 0 NOT NULL);
CREATE INDEX job_class_index ON oc_jobs (class);
CREATE TABLE oc_users (uid VARCHAR(64) DEFAULT '' NOT NULL, displayname VARCHAR(64) DEFAULT NULL, password VARCHAR(255) DEFAULT '' NOT \
NULL, PRIMARY KEY(uid));
CREATE TABLE oc_authtoken (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, uid VARCHAR(64) DEFAULT '' NOT NULL, login_name VARCHAR(64) DEFAULT '' NOT NULL, password \
CLOB DEFAULT NULL, name CLOB DEFAULT '' NOT NULL,
  token VARCHAR(200) DEFAULT '' NOT NULL, type SMALLINT DEFAULT 0 NOT NULL, remember SMALLINT DEFAULT 0 NOT NULL, last_activity INTEGER \
DEFAULT 0 NOT NULL,
  last_check INTEGER DEFAULT 0 NOT NULL, scope CLOB DEFAULT NULL);
CREATE UNIQUE INDEX authtoken_token_index ON oc_authtoken (token);
CREATE INDEX authtoken_last_activity_index ON oc_authtoken (last_activity);
CREATE TABLE oc_systemtag_object_mapping (objectid VARCHAR(64) DEFAULT '' NOT NULL, objecttype VARCHAR(64) DEFAULT '' NOT NULL, \
systemtagid INTEGER DEFAULT 0 NOT NULL);
CREATE UNIQUE INDEX mapping ON oc_systemtag_object_mapping (objecttype, objectid, systemtagid);
CREATE TABLE oc_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, parent_id INTEGER DEFAULT 0 NOT NULL, topmost_parent_id INTEGER DEFAULT 0 NOT NULL, \
children_count INTEGER DEFAULT 0 NOT NULL,
  actor_type VARCHAR(64) DEFAULT '' NOT NULL, actor_id VARCHAR(64) DEFAULT '' NOT NULL, message CLOB DEFAULT NULL, verb VARCHAR(64) \
DEFAULT NULL, creation_timestamp DATETIME DEFAULT NULL,
  latest_child_timestamp DATETIME DEFAULT NULL, object_type VARCHAR(64) DEFAULT '' NOT NULL, object_id VARCHAR(64) DEFAULT '' NOT NULL);
CREATE INDEX comments_parent_id_index ON oc_comments (parent_id);
CREATE INDEX comments_topmost_parent_id_idx ON oc_comments (topmost_parent_id);
CREATE INDEX comments_object_index ON oc_comments (object_type, object_id, creation_timestamp);
CREATE INDEX comments_actor_index ON oc_comments (actor_type, actor_id);

INSERT INTO oc_appconfig SELECT word(1 + i % 60), word(i), word(i * 3) FROM numbers WHERE i <= 600;
INSERT INTO oc_users SELECT iif(i % 4 = 0, upper(substr(word(i), 1, 1)) || substr(word(i), 2), word(i)), title(1, i, 2), printf('%064x', i \
* 7919) FROM numbers WHERE i <= 3000;
INSERT INTO oc_filecache
SELECT i, 1 + i / 1000 % 30, 'files/' || word(pick(1, i / 100, 60)) || '/' || word(i / 20) || '/' || word(i) || '.jpg', printf('%032x', i \
* 7919), 1 + i / 20, word(i) || '.jpg',
  iif(i % 20 = 0, 2, 2 + skewed(2, i, 30)), 1 + skewed(3, i, 8), iif(chance(4, i) < 0.0005, -1, pick(5, i, 9000000)), 1500000000 + pick(6, \
i, 200000000), 1500000000 + pick(6, i, 200000000), 0, 0,
  printf('%026x', i * 104729), 27, NULL FROM numbers WHERE i <= 30000;
INSERT INTO oc_preferences SELECT word(1 + i % 3000), word(1 + i / 3000), word(100 + i / 3000 * 7), iif(i / 3000 = 2, word(i % 3000) || \
'@example.org', word(pick(7, i, 40))) FROM numbers WHERE i < 24000;
INSERT INTO oc_properties SELECT i, iif(chance(8, i) < 0.5, word(1), word(skewed(9, i, 3000))), 'files/' || word(pick(10, i, 4000)) || '/' \
|| word(pick(11, i, 5)), '{DAV:}' || word(skewed(12, i, 6)), prose(13, i, 120) FROM numbers WHERE i <= 9000;
INSERT INTO oc_share
SELECT i, CASE WHEN chance(14, i) < 0.5 THEN 0 WHEN chance(14, i) < 0.6 THEN 1 ELSE 3 END, iif(chance(14, i) < 0.6, word(skewed(15, i, \
3000)), NULL), NULL, word(skewed(16, i, 3000)), word(skewed(16, i, 3000)), NULL, iif(chance(17, i) < 0.3, 'folder', 'file'),
  i * 3, NULL, i * 3, '/' || word(i), 31, 1600000000 + i * 9000, 0, iif(chance(18, i) < 0.1, datetime(1700000000 + pick(19, i, 90000000), \
'unixepoch'), NULL), iif(chance(14, i) < 0.6, NULL, printf('%015x', i * 7919)), 0, NULL
FROM numbers WHERE i <= 9000;
INSERT INTO oc_jobs SELECT i, 'OCA\' || word(skewed(20, i, 40)), '[' || i || ',"' || word(i) || '"]', 1700000000 - pick(21, i, 90000), \
1700000000 + pick(22, i, 90000), iif(chance(23, i) < 0.01, 1700080000, 0), 0 FROM numbers WHERE i <= 6000;
INSERT INTO oc_authtoken SELECT i, word(skewed(24, i, 3000)), word(skewed(24, i, 3000)), prose(25, i, 300), 'Firefox', printf('%064x', i * \
7919), i % 2, 0, 1600000000 + pick(26, i, 100000000), 0, NULL FROM numbers WHERE i <= 6000;
INSERT OR IGNORE INTO oc_systemtag_object_mapping SELECT pick(27, i, 30000), iif(chance(28, i) < 0.97, 'files', 'deck'), skewed(29, i, \
200) FROM numbers WHERE i <= 12000;
INSERT INTO oc_comments
SELECT i, 0, 0, 0, 'users', word(skewed(30, i, 3000)), prose(31, i, 150), CASE WHEN chance(32, i) < 0.9 THEN 'comment' ELSE 'system' END, \
datetime(1600000000 + i * 6000, 'unixepoch'), NULL, iif(chance(33, i) < 0.5, 'files', 'chat'), skewed(34, i, 4000)
FROM numbers WHERE i <= 12000;

-- statement: nextcloud-01
-- fine
-- because: a file by the hash of its path
-- run: 3, '000000000000000000000000012e15fc'

SELECT * FROM oc_filecache WHERE storage = ? AND path_hash = ?

-- statement: nextcloud-02
-- fine
-- tolerated: index-not-covering
-- because: a folder in its order
-- run: 100

SELECT fileid, name, size, mtime FROM oc_filecache WHERE parent = ? ORDER BY name

-- statement: nextcloud-03
-- is: index-not-covering, sort-without-index
-- because: the newest files of a user: all are sorted
-- run: 3 | 11

SELECT fileid, path, mtime FROM oc_filecache WHERE storage = ? AND mimetype <> 2 ORDER BY mtime DESC, fileid DESC LIMIT 100

-- best
-- index: oc_filecache (storage, mtime)

-- statement: nextcloud-04
-- is: case-insensitive-without-index, index-not-covering, pattern-without-index
-- because: what is below a folder, by the beginning of its path
-- run: 3, 'files/bana/%' | 9, 'files/kina/%'

SELECT fileid, path FROM oc_filecache WHERE storage = ? AND path LIKE ?

-- best
-- index: oc_filecache (storage, path COLLATE NOCASE)

-- statement: nextcloud-05
-- fine
-- because: a folder whose size isn't known, by an index made for it
-- run: 7

SELECT path FROM oc_filecache WHERE storage = ? AND size = -1 ORDER BY fileid DESC LIMIT 1

-- statement: nextcloud-06
-- is: full-scan, index-not-covering
-- because: what is shared with a user
-- run: 'zuki' | 'quipe'

SELECT s.id, s.file_target, f.path FROM oc_share s LEFT JOIN oc_filecache f ON s.file_source = f.fileid
WHERE s.share_type = 0 AND s.share_with = ? ORDER BY s.id

-- best
-- index: oc_share (share_with)

-- or
-- index: oc_share (share_type, share_with)

-- statement: nextcloud-07
-- is: full-scan, index-not-covering, or-without-index
-- because: the links of a user, who made them or has the files
-- run: 'soha', 'soha'

SELECT id, file_target, token FROM oc_share WHERE share_type = 3 AND (uid_owner = ? OR uid_initiator = ?) ORDER BY id

-- best
-- index: oc_share (uid_owner)
-- index: oc_share (uid_initiator)

-- statement: nextcloud-08
-- is: full-scan, sort-without-index
-- because: the job that waits longest: all are sorted
-- run: 1700050000, 1700060000

SELECT id, class, argument FROM oc_jobs WHERE reserved_at <= ? AND last_checked <= ? ORDER BY last_checked, id LIMIT 1

-- best
-- index: oc_jobs (last_checked)

-- statement: nextcloud-09
-- is: full-scan, index-not-covering
-- because: the files with a tag: the unique key begins with the kind, which is nearly always the same
-- run: 20, 'files' | 5, 'files'

SELECT objectid FROM oc_systemtag_object_mapping WHERE systemtagid = ? AND objecttype = ? ORDER BY objectid

-- best
-- index: oc_systemtag_object_mapping (systemtagid, objecttype, objectid)

-- or
-- index: oc_systemtag_object_mapping (objecttype, systemtagid, objectid)

-- statement: nextcloud-10
-- is: full-scan
-- because: who has an address: settings are found by user only
-- run: 'drice', 'quista', 'quipe@example.org' | 'drice', 'quista', 'soha@example.org'

SELECT userid FROM oc_preferences WHERE appid = ? AND configkey = ? AND configvalue = ?

-- best
-- index: oc_preferences (configvalue)

-- or
-- index: oc_preferences (appid, configkey, configvalue)

-- statement: nextcloud-11
-- is: index-not-covering
-- because: the properties of a file: all of a user's are read
-- run: 'loce', 'files/kipetre/shuce' | 'loce', 'files/hathafo/vace'

SELECT propertyname, propertyvalue FROM oc_properties WHERE userid = ? AND propertypath = ?

-- best
-- index: oc_properties (userid, propertypath)

-- or
-- index: oc_properties (propertypath)

-- statement: nextcloud-12
-- is: expression-index, full-scan, function-on-column
-- because: a user, whatever the case of the name
-- run: 'STAMU' | 'Clena'

SELECT uid, displayname FROM oc_users WHERE lower(uid) = lower(?)

-- best
-- index: oc_users (lower(uid))

-- statement: nextcloud-13
-- fine
-- because: a session by its token
-- run: '000000000000000000000000000000000000000000000000000000000003a002'

SELECT id, uid, name FROM oc_authtoken WHERE token = ?

-- statement: nextcloud-14
-- is: full-scan, index-not-covering, sort-without-index
-- because: the devices of a user: all sessions are read by their time
-- run: 'zuki' | 'quipe'

SELECT id, name, last_activity FROM oc_authtoken WHERE uid = ? ORDER BY last_activity DESC, id LIMIT 100

-- best
-- index: oc_authtoken (uid)

-- or
-- index: oc_authtoken (uid, last_activity)

-- statement: nextcloud-15
-- fine
-- tolerated: index-not-covering
-- because: the last comments on a file by an index that ends with their time
-- run: 'files', '3'

SELECT id, actor_id, message FROM oc_comments WHERE object_type = ? AND object_id = ? ORDER BY creation_timestamp DESC LIMIT 20

-- statement: nextcloud-16
-- is: index-not-covering, sort-without-index
-- because: the last comments of somebody who wrote many
-- run: 'loce' | 'vace'

SELECT id, message, creation_timestamp FROM oc_comments WHERE actor_type = 'users' AND actor_id = ? AND verb = 'comment'
ORDER BY creation_timestamp DESC LIMIT 10

-- best
-- index: oc_comments (actor_type, actor_id, creation_timestamp)

-- or
-- index: oc_comments (actor_id, creation_timestamp)

-- statement: nextcloud-17
-- is: group-without-index, index-not-covering
-- because: what each user needs: wide rows for two numbers

SELECT storage, sum(size) FROM oc_filecache WHERE mimetype <> 2 AND size > 0 GROUP BY storage

-- best
-- index: oc_filecache (storage, mimetype, size)

-- or
-- index: oc_filecache (storage, size, mimetype)

-- statement: nextcloud-18
-- is: index-not-covering, sort-without-index
-- because: the newest pictures of a user: all are sorted
-- run: 2, 1 | 8, 2

SELECT fileid, path, size FROM oc_filecache WHERE storage = ? AND mimepart = ? ORDER BY mtime DESC, fileid LIMIT 40

-- best
-- index: oc_filecache (storage, mimepart, mtime DESC)

-- or
-- index: oc_filecache (storage, mimepart, mtime)
