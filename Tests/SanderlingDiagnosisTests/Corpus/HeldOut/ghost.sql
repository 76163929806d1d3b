-- schema: ghost
-- about: A site with posts, members and newsletters: who was sent what, who opened and clicked it, and comments.
-- origin: Ghost 6 (MIT, Copyright Ghost Foundation): twenty-three of its tables, some with fewer columns, with the indexes that it makes \
--   in SQLite, where foreign keys have none
-- superfluous: duplicate-index emails_post_id_index

CREATE TABLE newsletters (id varchar(24) NOT NULL, uuid varchar(36) NOT NULL, name varchar(191) NOT NULL, slug varchar(191) NOT NULL, \
status varchar(50) NOT NULL DEFAULT 'active', PRIMARY KEY (id));
CREATE UNIQUE INDEX newsletters_slug_unique ON newsletters (slug);
CREATE TABLE users (id varchar(24) NOT NULL, name varchar(191) NOT NULL, slug varchar(191) NOT NULL, email varchar(191) NOT NULL, status \
varchar(50) NOT NULL DEFAULT 'active', last_seen datetime, PRIMARY KEY (id));
CREATE UNIQUE INDEX users_slug_unique ON users (slug);
CREATE UNIQUE INDEX users_email_unique ON users (email);
CREATE TABLE posts (
  id varchar(24) NOT NULL, uuid varchar(36) NOT NULL, title varchar(2000) NOT NULL, slug varchar(191) NOT NULL, lexical text, html text, \
plaintext text, featured boolean NOT NULL DEFAULT '0', type varchar(50) NOT NULL DEFAULT 'post',
  status varchar(50) NOT NULL DEFAULT 'draft', visibility varchar(50) NOT NULL DEFAULT 'public', created_at datetime NOT NULL, updated_at \
datetime, published_at datetime, custom_excerpt varchar(2000), newsletter_id varchar(24),
  FOREIGN KEY (newsletter_id) REFERENCES newsletters (id), PRIMARY KEY (id));
CREATE UNIQUE INDEX posts_slug_type_unique ON posts (slug, type);
CREATE INDEX posts_uuid_index ON posts (uuid);
CREATE INDEX posts_updated_at_index ON posts (updated_at);
CREATE INDEX posts_published_at_index ON posts (published_at);
CREATE INDEX posts_type_status_updated_at_index ON posts (type, status, updated_at);
CREATE TABLE posts_authors (
  id varchar(24) NOT NULL, post_id varchar(24) NOT NULL, author_id varchar(24) NOT NULL, sort_order integer NOT NULL DEFAULT '0', FOREIGN \
KEY (post_id) REFERENCES posts (id), FOREIGN KEY (author_id) REFERENCES users (id), PRIMARY KEY (id));
CREATE TABLE tags (id varchar(24) NOT NULL, name varchar(191) NOT NULL, slug varchar(191) NOT NULL, visibility varchar(50) NOT NULL \
DEFAULT 'public', PRIMARY KEY (id));
CREATE UNIQUE INDEX tags_slug_unique ON tags (slug);
CREATE TABLE posts_tags (
  id varchar(24) NOT NULL, post_id varchar(24) NOT NULL, tag_id varchar(24) NOT NULL, sort_order integer NOT NULL DEFAULT '0', FOREIGN KEY \
(post_id) REFERENCES posts (id), FOREIGN KEY (tag_id) REFERENCES tags (id), PRIMARY KEY (id));
CREATE INDEX posts_tags_post_id_tag_id_index ON posts_tags (post_id, tag_id);
CREATE TABLE members (
  id varchar(24) NOT NULL, uuid varchar(36) NOT NULL, transient_id varchar(191) NOT NULL, email varchar(191) NOT NULL, status varchar(50) \
NOT NULL DEFAULT 'free', name varchar(191), note varchar(2000), geolocation varchar(2000),
  email_count integer NOT NULL DEFAULT '0', email_opened_count integer NOT NULL DEFAULT '0', email_open_rate integer, email_disabled \
boolean NOT NULL DEFAULT '0', last_seen_at datetime, last_commented_at datetime,
  created_at datetime NOT NULL, updated_at datetime, PRIMARY KEY (id));
