-- schema: wordpress
-- about: A site with a shop: posts of all kinds in one table, what belongs to them as keys and values, and text that ignores case.
-- origin: WordPress on SQLite, the SQLite Database Integration plugin 2.1 (GPL-2.0-or-later, Copyright the WordPress contributors): nine \
--   of its tables with their indexes, columns of no use here left out

CREATE TABLE wp_users (ID INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, user_login TEXT NOT NULL DEFAULT '' COLLATE NOCASE, user_nicename \
TEXT NOT NULL DEFAULT '' COLLATE NOCASE, user_email TEXT NOT NULL DEFAULT '' COLLATE NOCASE, user_registered TEXT NOT NULL COLLATE NOCASE, \
display_name TEXT NOT NULL DEFAULT '' COLLATE NOCASE);
CREATE TABLE wp_usermeta (umeta_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, user_id INTEGER NOT NULL DEFAULT 0, meta_key TEXT DEFAULT \
NULL COLLATE NOCASE, meta_value TEXT COLLATE NOCASE);
CREATE TABLE wp_terms (term_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL DEFAULT '' COLLATE NOCASE, slug TEXT NOT \
NULL DEFAULT '' COLLATE NOCASE, term_group INTEGER NOT NULL DEFAULT 0);
CREATE TABLE wp_term_taxonomy (term_taxonomy_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, term_id INTEGER NOT NULL DEFAULT 0, taxonomy \
TEXT NOT NULL DEFAULT '' COLLATE NOCASE, parent INTEGER NOT NULL DEFAULT 0, count INTEGER NOT NULL DEFAULT 0);
CREATE TABLE wp_term_relationships (object_id INTEGER NOT NULL DEFAULT 0, term_taxonomy_id INTEGER NOT NULL DEFAULT 0, term_order INTEGER \
NOT NULL DEFAULT 0, PRIMARY KEY (object_id, term_taxonomy_id));
CREATE TABLE wp_comments (comment_ID INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, comment_post_ID INTEGER NOT NULL DEFAULT 0, \
comment_author TEXT NOT NULL COLLATE NOCASE, comment_author_email TEXT NOT NULL DEFAULT '' COLLATE NOCASE, comment_author_IP TEXT NOT NULL \
DEFAULT '' COLLATE NOCASE, comment_date_gmt TEXT NOT NULL COLLATE NOCASE, comment_content TEXT NOT NULL COLLATE NOCASE, comment_approved \
TEXT NOT NULL DEFAULT '1' COLLATE NOCASE, comment_type TEXT NOT NULL DEFAULT 'comment' COLLATE NOCASE, comment_parent INTEGER NOT NULL \
DEFAULT 0, user_id INTEGER NOT NULL DEFAULT 0);
CREATE TABLE wp_options (option_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, option_name TEXT NOT NULL DEFAULT '' COLLATE NOCASE, \
option_value TEXT NOT NULL COLLATE NOCASE, autoload TEXT NOT NULL DEFAULT 'yes' COLLATE NOCASE);
CREATE TABLE wp_postmeta (meta_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, post_id INTEGER NOT NULL DEFAULT 0, meta_key TEXT DEFAULT \
NULL COLLATE NOCASE, meta_value TEXT COLLATE NOCASE);
CREATE TABLE wp_posts (ID INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, post_author INTEGER NOT NULL DEFAULT 0, post_date TEXT NOT NULL \
COLLATE NOCASE, post_content TEXT NOT NULL COLLATE NOCASE, post_title TEXT NOT NULL COLLATE NOCASE, post_excerpt TEXT NOT NULL COLLATE \
NOCASE, post_status TEXT NOT NULL DEFAULT 'publish' COLLATE NOCASE, post_password TEXT NOT NULL DEFAULT '' COLLATE NOCASE, post_name TEXT \
NOT NULL DEFAULT '' COLLATE NOCASE, post_modified_gmt TEXT NOT NULL COLLATE NOCASE, post_parent INTEGER NOT NULL DEFAULT 0, guid TEXT NOT \
NULL DEFAULT '' COLLATE NOCASE, menu_order INTEGER NOT NULL DEFAULT 0, post_type TEXT NOT NULL DEFAULT 'post' COLLATE NOCASE, \
post_mime_type TEXT NOT NULL DEFAULT '' COLLATE NOCASE, comment_count INTEGER NOT NULL DEFAULT 0);
CREATE INDEX wp_users__user_login_key ON wp_users (user_login);
CREATE INDEX wp_users__user_nicename ON wp_users (user_nicename);
CREATE INDEX wp_users__user_email ON wp_users (user_email);
CREATE INDEX wp_usermeta__user_id ON wp_usermeta (user_id);
CREATE INDEX wp_usermeta__meta_key ON wp_usermeta (meta_key);
CREATE INDEX wp_terms__slug ON wp_terms (slug);
CREATE INDEX wp_terms__name ON wp_terms (name);
CREATE UNIQUE INDEX wp_term_taxonomy__term_id_taxonomy ON wp_term_taxonomy (term_id, taxonomy);
CREATE INDEX wp_term_taxonomy__taxonomy ON wp_term_taxonomy (taxonomy);
CREATE INDEX wp_term_relationships__term_taxonomy_id ON wp_term_relationships (term_taxonomy_id);
CREATE INDEX wp_comments__comment_post_ID ON wp_comments (comment_post_ID);
CREATE INDEX wp_comments__comment_approved_date_gmt ON wp_comments (comment_approved, comment_date_gmt);
CREATE INDEX wp_comments__comment_date_gmt ON wp_comments (comment_date_gmt);
CREATE INDEX wp_comments__comment_parent ON wp_comments (comment_parent);
CREATE INDEX wp_comments__comment_author_email ON wp_comments (comment_author_email);
CREATE UNIQUE INDEX wp_options__option_name ON wp_options (option_name);
CREATE INDEX wp_options__autoload ON wp_options (autoload);
CREATE INDEX wp_postmeta__post_id ON wp_postmeta (post_id);
CREATE INDEX wp_postmeta__meta_key ON wp_postmeta (meta_key);
CREATE INDEX wp_posts__post_name ON wp_posts (post_name);
CREATE INDEX wp_posts__type_status_date ON wp_posts (post_type, post_status, post_date, ID);
CREATE INDEX wp_posts__post_parent ON wp_posts (post_parent);
CREATE INDEX wp_posts__post_author ON wp_posts (post_author);

