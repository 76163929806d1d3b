-- schema: mediawiki
-- about: A wiki: pages, who changed them when, what they link to, and what belongs to which category.
-- origin: MediaWiki 1.38, its schema for SQLite (GPL-2.0-or-later, Copyright the MediaWiki contributors): eight of its tables with their \
--   indexes

CREATE TABLE actor (actor_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, actor_user INTEGER UNSIGNED DEFAULT NULL, actor_name BLOB NOT NULL);
CREATE UNIQUE INDEX actor_user ON actor (actor_user);
CREATE UNIQUE INDEX actor_name ON actor (actor_name);
CREATE TABLE page (
  page_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, page_namespace INTEGER NOT NULL, page_title BLOB NOT NULL, page_restrictions BLOB DEFAULT NULL,
  page_is_redirect SMALLINT UNSIGNED DEFAULT 0 NOT NULL, page_is_new SMALLINT UNSIGNED DEFAULT 0 NOT NULL, page_random DOUBLE PRECISION NOT NULL,
  page_touched BLOB NOT NULL, page_links_updated BLOB DEFAULT NULL, page_latest INTEGER UNSIGNED NOT NULL, page_len INTEGER UNSIGNED NOT NULL,
  page_content_model BLOB DEFAULT NULL, page_lang BLOB DEFAULT NULL);
CREATE UNIQUE INDEX page_name_title ON page (page_namespace, page_title);
CREATE INDEX page_random ON page (page_random);
CREATE INDEX page_len ON page (page_len);
CREATE INDEX page_redirect_namespace_len ON page (page_is_redirect, page_namespace, page_len);
CREATE TABLE revision (
  rev_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, rev_page INTEGER UNSIGNED NOT NULL, rev_comment_id BIGINT UNSIGNED DEFAULT 0 NOT NULL,
  rev_actor BIGINT UNSIGNED DEFAULT 0 NOT NULL, rev_timestamp BLOB NOT NULL, rev_minor_edit SMALLINT UNSIGNED DEFAULT 0 NOT NULL,
  rev_deleted SMALLINT UNSIGNED DEFAULT 0 NOT NULL, rev_len INTEGER UNSIGNED DEFAULT NULL, rev_parent_id INTEGER UNSIGNED DEFAULT NULL, \
rev_sha1 BLOB DEFAULT '' NOT NULL);
CREATE INDEX rev_page_id ON revision (rev_page, rev_id);
CREATE INDEX rev_timestamp ON revision (rev_timestamp);
CREATE INDEX rev_page_timestamp ON revision (rev_page, rev_timestamp);
CREATE INDEX rev_actor_timestamp ON revision (rev_actor, rev_timestamp, rev_id);
CREATE INDEX rev_page_actor_timestamp ON revision (rev_page, rev_actor, rev_timestamp);
CREATE TABLE pagelinks (
  pl_from INTEGER UNSIGNED DEFAULT 0 NOT NULL, pl_namespace INTEGER DEFAULT 0 NOT NULL, pl_title BLOB DEFAULT '' NOT NULL,
  pl_from_namespace INTEGER DEFAULT 0 NOT NULL, PRIMARY KEY(pl_from, pl_namespace, pl_title));
CREATE INDEX pl_namespace ON pagelinks (pl_namespace, pl_title, pl_from);
CREATE INDEX pl_backlinks_namespace ON pagelinks (pl_from_namespace, pl_namespace, pl_title, pl_from);
CREATE TABLE categorylinks (
  cl_from INTEGER UNSIGNED DEFAULT 0 NOT NULL, cl_to BLOB DEFAULT '' NOT NULL, cl_sortkey BLOB DEFAULT '' NOT NULL, cl_sortkey_prefix BLOB \
DEFAULT '' NOT NULL,
  cl_timestamp DATETIME NOT NULL, cl_collation BLOB DEFAULT '' NOT NULL, cl_type TEXT DEFAULT 'page' NOT NULL, PRIMARY KEY(cl_from, cl_to));
CREATE INDEX cl_sortkey ON categorylinks (cl_to, cl_type, cl_sortkey, cl_from);
CREATE INDEX cl_timestamp ON categorylinks (cl_to, cl_timestamp);
CREATE INDEX cl_collation_ext ON categorylinks (cl_collation, cl_to, cl_type, cl_from);
CREATE TABLE watchlist (
  wl_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, wl_user INTEGER UNSIGNED NOT NULL, wl_namespace INTEGER DEFAULT 0 NOT NULL, wl_title \
BLOB DEFAULT '' NOT NULL,
  wl_notificationtimestamp BLOB DEFAULT NULL);