CREATE UNIQUE INDEX members_uuid_unique ON members (uuid);
CREATE UNIQUE INDEX members_transient_id_unique ON members (transient_id);
CREATE UNIQUE INDEX members_email_unique ON members (email);
CREATE INDEX members_email_open_rate_index ON members (email_open_rate);
CREATE INDEX members_email_disabled_index ON members (email_disabled);
CREATE TABLE labels (id varchar(24) NOT NULL, name varchar(191) NOT NULL, slug varchar(191) NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX labels_slug_unique ON labels (slug);
CREATE TABLE members_labels (
  id varchar(24) NOT NULL, member_id varchar(24) NOT NULL, label_id varchar(24) NOT NULL, sort_order integer NOT NULL DEFAULT '0', FOREIGN \
KEY (member_id) REFERENCES members (id) ON DELETE CASCADE,
  FOREIGN KEY (label_id) REFERENCES labels (id) ON DELETE CASCADE, PRIMARY KEY (id));
CREATE TABLE members_newsletters (
  id varchar(24) NOT NULL, member_id varchar(24) NOT NULL, newsletter_id varchar(24) NOT NULL, FOREIGN KEY (member_id) REFERENCES members \
(id) ON DELETE CASCADE, FOREIGN KEY (newsletter_id) REFERENCES newsletters (id) ON DELETE CASCADE,
  PRIMARY KEY (id));
CREATE INDEX members_newsletters_newsletter_id_member_id_index ON members_newsletters (newsletter_id, member_id);
CREATE TABLE members_created_events (
  id varchar(24) NOT NULL, created_at datetime NOT NULL, member_id varchar(24) NOT NULL, attribution_id varchar(24), attribution_type \
varchar(50), attribution_url varchar(2000), referrer_source varchar(191), referrer_url varchar(2000),
  source varchar(50) NOT NULL, FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE CASCADE, PRIMARY KEY (id));
CREATE INDEX members_created_events_attribution_id_index ON members_created_events (attribution_id);
CREATE TABLE members_status_events (
  id varchar(24) NOT NULL, member_id varchar(24) NOT NULL, from_status varchar(50), to_status varchar(50), created_at datetime NOT NULL, \
FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE CASCADE, PRIMARY KEY (id));
CREATE TABLE redirects (
  id varchar(24) NOT NULL, "from" varchar(191) NOT NULL, "to" varchar(2000) NOT NULL, post_id varchar(24), created_at datetime NOT NULL, \
FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE SET NULL, PRIMARY KEY (id));
CREATE INDEX redirects_from_index ON redirects ("from");
CREATE TABLE members_click_events (
  id varchar(24) NOT NULL, member_id varchar(24) NOT NULL, redirect_id varchar(24) NOT NULL, created_at datetime NOT NULL, FOREIGN KEY \
(member_id) REFERENCES members (id) ON DELETE CASCADE,
  FOREIGN KEY (redirect_id) REFERENCES redirects (id) ON DELETE CASCADE, PRIMARY KEY (id));
CREATE TABLE members_feedback (
  id varchar(24) NOT NULL, score integer NOT NULL DEFAULT '0', member_id varchar(24) NOT NULL, post_id varchar(24) NOT NULL, created_at \
datetime NOT NULL, FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE CASCADE,
  FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE, PRIMARY KEY (id));
CREATE TABLE comments (
  id varchar(24) NOT NULL, post_id varchar(24) NOT NULL, member_id varchar(24), parent_id varchar(24), status varchar(50) NOT NULL DEFAULT \
'published', html text, created_at datetime NOT NULL, updated_at datetime NOT NULL,
  FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE, FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE SET NULL, \
FOREIGN KEY (parent_id) REFERENCES comments (id) ON DELETE CASCADE, PRIMARY KEY (id));
CREATE TABLE comment_likes (
  id varchar(24) NOT NULL, comment_id varchar(24) NOT NULL, member_id varchar(24) NOT NULL, created_at datetime NOT NULL, FOREIGN KEY \
(comment_id) REFERENCES comments (id) ON DELETE CASCADE,
  FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE CASCADE, PRIMARY KEY (id));
CREATE TABLE emails (
  id varchar(24) NOT NULL, post_id varchar(24) NOT NULL, uuid varchar(36) NOT NULL, status varchar(50) NOT NULL DEFAULT 'pending', \
email_count integer NOT NULL DEFAULT '0', delivered_count integer NOT NULL DEFAULT '0',
  opened_count integer NOT NULL DEFAULT '0', failed_count integer NOT NULL DEFAULT '0', subject varchar(300), track_opens boolean NOT NULL \
DEFAULT '0', submitted_at datetime NOT NULL, newsletter_id varchar(24),
  FOREIGN KEY (newsletter_id) REFERENCES newsletters (id), PRIMARY KEY (id));
CREATE INDEX emails_post_id_index ON emails (post_id);
CREATE UNIQUE INDEX emails_post_id_unique ON emails (post_id);
CREATE TABLE email_batches (id varchar(24) NOT NULL, email_id varchar(24) NOT NULL, provider_id varchar(255), status varchar(50) NOT NULL \
DEFAULT 'pending', created_at datetime NOT NULL, FOREIGN KEY (email_id) REFERENCES emails (id), PRIMARY KEY (id));
CREATE TABLE email_recipients (
  id varchar(24) NOT NULL, email_id varchar(24) NOT NULL, member_id varchar(24) NOT NULL, batch_id varchar(24) NOT NULL, processed_at \
datetime, delivered_at datetime, opened_at datetime, failed_at datetime, member_uuid varchar(36) NOT NULL,
  member_email varchar(191) NOT NULL, member_name varchar(191), FOREIGN KEY (email_id) REFERENCES emails (id), FOREIGN KEY (batch_id) \
REFERENCES email_batches (id), PRIMARY KEY (id));
CREATE INDEX email_recipients_member_id_index ON email_recipients (member_id);
CREATE INDEX email_recipients_email_id_member_email_index ON email_recipients (email_id, member_email);
CREATE INDEX email_recipients_email_id_delivered_at_index ON email_recipients (email_id, delivered_at);
CREATE INDEX email_recipients_email_id_opened_at_index ON email_recipients (email_id, opened_at);
CREATE INDEX email_recipients_email_id_failed_at_index ON email_recipients (email_id, failed_at);
CREATE TABLE actions (
  id varchar(24) NOT NULL, resource_id varchar(24), resource_type varchar(50) NOT NULL, actor_id varchar(24) NOT NULL, actor_type \
varchar(50) NOT NULL, event varchar(50) NOT NULL, context text, created_at datetime NOT NULL, PRIMARY KEY (id));

INSERT INTO newsletters SELECT printf('ee%022x', i), printf('uuid-%x', i), word(i), word(i), 'active' FROM numbers WHERE i <= 4;
INSERT INTO users SELECT printf('dd%022x', i), title(1, i, 2), word(i), word(i) || '@example.com', 'active', NULL FROM numbers WHERE i <= 25;
INSERT INTO posts
SELECT printf('bb%022x', i), printf('%08x-0000', i * 104729), title(2, i, 6), word(i) || '-' || word(i * 3), '{"root":"' || prose(3, i, \
500 + skewed(4, i, 5000)) || '"}', '<p>' || prose(3, i, 500 + skewed(4, i, 5000)) || '</p>', prose(3, i, 500 + skewed(4, i, 5000)), \
chance(5, i) < 0.05,
  iif(chance(6, i) < 0.03, 'page', 'post'), CASE WHEN chance(7, i) < 0.85 THEN 'published' WHEN chance(7, i) < 0.97 THEN 'draft' WHEN \
chance(7, i) < 0.99 THEN 'sent' ELSE 'scheduled' END, iif(chance(8, i) < 0.8, 'public', 'paid'),
  strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 110000, 'unixepoch'), strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 110000 + skewed(9, \
i, 30000000), 'unixepoch'),
  iif(chance(7, i) >= 0.85 AND chance(7, i) < 0.97, NULL, strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 110000 + pick(10, i, 400000), \
'unixepoch')), iif(chance(11, i) < 0.4, title(12, i, 9), NULL), NULL FROM numbers WHERE i <= 1300;
INSERT INTO posts_authors SELECT printf('ba%022x', i), printf('bb%022x', 1 + i % 1300), printf('dd%022x', skewed(13, i, 25)), 0 FROM \
numbers WHERE i <= 1450;
INSERT INTO tags SELECT printf('cc%022x', i), iif(i % 12 = 0, '#', '') || title(14, i, 1), word(i * 5), iif(i % 12 = 0, 'internal', \
'public') FROM numbers WHERE i <= 90;
INSERT INTO posts_tags SELECT printf('bc%022x', i), printf('bb%022x', 1 + i % 1300), printf('cc%022x', skewed(15, i, 90)), i / 1300 FROM \
numbers WHERE i <= 4000;
INSERT INTO members
SELECT printf('aa%022x', i), printf('%08x-0000-4000', i * 7919), printf('t%012x', i * 15485863), word(skewed(16, i, 3000)) || i || '@' || \
word(skewed(17, i, 40)) || '.example', CASE WHEN chance(18, i) < 0.93 THEN 'free' WHEN chance(18, i) < 0.99 THEN 'paid' ELSE 'comped' END,
  iif(chance(19, i) < 0.35, NULL, title(20, i, 2)), iif(chance(21, i) < 0.95, NULL, prose(22, i, 200)), iif(chance(23, i) < 0.4, NULL, \
'{"country":"' || word(skewed(24, i, 60)) || '","region":"' || word(pick(25, i, 500)) || '","timezone":"Europe/X"}'),
  pick(26, i, 120), 0, iif(chance(27, i) < 0.3, NULL, min(100, skewed(28, i, 130))), chance(29, i) < 0.015, iif(chance(30, i) < 0.2, NULL, \
strftime('%Y-%m-%d %H:%M:%S', 1735000000 - skewed(31, i, 90000000), 'unixepoch')), NULL,
  strftime('%Y-%m-%d %H:%M:%S', 1610000000 + i * 7900, 'unixepoch'), NULL FROM numbers WHERE i <= 15000;