INSERT INTO wp_users SELECT i, word(i), word(i), word(i) || '@mail.example', datetime(1500000000 + i * 20000, 'unixepoch'), title(1, i, 2) \
FROM numbers WHERE i <= 6000;
INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT i, 'wp_capabilities', CASE WHEN i <= 3 THEN \
'a:1:{s:13:"administrator";b:1;}' WHEN i % 300 = 0 THEN 'a:1:{s:6:"author";b:1;}' WHEN i % 5 = 0 THEN 'a:1:{s:10:"subscriber";b:1;}' ELSE \
'a:1:{s:8:"customer";b:1;}' END FROM numbers WHERE i <= 6000;
INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT 1 + i % 6000, CASE i / 6000 WHEN 0 THEN 'nickname' WHEN 1 THEN 'first_name' \
WHEN 2 THEN 'session_tokens' ELSE 'billing_city' END, iif(i / 6000 = 2, prose(2, i, 120), word(skewed(3, i, 900))) FROM numbers WHERE i < \
24000;
INSERT INTO wp_terms SELECT i, title(4, i, 2), word(i), 0 FROM numbers WHERE i <= 900;
INSERT INTO wp_term_taxonomy SELECT i, i, CASE WHEN i <= 40 THEN 'category' WHEN i <= 100 THEN 'product_cat' ELSE 'post_tag' END, 0, 0 \
FROM numbers WHERE i <= 900;
INSERT INTO wp_posts
SELECT i, iif(chance(5, i) < 0.7, 1 + skewed(6, i, 3), 300 * skewed(7, i, 20)), datetime(1520000000 + i * 8000, 'unixepoch'), prose(8, i, \
100 + pick(9, i, 500)), title(10, i, 5), '',
  CASE WHEN i % 20 IN (0, 1, 2, 3, 4, 5, 6) THEN 'inherit' WHEN i % 20 IN (7, 8, 9, 10) THEN 'inherit' WHEN chance(11, i) < 0.04 THEN \