CREATE UNIQUE INDEX wl_user ON watchlist (wl_user, wl_namespace, wl_title);
CREATE INDEX wl_namespace_title ON watchlist (wl_namespace, wl_title);
CREATE INDEX wl_user_notificationtimestamp ON watchlist (wl_user, wl_notificationtimestamp);
CREATE TABLE logging (
  log_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, log_type BLOB DEFAULT '' NOT NULL, log_action BLOB DEFAULT '' NOT NULL,
  log_timestamp BLOB DEFAULT '19700101000000' NOT NULL, log_actor BIGINT UNSIGNED NOT NULL, log_namespace INTEGER DEFAULT 0 NOT NULL,
  log_title BLOB DEFAULT '' NOT NULL, log_page INTEGER UNSIGNED DEFAULT NULL, log_comment_id BIGINT UNSIGNED NOT NULL, log_params BLOB NOT NULL,
  log_deleted SMALLINT UNSIGNED DEFAULT 0 NOT NULL);
CREATE INDEX log_type_time ON logging (log_type, log_timestamp);
CREATE INDEX log_actor_time ON logging (log_actor, log_timestamp);
CREATE INDEX log_page_time ON logging (log_namespace, log_title, log_timestamp);
CREATE INDEX log_times ON logging (log_timestamp);
CREATE INDEX log_actor_type_time ON logging (log_actor, log_type, log_timestamp);
CREATE INDEX log_page_id_time ON logging (log_page, log_timestamp);
CREATE INDEX log_type_action ON logging (log_type, log_action, log_timestamp);
CREATE TABLE change_tag (
  ct_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, ct_rc_id INTEGER UNSIGNED DEFAULT NULL, ct_log_id INTEGER UNSIGNED DEFAULT NULL,
  ct_rev_id INTEGER UNSIGNED DEFAULT NULL, ct_params BLOB DEFAULT NULL, ct_tag_id INTEGER UNSIGNED NOT NULL);
CREATE UNIQUE INDEX change_tag_rc_tag_id ON change_tag (ct_rc_id, ct_tag_id);
CREATE UNIQUE INDEX change_tag_log_tag_id ON change_tag (ct_log_id, ct_tag_id);
CREATE UNIQUE INDEX change_tag_rev_tag_id ON change_tag (ct_rev_id, ct_tag_id);
CREATE INDEX change_tag_tag_id_id ON change_tag (ct_tag_id, ct_rc_id, ct_rev_id, ct_log_id);

INSERT INTO actor SELECT i, i, title(1, i, 1) || i FROM numbers WHERE i <= 300;
INSERT INTO page
SELECT i, iif(chance(2, i) < 0.7, 0, pick(3, i, 14)), title(4, i, 2) || '_' || i, '', chance(5, i) < 0.1, 0, chance(6, i),
  strftime('%Y%m%d%H%M%S', 1600000000 + pick(7, i, 60000000), 'unixepoch'), NULL, 20000 - 6000 + i, pick(8, i, 30000), 'wikitext', NULL
FROM numbers WHERE i <= 6000;
INSERT INTO revision
SELECT i, iif(i > 14000, i - 14000, skewed(9, i, 6000)), i, skewed(10, i, 300), strftime('%Y%m%d%H%M%S', 1600000000 + i * 3000, \
'unixepoch'), chance(11, i) < 0.3, 0,
  pick(12, i, 30000), i - 1, printf('%031x', i * 7919) FROM numbers WHERE i <= 20000;
INSERT OR IGNORE INTO pagelinks SELECT 1 + i % 6000, 0, title(4, pick(13, i, 6400), 2) || '_' || pick(13, i, 6400), 0 FROM numbers WHERE i <= 18000;
INSERT OR IGNORE INTO categorylinks
SELECT 1 + i % 6000, 'Category_' || skewed(14, i, 200), upper(title(4, 1 + i % 6000, 2)), '', datetime(1600000000 + i * 4000, \
'unixepoch'), 'uppercase', iif(chance(15, i) < 0.05, 'subcat', 'page')
FROM numbers WHERE i <= 14000;
INSERT OR IGNORE INTO watchlist SELECT i, skewed(16, i, 90), 0, title(4, 1 + i % 6000, 2) || '_' || (1 + i % 6000), NULL FROM numbers WHERE i <= 4000;
INSERT INTO logging
SELECT i, iif(i % 3 = 0, 'patrol', iif(i % 3 = 1, 'delete', 'move')), iif(i % 2 = 0, 'patrol', 'autopatrol'), strftime('%Y%m%d%H%M%S', \
1600000000 + i * 5000, 'unixepoch'), skewed(17, i, 300),
  iif(chance(2, 1 + i % 6000) < 0.7, 0, 1), title(4, 1 + i % 6000, 2) || '_' || (1 + i % 6000), 1 + i % 6000, i, '', 0 FROM numbers WHERE i <= 12000;
INSERT INTO change_tag SELECT i, NULL, NULL, i * 2, NULL, skewed(18, i, 20) FROM numbers WHERE i <= 9000;

-- statement: mediawiki-01
-- fine
-- because: the history of a page, by its index
-- run: 4

SELECT rev_id, rev_timestamp, rev_actor, rev_len FROM revision WHERE rev_page = ? ORDER BY rev_timestamp DESC LIMIT 50

-- statement: mediawiki-02
-- is: case-insensitive-without-index, full-scan, index-not-covering, pattern-without-index
-- because: suggestions while somebody types, whatever the case
-- run: 0, 'Flomuce grub' | 0, 'plidrice lo'