INSERT INTO labels SELECT printf('1a%022x', i), title(32, i, 1), word(i * 9) FROM numbers WHERE i <= 25;
INSERT INTO members_labels SELECT printf('1b%022x', i), printf('aa%022x', pick(33, i, 15000)), printf('1a%022x', skewed(34, i, 25)), 0 \
FROM numbers WHERE i <= 6000;
INSERT INTO members_newsletters SELECT printf('1c%022x', i), printf('aa%022x', 1 + i % 15000), printf('ee%022x', iif(i <= 13000, 1, 1 + \
skewed(35, i, 3))) FROM numbers WHERE i <= 19000;
INSERT INTO members_created_events
SELECT printf('1d%022x', i), m.created_at, m.id, iif(chance(36, i) < 0.4, printf('bb%022x', skewed(37, i, 1300)), NULL), iif(chance(36, i) \
< 0.4, 'post', iif(chance(38, i) < 0.7, 'url', NULL)), iif(chance(36, i) < 0.4, '/' || word(skewed(37, i, 1300)) || '/', '/'),
  CASE WHEN chance(39, i) < 0.5 THEN 'Direct' WHEN chance(39, i) < 0.8 THEN 'Google' ELSE word(skewed(40, i, 90)) END, NULL, \
iif(chance(41, i) < 0.1, 'import', 'member') FROM numbers JOIN members AS m ON m.id = printf('aa%022x', i) WHERE i <= 15000;
INSERT INTO members_status_events SELECT printf('1e%022x', i), printf('aa%022x', iif(i <= 15000, i, pick(42, i, 15000))), iif(i <= 15000, \
NULL, 'free'), iif(i <= 15000, 'free', iif(chance(43, i) < 0.6, 'paid', 'free')), strftime('%Y-%m-%d %H:%M:%S', 1610000000 + i * 7200, \
'unixepoch') FROM numbers WHERE i <= 17000;
INSERT INTO redirects SELECT printf('1f%022x', i), '/r/' || printf('%08x', i * 7919), 'https://' || word(skewed(44, i, 700)) || \
'.example/' || word(i), iif(chance(45, i) < 0.03, NULL, printf('bb%022x', 1 + i / 3)), '2024-01-01 00:00:00' FROM numbers WHERE i <= 3600;
INSERT INTO members_click_events SELECT printf('2a%022x', i), printf('aa%022x', skewed(46, i, 15000)), printf('1f%022x', 3601 - skewed(47, \
i, 3600)), strftime('%Y-%m-%d %H:%M:%S', 1700000000 + i * 1100, 'unixepoch') FROM numbers WHERE i <= 30000;
INSERT INTO members_feedback SELECT printf('2b%022x', i), chance(48, i) < 0.8, printf('aa%022x', pick(49, i, 15000)), printf('bb%022x', \
1301 - skewed(50, i, 600)), strftime('%Y-%m-%d %H:%M:%S', 1720000000 + i * 3000, 'unixepoch') FROM numbers WHERE i <= 4000;
INSERT INTO comments
SELECT printf('2c%022x', i), printf('bb%022x', 1301 - skewed(51, iif(chance(53, i) < 0.4 AND i > 10, i - i % 7, i), 1200)), iif(chance(52, \
i) < 0.03, NULL, printf('aa%022x', skewed(54, i, 15000))), iif(chance(53, i) < 0.4 AND i > 10 AND i % 7 > 0, printf('2c%022x', i - i % 7), \
NULL),
  CASE WHEN chance(55, i) < 0.96 THEN 'published' WHEN chance(55, i) < 0.98 THEN 'hidden' ELSE 'deleted' END, '<p>' || prose(56, i, 40 + \
skewed(57, i, 600)) || '</p>', strftime('%Y-%m-%d %H:%M:%S', 1700000000 + i * 5000, 'unixepoch'), strftime('%Y-%m-%d %H:%M:%S', 1700000000 \
+ i * 5000, 'unixepoch')
FROM numbers WHERE i <= 7000;
INSERT INTO comment_likes SELECT printf('2d%022x', i), printf('2c%022x', 7001 - skewed(58, i, 7000)), printf('aa%022x', skewed(59, i, \
15000)), '2025-01-01 00:00:00' FROM numbers WHERE i <= 9000;
INSERT INTO emails SELECT printf('2e%022x', i), printf('bb%022x', 1300 - i * 5), printf('%x', i), iif(i = 3, 'failed', 'submitted'), 900, \
0, skewed(60, i, 700), 0, title(2, 1300 - i * 5, 6), 1, strftime('%Y-%m-%d %H:%M:%S', 1740000000 - i * 550000, 'unixepoch'), NULL FROM \
numbers WHERE i <= 80;
INSERT INTO email_batches SELECT printf('2f%022x', i), printf('2e%022x', 1 + i / 3), '<' || i || '@mg.example>', iif(chance(61, i) < 0.02, \
'failed', 'submitted'), '2025-01-01 00:00:00' FROM numbers WHERE i < 240;
INSERT INTO email_recipients
SELECT printf('3a%022x', i), printf('2e%022x', 1 + i / 600), m.id, printf('2f%022x', max(1, i / 200)), '2025-01-01 00:00:00', \
iif(chance(62, i) < 0.02, NULL, strftime('%Y-%m-%d %H:%M:%S', 1740000000 - i * 900, 'unixepoch')),
  iif(chance(63, i) < 0.6, NULL, strftime('%Y-%m-%d %H:%M:%S', 1740000000 - i * 900 + skewed(64, i, 90000), 'unixepoch')), iif(chance(62, \
i) < 0.015, strftime('%Y-%m-%d %H:%M:%S', 1740000000 - i * 900, 'unixepoch'), NULL), m.uuid, m.email, m.name
FROM numbers JOIN members AS m ON m.id = printf('aa%022x', 1 + i * 7 % 15000) WHERE i < 47900;
INSERT INTO actions SELECT printf('3b%022x', i), iif(chance(65, i) < 0.02, NULL, printf('bb%022x', skewed(66, i, 1300))), iif(chance(67, \
i) < 0.8, 'post', 'page'), printf('dd%022x', skewed(68, i, 25)), 'user', iif(chance(69, i) < 0.85, 'edited', 'added'), '{"primary_name":"' \
|| prose(70, i, 60) || '"}',
  strftime('%Y-%m-%d %H:%M:%S', 1690000000 + i * 3000, 'unixepoch') FROM numbers WHERE i <= 14000;