'draft' WHEN chance(12, i) < 0.02 THEN 'private' ELSE 'publish' END, '', word(i * 3), datetime(1520000000 + i * 8000 + pick(13, i, \
9000000), 'unixepoch'),
  iif(i % 20 IN (0, 1, 2, 3, 4, 5, 6), i / 20 * 20 + 12, 0), 'https://site.example/?p=' || i, 0, CASE WHEN i % 20 IN (0, 1, 2, 3, 4, 5, 6) \
THEN 'revision' WHEN i % 20 IN (7, 8, 9, 10) THEN 'attachment' WHEN i % 20 IN (11, 12, 13, 14, 15) THEN 'post' WHEN i % 400 = 16 THEN \
'page' ELSE 'product' END, '', 0
FROM numbers WHERE i <= 20000;
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_thumbnail_id', ID / 20 * 20 + 7 + ID % 4 FROM wp_posts WHERE \
post_type IN ('post', 'product') AND chance(14, ID) < 0.5;
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_edit_last', post_author FROM wp_posts WHERE post_type IN ('post', \
'product', 'page');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, 'post_views_count', skewed(15, ID, 90000) FROM wp_posts WHERE post_type \
IN ('post', 'product');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_price', (100 + skewed(16, ID, 60000)) / 100.0 FROM wp_posts WHERE \
post_type = 'product';
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_sku', printf('SKU-%05d', ID * 7) FROM wp_posts WHERE post_type = 'product';
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_wp_attached_file', '2020/' || (1 + ID % 12) || '/' || word(ID) || \
'.jpg' FROM wp_posts WHERE post_type = 'attachment';
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_wp_attachment_metadata', prose(17, ID, 300) FROM wp_posts WHERE \
post_type = 'attachment';
INSERT OR IGNORE INTO wp_term_relationships SELECT ID, iif(chance(18, ID) < 0.6, 1, skewed(19, ID, 40)), 0 FROM wp_posts WHERE post_type = 'post';
INSERT OR IGNORE INTO wp_term_relationships SELECT ID, 40 + skewed(20, ID, 60), 0 FROM wp_posts WHERE post_type = 'product';
INSERT OR IGNORE INTO wp_term_relationships SELECT ID, 100 + skewed(21, ID * 5 + i, 800), 0 FROM wp_posts JOIN numbers ON i <= 3 WHERE \
post_type = 'post';
INSERT INTO wp_comments
SELECT i, 11 + 20 * skewed(22, i, 990), title(23, i, 2), word(skewed(24, i, 5000)) || '@mail.example', '192.0.2.' || pick(25, i, 250), \
datetime(1540000000 + i * 5500, 'unixepoch'), prose(26, i, 40 + pick(27, i, 200)), CASE WHEN chance(28, i) < 0.12 THEN 'spam' WHEN \
chance(29, i) < 0.03 THEN '0' ELSE '1' END, 'comment', iif(chance(30, i) < 0.3, max(1, i - 5), 0), iif(chance(31, i) < 0.3, skewed(32, i, \
6000), 0)
FROM numbers WHERE i <= 24000;
INSERT INTO wp_options SELECT i, CASE WHEN i <= 400 THEN 'option_' || word(i) WHEN i % 2 = 0 THEN '_transient_' || word(i) ELSE \
'_transient_timeout_' || word(i - 1) END, prose(33, i, skewed(34, i, 1500)), iif(i <= 300, 'yes', 'no') FROM numbers WHERE i <= 2400;

