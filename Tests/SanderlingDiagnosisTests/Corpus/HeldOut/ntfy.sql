-- schema: ntfy
-- about: A cache of notifications: one wide table, with indexes of one column each.
-- origin: ntfy 2.0, message cache schema 10 (Apache-2.0 or GPL-2.0, Copyright Philipp C. Heckel): its table with its indexes

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, mid TEXT NOT NULL, time INT NOT NULL, expires INT NOT NULL, topic TEXT NOT NULL,
  message TEXT NOT NULL, title TEXT NOT NULL, priority INT NOT NULL, tags TEXT NOT NULL, click TEXT NOT NULL, icon TEXT NOT NULL,
  actions TEXT NOT NULL, attachment_name TEXT NOT NULL, attachment_type TEXT NOT NULL, attachment_size INT NOT NULL,
  attachment_expires INT NOT NULL, attachment_url TEXT NOT NULL, attachment_deleted INT NOT NULL, sender TEXT NOT NULL,
  user TEXT NOT NULL, encoding TEXT NOT NULL, published INT NOT NULL);
CREATE INDEX idx_mid ON messages (mid);
CREATE INDEX idx_time ON messages (time);
CREATE INDEX idx_topic ON messages (topic);
CREATE INDEX idx_expires ON messages (expires);
CREATE INDEX idx_attachment_expires ON messages (attachment_expires);

INSERT INTO messages
SELECT i, printf('m%011x', i * 7919), 1690000000 + i * 5, 1690000000 + i * 5 + 43200 * (1 + i % 2), 'topic-' || word(skewed(1, i, 150)),
  prose(2, i, 40 + pick(3, i, 300)), title(4, i, 3), pick(5, i, 5), iif(chance(6, i) < 0.4, 'warning,' || word(pick(7, i, 40)), ''), '', '', '',
  iif(chance(8, i) < 0.15, word(i) || '.jpg', ''), iif(chance(8, i) < 0.15, 'image/jpeg', ''), iif(chance(8, i) < 0.15, pick(9, i, 900000), 0),
  iif(chance(8, i) < 0.15, 1690000000 + i * 5 + 10800, 0), '', 0, '203.0.113.' || skewed(10, i, 200), iif(chance(11, i) < 0.3, 'u_' || \
word(skewed(12, i, 80)), ''), '',
  iif(chance(13, i) < 0.001, 0, 1)
FROM numbers WHERE i <= 40000;

-- statement: ntfy-01
-- is: full-scan, index-not-covering, sort-without-index
-- because: what a subscriber missed: either all of the topic or all of the hour is read
-- run: 'topic-bafo', 1690150000 | 'topic-loce', 1690190000

SELECT mid, time, topic, message, title, priority, tags FROM messages WHERE topic = ? AND time >= ? AND published = 1 ORDER BY time, id

-- best
-- index: messages (topic, time)

-- or
-- index: messages (topic, published, time)

-- statement: ntfy-02
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: what is due, asked every few seconds: one in a thousand isn't out yet
-- run: 1690300000

SELECT mid, time, topic, message FROM messages WHERE time <= ? AND published = 0 ORDER BY time, id

-- best
-- index: messages (time) WHERE published = 0

-- or
-- index: messages (published, time)

-- statement: ntfy-03
-- is: full-scan, index-not-covering, partial-index
-- because: what a visitor has stored: of 6,000 files some are the visitor's
-- run: '203.0.113.40', 1690100000 | '203.0.113.3', 1690050000

SELECT ifnull(sum(attachment_size), 0) FROM messages WHERE user = '' AND sender = ? AND attachment_expires >= ?

-- best
-- index: messages (sender, attachment_expires)

-- or
-- index: messages (user, sender, attachment_expires)

-- statement: ntfy-04
-- fine
-- because: all are counted, in an index of the topics

SELECT topic, count(*) FROM messages GROUP BY topic

-- statement: ntfy-05
-- is: distinct-without-index, full-scan, group-without-index
-- because: 150 topics of 40,000 messages: from one to the next in the index

SELECT DISTINCT topic FROM messages

-- best

WITH RECURSIVE t (topic) AS (
  SELECT min(topic) FROM messages UNION ALL
  SELECT (SELECT min(m.topic) FROM messages m WHERE m.topic > t.topic) FROM t WHERE t.topic IS NOT NULL)
SELECT topic FROM t WHERE topic IS NOT NULL

-- statement: ntfy-06
-- fine
-- because: the index of the topic ends with the key
-- run: 'topic-bafo', 39800

SELECT mid, time, message FROM messages WHERE topic = ? AND id > ? AND published = 1 ORDER BY time, id

-- statement: ntfy-07
-- is: full-scan, index-not-covering, sort-without-index
-- because: the last three of each topic: all are sorted

SELECT topic, mid, time FROM (
  SELECT topic, mid, time, row_number() OVER (PARTITION BY topic ORDER BY time DESC) AS place FROM messages) WHERE place <= 3

-- best
-- index: messages (topic, time DESC, mid)

-- statement: ntfy-08
-- is: full-scan, group-without-index, index-not-covering, partial-index
-- because: who stores files: four in a hundred

SELECT user, count(*), sum(attachment_size) FROM messages WHERE user <> '' AND attachment_size > 0 GROUP BY user HAVING count(*) > 2

-- best
-- index: messages (attachment_size, user)

-- or
-- index: messages (user, attachment_size)

-- statement: ntfy-09
-- fine
-- because: one message by its index
-- run: 'm00000001eef'

UPDATE messages SET published = 1 WHERE mid = ?