-- statement: ghost-01
-- is: harmful-index, missing-statistics, sort-without-index
-- because: the front page: all posts are sorted, as the index goes on with another time

SELECT posts.* FROM posts WHERE (posts.status = 'published' AND posts.type = 'post') ORDER BY posts.published_at DESC, posts.id DESC LIMIT 15

-- best
-- index: posts (type, status, published_at, id)

-- or
-- index: posts (type, status, published_at)

-- or

SELECT posts.* FROM posts WHERE (+posts.status = 'published' AND +posts.type = 'post') ORDER BY posts.published_at DESC, posts.id DESC LIMIT 15

-- statement: ghost-02
-- is: automatic-index, full-scan, join-order
-- because: paying members with a label that few have: the labels of all members are read
-- run: 'gruyo' | 'zuno'

SELECT members.id, members.email, members.name FROM members WHERE members.status <> 'free' AND members.id IN (
  SELECT members_labels.member_id FROM members_labels INNER JOIN labels ON labels.id = members_labels.label_id WHERE labels.slug = ?)
ORDER BY members.created_at DESC LIMIT 50

-- best
-- index: members_labels (label_id, member_id)

-- or
-- index: members_labels (label_id)

-- statement: ghost-03
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: members by the start of their address: LIKE doesn't mind the case, the unique index does
-- run: 'quigu9%' | 'HAFLO%'