-- statement: wordpress-01
-- fine
-- because: the newest posts, in the order of an index

SELECT wp_posts.ID FROM wp_posts WHERE 1 = 1 AND wp_posts.post_type = 'post' AND wp_posts.post_status = 'publish' ORDER BY \
wp_posts.post_date DESC LIMIT 0, 10

-- statement: wordpress-02
-- is: expression-index, full-scan, function-on-column, index-not-covering, join-order, missing-statistics, sort-without-index
-- because: products of a range of prices, which are text: each price is cast, and the cast keeps the collation of the column
-- run: 400.0, 420.0 | 550.0, 600.0

SELECT DISTINCT wp_posts.ID, wp_posts.post_title FROM wp_posts INNER JOIN wp_postmeta ON wp_posts.ID = wp_postmeta.post_id WHERE \
wp_postmeta.meta_key = '_price' AND CAST(wp_postmeta.meta_value AS REAL) BETWEEN ? AND ? AND wp_posts.post_type = 'product' AND \
wp_posts.post_status = 'publish' ORDER BY wp_posts.post_date DESC LIMIT 20

-- best
-- index: wp_postmeta (meta_key, CAST(meta_value AS REAL) COLLATE NOCASE, post_id)

-- or
-- index: wp_postmeta (meta_key, CAST(meta_value AS REAL) COLLATE NOCASE)

-- statement: wordpress-03
-- is: full-scan, index-not-covering
-- because: the product with a number: all products are read until it comes
-- run: 'SKU-25333' | 'SKU-99999' | 'sku-139993'

SELECT post_id FROM wp_postmeta WHERE meta_key = '_sku' AND meta_value = ? LIMIT 1

-- best
-- index: wp_postmeta (meta_key, meta_value, post_id)

-- or
-- index: wp_postmeta (meta_value)

-- or
-- index: wp_postmeta (meta_key, meta_value)

-- statement: wordpress-04
-- is: index-not-covering, subquery-per-row, type-mismatch
-- because: old pictures that no post shows: numbers as text are compared with numbers, so that no index on them serves
-- run: '2018-03-20 00:00:00'

SELECT ID, post_title FROM wp_posts WHERE post_type = 'attachment' AND post_status = 'inherit' AND post_date < ? AND NOT EXISTS (SELECT 1 \
FROM wp_postmeta WHERE meta_key = '_thumbnail_id' AND meta_value = wp_posts.ID)

-- best
-- index: wp_postmeta (meta_key, meta_value)

SELECT ID, post_title FROM wp_posts WHERE post_type = 'attachment' AND post_status = 'inherit' AND post_date < ? AND NOT EXISTS (SELECT 1 \
FROM wp_postmeta WHERE meta_key = '_thumbnail_id' AND meta_value = CAST(wp_posts.ID AS TEXT))

-- or

SELECT ID, post_title FROM wp_posts WHERE post_type = 'attachment' AND post_status = 'inherit' AND post_date < ? AND ID NOT IN (SELECT \
CAST(meta_value AS INTEGER) FROM wp_postmeta WHERE meta_key = '_thumbnail_id')

-- statement: wordpress-05
-- is: full-scan, index-not-covering, sort-without-index, subquery-per-row
-- because: the newest posts but those of a large category: all of the category is gathered for ten

SELECT ID FROM wp_posts WHERE ID NOT IN (SELECT object_id FROM wp_term_relationships WHERE term_taxonomy_id IN (1)) AND post_type = 'post' \
AND (post_status = 'publish' OR post_status = 'private') ORDER BY post_date DESC LIMIT 0, 10

-- best
-- index: wp_posts (post_type, post_date, post_status)

SELECT ID FROM wp_posts WHERE NOT EXISTS (SELECT 1 FROM wp_term_relationships AS r WHERE r.object_id = wp_posts.ID AND r.term_taxonomy_id \
IN (1)) AND post_type = 'post' AND post_status IN ('publish', 'private') ORDER BY post_date DESC LIMIT 0, 10