SELECT page_id, page_title FROM page WHERE page_namespace = ? AND page_title LIKE ? || '%' LIMIT 10

-- best
-- index: page (page_namespace, page_title COLLATE NOCASE)

SELECT page_id, page_title FROM page WHERE page_namespace = ?1 AND page_title COLLATE NOCASE >= ?2
AND page_title COLLATE NOCASE < ?2 || char(1114111) AND page_title LIKE ?2 || '%' LIMIT 10

-- statement: mediawiki-03
-- fine
-- tolerated: index-not-covering
-- because: what somebody wrote, by an index that ends with the time
-- run: 'Jeha40'

SELECT r.rev_id, p.page_title, r.rev_timestamp FROM revision r JOIN page p ON p.page_id = r.rev_page JOIN actor a ON a.actor_id = r.rev_actor
WHERE a.actor_name = ? ORDER BY r.rev_timestamp DESC LIMIT 50

-- statement: mediawiki-04
-- is: full-scan, group-without-index, harmful-index, index-not-covering, missing-statistics
-- because: who was busy in the last weeks: an index that goes by the author is read as a whole, to count without sorting
-- run: '20220720000000'

SELECT rev_actor, count(*) AS n FROM revision WHERE rev_timestamp >= ? GROUP BY rev_actor ORDER BY n DESC, rev_actor LIMIT 20

-- best
-- index: revision (rev_timestamp, rev_actor)

SELECT rev_actor, count(*) AS n FROM revision WHERE rev_timestamp >= ? GROUP BY +rev_actor ORDER BY n DESC, rev_actor LIMIT 20

-- or

SELECT rev_actor, count(*) AS n FROM revision WHERE rev_timestamp >= ? GROUP BY +rev_actor ORDER BY n DESC, rev_actor LIMIT 20

-- statement: mediawiki-05
-- is: index-not-covering, join-order, missing-statistics, subquery-per-row
-- because: what is in two categories, a large one and a small one: all of the large one are collected
-- run: 'Category_1', 'Category_150' | 'Category_2', 'Category_120'

SELECT p.page_id, p.page_title FROM page p WHERE p.page_id IN (SELECT cl_from FROM categorylinks WHERE cl_to = ?)
AND p.page_id IN (SELECT cl_from FROM categorylinks WHERE cl_to = ?)

-- best

SELECT p.page_id, p.page_title FROM page p WHERE p.page_id IN (SELECT c.cl_from FROM categorylinks c WHERE c.cl_to = ?2
AND EXISTS (SELECT 1 FROM categorylinks d WHERE d.cl_from = c.cl_from AND d.cl_to = ?1))

-- statement: mediawiki-06
-- is: full-scan, missing-statistics, or-without-index, sort-without-index
-- because: what concerns a user, by who did it or to what: the index of titles begins with something else
-- run: 200, 'Vace yodi_401'

SELECT log_id, log_type, log_timestamp FROM logging WHERE log_actor = ? OR log_title = ? ORDER BY log_timestamp DESC LIMIT 20

-- best
-- index: logging (log_title)

-- or
-- change: ANALYZE

-- statement: mediawiki-07
-- is: full-scan, index-not-covering, sort-without-index
-- because: what was touched since: a few pages of all
-- run: 0, '20220801000000'

SELECT page_id, page_title, page_touched FROM page WHERE page_namespace = ? AND page_touched >= ? ORDER BY page_touched

-- best
-- index: page (page_namespace, page_touched)

-- statement: mediawiki-08
-- fine
-- because: a page of a category in its order, and the end of an index for each
-- run: 'Category_1'

SELECT p.page_title, (SELECT max(r.rev_timestamp) FROM revision r WHERE r.rev_page = p.page_id) AS latest
FROM categorylinks c JOIN page p ON p.page_id = c.cl_from WHERE c.cl_to = ? AND c.cl_type = 'page' ORDER BY c.cl_sortkey LIMIT 50

-- statement: mediawiki-09
-- is: join-order, sort-without-index
-- because: the last changes with a frequent tag: all of them are looked up and sorted
-- run: 1

SELECT r.rev_id, r.rev_timestamp, r.rev_page FROM change_tag t JOIN revision r ON r.rev_id = t.ct_rev_id
WHERE t.ct_tag_id = ? ORDER BY r.rev_timestamp DESC LIMIT 30

-- best

SELECT r.rev_id, r.rev_timestamp, r.rev_page FROM revision r CROSS JOIN change_tag t ON r.rev_id = t.ct_rev_id
WHERE t.ct_tag_id = ? ORDER BY r.rev_timestamp DESC LIMIT 30

-- statement: mediawiki-10
-- fine
-- because: what somebody watches, by unique keys
-- run: 4

SELECT w.wl_title, p.page_id FROM watchlist w JOIN page p ON p.page_namespace = w.wl_namespace AND p.page_title = w.wl_title WHERE \
w.wl_user = ? ORDER BY w.wl_title