SELECT id, email, name, status FROM members WHERE email LIKE ? ORDER BY email LIMIT 20

-- best
-- index: members (email COLLATE NOCASE)

-- statement: ghost-04
-- fine
-- tolerated: index-not-covering, subquery-per-row
-- because: the counts of a mail that was sent, each by its index
-- run: '2e0000000000000000000014'

UPDATE emails SET delivered_count = (SELECT count(*) FROM email_recipients WHERE email_id = emails.id AND delivered_at IS NOT NULL),
  opened_count = (SELECT count(*) FROM email_recipients WHERE email_id = emails.id AND opened_at IS NOT NULL),
  failed_count = (SELECT count(*) FROM email_recipients WHERE email_id = emails.id AND failed_at IS NOT NULL) WHERE id = ?

-- statement: ghost-05
-- is: full-scan, group-without-index, harmful-index
-- because: posts that brought members in a month: the index is walked for its groups
-- run: '2024-01-01', '2024-02-01'

SELECT attribution_id, count(*) AS signups FROM members_created_events WHERE attribution_type = 'post' AND created_at >= ? AND created_at \
< ? GROUP BY attribution_id ORDER BY signups DESC, attribution_id LIMIT 20

-- best
-- index: members_created_events (attribution_type, created_at, attribution_id)