-- statement: wordpress-06
-- is: expression-index, sort-without-index
-- because: what is read most: counts as text, made numbers for the order

SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = 'post_views_count' ORDER BY meta_value + 0 DESC LIMIT 10

-- best
-- index: wp_postmeta (meta_key, meta_value + 0)

-- or
-- index: wp_postmeta (meta_key, meta_value + 0 DESC, post_id, meta_value)

-- statement: wordpress-07
-- is: full-scan, index-not-covering
-- because: how much a user commented: the index on what is approved gives nearly all
-- run: 1 | 40 | 3000

SELECT COUNT(*) FROM wp_comments WHERE (comment_approved = '1') AND user_id = ?

-- best
-- index: wp_comments (user_id, comment_approved)

-- or
-- index: wp_comments (user_id)

-- statement: wordpress-08
-- is: full-scan
-- because: whether an imported post is there: its address has no index
-- run: 'https://site.example/?p=17001' | 'https://other.example/x.jpg'

SELECT ID FROM wp_posts WHERE guid = ?

-- best
-- index: wp_posts (guid)

-- statement: wordpress-09
-- is: large-offset, sort-without-index
-- because: a page far back of the comments: all that come before it are counted off

SELECT comment_ID, comment_date_gmt FROM wp_comments WHERE (comment_approved = '0' OR comment_approved = '1') ORDER BY comment_date_gmt \
DESC LIMIT 16000, 20

-- best
-- run: '2019-10-24 20:38:20'

SELECT comment_ID, comment_date_gmt FROM wp_comments WHERE (comment_approved = '0' OR comment_approved = '1') AND comment_date_gmt < ? \
ORDER BY comment_date_gmt DESC LIMIT 20

-- statement: wordpress-10
-- is: index-not-covering, partial-index, sort-without-index
-- because: when something was changed last: all that is public is read and sorted

SELECT post_modified_gmt FROM wp_posts WHERE post_status = 'publish' AND post_type IN ('post', 'page', 'product') ORDER BY \
post_modified_gmt DESC LIMIT 1

-- best
-- index: wp_posts (post_status, post_modified_gmt, post_type)

-- or
-- index: wp_posts (post_status, post_modified_gmt)

-- statement: wordpress-11
-- is: full-scan, harmful-index, index-not-covering, missing-statistics
-- because: the newest posts of somebody who writes little: all are walked from the newest
-- run: 300 | 2700 | 5400

SELECT ID, post_title FROM wp_posts WHERE post_author = ? AND post_type = 'post' AND post_status = 'publish' ORDER BY post_date DESC LIMIT 0, 10

-- best
-- index: wp_posts (post_author, post_type, post_status, post_date)

-- or
-- index: wp_posts (post_type, post_status, post_author, post_date)

-- statement: wordpress-12
-- is: pattern-without-index
-- because: a search for a word in all texts
-- run: '%hamuna%' | '%flowece%'

SELECT ID, post_title FROM wp_posts WHERE ((post_title LIKE ?1) OR (post_excerpt LIKE ?1) OR (post_content LIKE ?1)) AND post_type IN \
('post', 'page') AND post_status = 'publish' ORDER BY post_title LIKE ?1 DESC, post_date DESC LIMIT 0, 10

-- best: design

-- statement: wordpress-13
-- fine
-- tolerated: index-not-covering
-- because: the options that each page needs: few, by their index

SELECT option_name, option_value FROM wp_options WHERE autoload IN ('yes', 'on', 'auto-on', 'auto')

-- statement: wordpress-14
-- fine
-- because: how many comments wait, counted in an index

SELECT comment_approved, COUNT(*) AS total FROM wp_comments GROUP BY comment_approved

-- statement: wordpress-15
-- fine
-- because: all that belongs to a post, by its index
-- run: 312

SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ?