-- or
-- index: members_created_events (created_at)

-- statement: ghost-06
-- is: automatic-index, full-scan
-- because: the links of a post that were clicked: both tables are read, and an index is made for it
-- run: 'bb00000000000000000004b0' | 'bb00000000000000000003e8'

SELECT r."to" AS url, count(DISTINCT c.member_id) AS clicks FROM redirects AS r LEFT JOIN members_click_events AS c ON c.redirect_id = \
r.id WHERE r.post_id = ? GROUP BY r.id ORDER BY clicks DESC

-- best
-- index: redirects (post_id)
-- index: members_click_events (redirect_id, member_id)

-- statement: ghost-07
-- is: foreign-key-without-index
-- because: a member leaves: eight tables are read for what was theirs
-- run: 'aa000000000000000000004d' | 'aa00000000000000000036b0'

DELETE FROM members WHERE id = ?

-- best
-- index: members_newsletters (member_id)
-- index: members_click_events (member_id)
-- index: members_status_events (member_id)
-- index: members_created_events (member_id)
-- index: members_labels (member_id)
-- index: comments (member_id)
-- index: comment_likes (member_id)
-- index: members_feedback (member_id)

-- statement: ghost-08
-- is: full-scan, sort-without-index, subquery-per-row
-- because: the comments on a post: for each, all comments and all likes are read
-- run: 'bb00000000000000000004e2' | 'bb00000000000000000003e8'

SELECT c.id, c.html, c.created_at, (SELECT count(*) FROM comments AS r WHERE r.parent_id = c.id AND r.status = 'published') AS count__replies,
  (SELECT count(*) FROM comment_likes AS l WHERE l.comment_id = c.id) AS count__likes
FROM comments AS c WHERE c.post_id = ? AND c.parent_id IS NULL AND c.status = 'published' ORDER BY c.created_at DESC LIMIT 20

-- best
-- index: comments (post_id, created_at)
-- index: comments (parent_id)
-- index: comment_likes (comment_id)

-- statement: ghost-09
-- is: automatic-index, join-fan-out, multiplied-aggregate
-- because: what readers did with each mail: each comment is counted once for each mark
-- run: '2024-06-01'

SELECT p.id, p.title, count(c.id) AS comments, count(f.id) AS feedback FROM emails AS e JOIN posts AS p ON p.id = e.post_id LEFT JOIN \
comments AS c ON c.post_id = p.id
LEFT JOIN members_feedback AS f ON f.post_id = p.id WHERE e.submitted_at >= ? GROUP BY p.id ORDER BY p.id

-- best
-- index: comments (post_id)
-- index: members_feedback (post_id)
-- changes results

SELECT p.id, p.title, (SELECT count(*) FROM comments AS c WHERE c.post_id = p.id) AS comments, (SELECT count(*) FROM members_feedback AS f \
WHERE f.post_id = p.id) AS feedback
FROM emails AS e JOIN posts AS p ON p.id = e.post_id WHERE e.submitted_at >= ? ORDER BY p.id

-- statement: ghost-10
-- is: index-not-covering, subquery-per-row, wide-rows-for-count
-- because: the counts of the latest mails: the key of each recipient is fetched to see that it is there

SELECT e.id, e.subject, (SELECT count(r.id) FROM email_recipients AS r WHERE r.email_id = e.id AND r.delivered_at IS NOT NULL) AS delivered,
  (SELECT count(r.id) FROM email_recipients AS r WHERE r.email_id = e.id AND r.opened_at IS NOT NULL) AS opened FROM emails AS e ORDER BY \
e.submitted_at DESC LIMIT 20

-- best

SELECT e.id, e.subject, (SELECT count(*) FROM email_recipients AS r WHERE r.email_id = e.id AND r.delivered_at IS NOT NULL) AS delivered,
  (SELECT count(*) FROM email_recipients AS r WHERE r.email_id = e.id AND r.opened_at IS NOT NULL) AS opened FROM emails AS e ORDER BY \
e.submitted_at DESC LIMIT 20

-- or
-- index: email_recipients (email_id, delivered_at, id)
-- index: email_recipients (email_id, opened_at, id)

-- statement: ghost-11
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: a member by the address as typed
-- run: 'Thapli4000@kifo.example' | 'nobody@example.com'

SELECT id, uuid, name FROM members WHERE lower(email) = lower(?)

-- best
-- index: members (lower(email))

-- or
-- index: members (email COLLATE NOCASE)

SELECT id, uuid, name FROM members WHERE email = ? COLLATE NOCASE

-- statement: ghost-12
-- is: harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: the most faithful readers: the index of who wants no mail is used, which all but a few have in common
-- run: 97 | 64

SELECT id, email, email_count FROM members WHERE email_disabled = 0 AND email_open_rate = ? AND email_count > 100 ORDER BY email_count \
DESC, id LIMIT 100

-- best
-- index: members (email_open_rate, email_disabled, email_count)

-- or
-- change: ANALYZE

-- or
-- change: DROP INDEX members_email_disabled_index

-- or

SELECT id, email, email_count FROM members WHERE +email_disabled = 0 AND email_open_rate = ? AND email_count > 100 ORDER BY email_count \
DESC, id LIMIT 100

-- statement: ghost-13
-- fine
-- tolerated: group-without-index
-- because: a post by its slug, with its tags
-- run: 'hatregu-soritu'

SELECT p.id, p.title, p.html, group_concat(t.name) FROM posts AS p LEFT JOIN posts_tags AS pt ON pt.post_id = p.id LEFT JOIN tags AS t ON \
t.id = pt.tag_id WHERE p.slug = ? AND p.type = 'post' GROUP BY p.id

-- statement: ghost-14
-- fine
-- because: a click, of a member and a link that indexes find
-- run: '2a00000000000000000dbba0', '2025-06-01 00:00:00', '/r/0030745f', '003c89bb-0000-4000'

INSERT INTO members_click_events (id, member_id, redirect_id, created_at) SELECT ?, m.id, r.id, ? FROM redirects AS r, members AS m WHERE \
r."from" = ? AND m.uuid = ?

-- statement: ghost-15
-- fine
-- tolerated: index-not-covering
-- because: how often a member opened: a few mails, by the index of members
-- run: 'aa00000000000000000010e1'

SELECT count(er.id) AS mails, sum(CASE WHEN er.opened_at IS NOT NULL THEN 1 ELSE 0 END) AS opened FROM email_recipients AS er JOIN emails \
AS e ON e.id = er.email_id WHERE er.member_id = ? AND e.track_opens = 1

-- statement: ghost-16
-- fine
-- tolerated: full-scan, or-without-index, pattern-without-index
-- because: where a link is to be replaced, in any form of the texts: they have to be read
-- run: '%gruhu pece%'

SELECT id, title, slug, status FROM posts WHERE lexical LIKE ?1 OR html LIKE ?1 OR plaintext LIKE ?1

-- statement: ghost-17
-- fine
-- tolerated: index-not-covering
-- because: the next page of the archive, by the time of the last one: hardly any post with a time isn't out
-- run: '2023-01-01 00:00:00' | '2022-03-01 00:00:00'

SELECT id, title, slug, custom_excerpt, published_at FROM posts WHERE published_at < ? AND status IN ('published', 'sent') ORDER BY \
published_at DESC LIMIT 20
