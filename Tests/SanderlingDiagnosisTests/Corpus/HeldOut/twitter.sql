-- schema: twitter
-- about: An archive of posts: what people wrote, whom they follow and what they like, with full-text indexes kept by triggers.
-- origin: twitter-to-sqlite 0.22 (Apache-2.0, Copyright Simon Willison): six of its tables as sqlite-utils makes them, with an index on \
--   each foreign key, full-text indexes and triggers; the columns of users and tweets that the service gave are from memory, and the index of \
--   replies is what a user would add
-- superfluous: redundant-index idx_following_followed_id
-- superfluous: redundant-index idx_favorited_by_user

CREATE TABLE [sources] ([id] TEXT PRIMARY KEY, [name] TEXT, [url] TEXT);
CREATE TABLE [users] (
  [id] INTEGER PRIMARY KEY, [screen_name] TEXT, [name] TEXT, [description] TEXT, [location] TEXT, [url] TEXT, [protected] INTEGER, \
[followers_count] INTEGER, [friends_count] INTEGER, [listed_count] INTEGER, [created_at] TEXT,
  [favourites_count] INTEGER, [verified] INTEGER, [statuses_count] INTEGER, [lang] TEXT);
CREATE VIRTUAL TABLE [users_fts] USING FTS5 ([name], [screen_name], [description], [location], content=[users]);
CREATE TABLE [tweets] (
  [id] INTEGER PRIMARY KEY, [user] INTEGER REFERENCES [users]([id]), [created_at] TEXT, [full_text] TEXT, [retweeted_status] INTEGER \
REFERENCES [tweets]([id]), [quoted_status] INTEGER REFERENCES [tweets]([id]),
  [source] TEXT REFERENCES [sources]([id]), [truncated] INTEGER, [display_text_range] TEXT, [in_reply_to_status_id] TEXT, \
[in_reply_to_user_id] TEXT, [in_reply_to_screen_name] TEXT, [geo] TEXT, [coordinates] TEXT, [is_quote_status] INTEGER,
  [retweet_count] INTEGER, [favorite_count] INTEGER, [possibly_sensitive] INTEGER, [lang] TEXT);
CREATE VIRTUAL TABLE [tweets_fts] USING FTS5 ([full_text], content=[tweets]);
CREATE TABLE [following] ([followed_id] INTEGER REFERENCES [users]([id]), [follower_id] INTEGER REFERENCES [users]([id]), [first_seen] \
TEXT, PRIMARY KEY ([followed_id], [follower_id]));
CREATE TABLE [favorited_by] ([tweet] INTEGER REFERENCES [tweets]([id]), [user] INTEGER REFERENCES [users]([id]), PRIMARY KEY ([user], [tweet]));
CREATE TABLE [since_ids] ([type] INTEGER, [key] TEXT, [since_id] INTEGER, PRIMARY KEY ([type], [key]));
CREATE INDEX [idx_tweets_user] ON [tweets] ([user]);
CREATE INDEX [idx_tweets_retweeted_status] ON [tweets] ([retweeted_status]);
CREATE INDEX [idx_tweets_quoted_status] ON [tweets] ([quoted_status]);
CREATE INDEX [idx_tweets_source] ON [tweets] ([source]);
CREATE INDEX [idx_tweets_in_reply_to_status_id] ON [tweets] ([in_reply_to_status_id]);
CREATE INDEX [idx_following_followed_id] ON [following] ([followed_id]);
CREATE INDEX [idx_following_follower_id] ON [following] ([follower_id]);
CREATE INDEX [idx_favorited_by_tweet] ON [favorited_by] ([tweet]);
CREATE INDEX [idx_favorited_by_user] ON [favorited_by] ([user]);

INSERT INTO sources SELECT printf('%010x', i * 7919), 'Client ' || i, 'https://client' || i || '.example' FROM numbers WHERE i <= 60;
INSERT INTO users
SELECT i, upper(substr(word(i), 1, 1)) || substr(word(i), 2) || iif(chance(1, i) < 0.3, CAST(i % 100 AS TEXT), ''), title(2, i, 2), \
iif(chance(3, i) < 0.7, prose(4, i, pick(5, i, 120)), NULL), iif(chance(6, i) < 0.5, title(7, skewed(8, i, 300), 1), ''), NULL, chance(9, \
i) < 0.05,
  skewed(10, i, 100000), skewed(11, i, 3000), skewed(12, i, 200), strftime('%Y-%m-%dT%H:%M:%S+00:00', 1200000000 + i * 30000, \
'unixepoch'), pick(13, i, 9000), chance(14, i) < 0.02, pick(15, i, 20000), NULL
FROM numbers WHERE i <= 9000;
INSERT INTO tweets
SELECT 1400000000000 + i * 37, skewed(16, i, 7000), strftime('%Y-%m-%dT%H:%M:%S+00:00', 1500000000 + i * 4000, 'unixepoch'), prose(17, i, \
40 + pick(18, i, 160)),
  iif(i > 100 AND chance(19, i) < 0.2, 1400000000000 + pick(20, i, 100) * 37, NULL), iif(i > 100 AND chance(21, i) < 0.05, 1400000000000 + \
pick(22, i, i - 1) * 37, NULL), printf('%010x', skewed(23, i, 60) * 7919), 0, '[0, ' || (40 + pick(18, i, 160)) || ']',
  iif(i > 100 AND chance(24, i) < 0.35, CAST(1400000000000 + (i - skewed(25, i, 90)) * 37 AS TEXT), NULL), NULL, NULL, NULL, \
iif(chance(26, i) < 0.008, '{"type":"Point","coordinates":[' || (-180 + pick(27, i, 360)) || ',' || (-90 + pick(28, i, 180)) || ']}', \
NULL), 0,
  skewed(29, i, 5000) - 1, skewed(30, i, 20000) - 1, iif(chance(31, i) < 0.3, 0, NULL), CASE skewed(32, i, 8) WHEN 1 THEN 'en' WHEN 2 THEN \
'de' WHEN 3 THEN 'fr' WHEN 4 THEN 'und' WHEN 5 THEN 'ja' WHEN 6 THEN 'es' ELSE 'pt' END
FROM numbers WHERE i <= 45000;
INSERT INTO users_fts (users_fts) VALUES ('rebuild');
INSERT INTO tweets_fts (tweets_fts) VALUES ('rebuild');
CREATE TRIGGER [users_ai] AFTER INSERT ON [users] BEGIN
  INSERT INTO [users_fts] (rowid, [name], [screen_name], [description], [location]) VALUES (new.rowid, new.[name], new.[screen_name], \
new.[description], new.[location]);
END;
CREATE TRIGGER [users_ad] AFTER DELETE ON [users] BEGIN
  INSERT INTO [users_fts] ([users_fts], rowid, [name], [screen_name], [description], [location]) VALUES('delete', old.rowid, old.[name], \
old.[screen_name], old.[description], old.[location]);
END;
CREATE TRIGGER [users_au] AFTER UPDATE ON [users] BEGIN
  INSERT INTO [users_fts] ([users_fts], rowid, [name], [screen_name], [description], [location]) VALUES('delete', old.rowid, old.[name], \
old.[screen_name], old.[description], old.[location]);
  INSERT INTO [users_fts] (rowid, [name], [screen_name], [description], [location]) VALUES (new.rowid, new.[name], new.[screen_name], \
new.[description], new.[location]);
END;
CREATE TRIGGER [tweets_ai] AFTER INSERT ON [tweets] BEGIN
  INSERT INTO [tweets_fts] (rowid, [full_text]) VALUES (new.rowid, new.[full_text]);
END;
CREATE TRIGGER [tweets_ad] AFTER DELETE ON [tweets] BEGIN
  INSERT INTO [tweets_fts] ([tweets_fts], rowid, [full_text]) VALUES('delete', old.rowid, old.[full_text]);
END;
CREATE TRIGGER [tweets_au] AFTER UPDATE ON [tweets] BEGIN
  INSERT INTO [tweets_fts] ([tweets_fts], rowid, [full_text]) VALUES('delete', old.rowid, old.[full_text]);
  INSERT INTO [tweets_fts] (rowid, [full_text]) VALUES (new.rowid, new.[full_text]);
END;
INSERT OR IGNORE INTO following SELECT skewed(33, i, 9000), 1 + i % 9000, '2024-01-01T00:00:00' FROM numbers WHERE i <= 45000;
INSERT OR IGNORE INTO favorited_by SELECT 1400000000000 + pick(34, i, 45000) * 37, skewed(35, i, 9000) FROM numbers WHERE i <= 40000;
INSERT INTO since_ids SELECT 1 + i % 4, 'user' || i, 1400000000000 + i FROM numbers WHERE i <= 80;

-- statement: twitter-01
-- fine
-- because: the best posts of a full-text search
-- run: 'fokiva loplista' | 'fokiva'

SELECT tweets.id, tweets.full_text, tweets.created_at FROM tweets JOIN tweets_fts ON tweets.rowid = tweets_fts.rowid WHERE tweets_fts \
MATCH ? ORDER BY tweets_fts.rank LIMIT 20

-- statement: twitter-02
-- is: full-scan, pattern-without-index
-- because: posts with a word: there is a full-text index, and it isn't asked

SELECT id, created_at, full_text FROM tweets WHERE full_text LIKE '%fokiva%' ORDER BY id

-- best

SELECT id, created_at, full_text FROM tweets WHERE id IN (SELECT rowid FROM tweets_fts WHERE tweets_fts MATCH 'fokiva') ORDER BY id

-- statement: twitter-03
-- is: trigger-without-columns
-- because: counts are brought up to date: the trigger takes each text out of the full-text index and puts it back
-- run: 1, 0, 30 | 0, 1, 45

UPDATE tweets SET favorite_count = favorite_count + ?, retweet_count = retweet_count + ? WHERE user = ?

-- best
-- change: DROP TRIGGER tweets_au
-- change: CREATE TRIGGER tweets_au AFTER UPDATE OF full_text ON tweets BEGIN
--     INSERT INTO tweets_fts (tweets_fts, rowid, full_text) VALUES('delete', old.rowid, old.full_text);
--     INSERT INTO tweets_fts (rowid, full_text) VALUES (new.rowid, new.full_text);
--   END

-- statement: twitter-04
-- is: index-not-covering, sort-without-index
-- because: the newest posts of somebody who wrote much: all are sorted by a time that their ids have as well
-- run: 1 | 2

SELECT id, created_at, full_text FROM tweets WHERE user = ? ORDER BY created_at DESC LIMIT 20

-- best
-- index: tweets (user, created_at)

-- or

SELECT id, created_at, full_text FROM tweets WHERE user = ? ORDER BY id DESC LIMIT 20

-- statement: twitter-05
-- fine
-- tolerated: index-not-covering
-- because: the newest posts by the index of users, which ends with the id
-- run: 1, 1400001660000 | 400, 1400001500000

SELECT id, created_at, full_text FROM tweets WHERE user = ? AND id > ? ORDER BY id DESC LIMIT 200

-- statement: twitter-06
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: who follows back, by keys
-- run: 1 | 2

SELECT u.screen_name FROM following AS a JOIN following AS b ON b.followed_id = a.follower_id AND b.follower_id = a.followed_id JOIN users \
AS u ON u.id = a.followed_id
WHERE a.follower_id = ? ORDER BY u.screen_name

-- statement: twitter-07
-- is: case-insensitive-without-index, full-scan
-- because: an account by its name, whatever its case
-- run: 'wexibra' | 'NOXI'

SELECT id, screen_name, followers_count FROM users WHERE screen_name = ? COLLATE NOCASE

-- best
-- index: users (screen_name COLLATE NOCASE)

-- statement: twitter-08
-- fine
-- because: the newest accounts without a post: each is looked for in an index, until twenty are found

SELECT u.id, u.screen_name FROM users AS u LEFT JOIN tweets AS t ON t.user = u.id WHERE t.id IS NULL ORDER BY u.id DESC LIMIT 20

-- statement: twitter-09
-- is: full-scan, join-order, type-mismatch
-- because: replies by post: ids are numbers, but what was replied to is text, and so its index can't be used
-- run: 60 | 75

SELECT p.id, count(*) AS replies FROM tweets AS p JOIN tweets AS r ON r.in_reply_to_status_id = p.id WHERE p.user = ? GROUP BY p.id ORDER \
BY replies DESC LIMIT 20

-- best

SELECT p.id, count(*) AS replies FROM tweets AS p JOIN tweets AS r ON r.in_reply_to_status_id = CAST(p.id AS TEXT) WHERE p.user = ? GROUP \
BY p.id ORDER BY replies DESC LIMIT 20

-- statement: twitter-10
-- is: harmful-index, partial-index, sort-without-index
-- because: what was liked most: four of five posts are no retweets, and all are looked up by that index and sorted

SELECT id, full_text, favorite_count FROM tweets WHERE retweeted_status IS NULL ORDER BY favorite_count DESC LIMIT 20

-- best
-- index: tweets (retweeted_status, favorite_count)

-- or
-- index: tweets (favorite_count)

SELECT id, full_text, favorite_count FROM tweets WHERE +retweeted_status IS NULL ORDER BY favorite_count DESC LIMIT 20

-- statement: twitter-11
-- is: distinct-without-index, full-scan
-- because: which languages there are: all posts are read for seven

SELECT DISTINCT lang FROM tweets ORDER BY lang

-- best
-- index: tweets (lang)

-- statement: twitter-12
-- is: full-scan, partial-index, sort-without-index
-- because: posts with a place: one in hundred has one

SELECT id, user, coordinates FROM tweets WHERE coordinates IS NOT NULL AND lang = 'en' ORDER BY created_at DESC

-- best
-- index: tweets (created_at) WHERE coordinates IS NOT NULL

-- statement: twitter-13
-- is: index-not-covering, sort-without-index, subquery-per-row
-- because: who wrote last: all posts are looked up, where the last entry of an index would do

SELECT u.id, u.screen_name, (SELECT max(t.created_at) FROM tweets AS t WHERE t.user = u.id) AS latest FROM users AS u ORDER BY latest DESC LIMIT 30

-- best
-- index: tweets (user, created_at)

-- statement: twitter-14
-- is: index-not-covering, sort-without-index
-- because: the best post of each: all are sorted

SELECT user, id, favorite_count FROM (
  SELECT user, id, favorite_count, row_number() OVER (PARTITION BY user ORDER BY favorite_count DESC) AS n FROM tweets) WHERE n = 1 AND \
favorite_count >= 1000

-- best
-- index: tweets (user, favorite_count DESC)

-- statement: twitter-15
-- fine
-- tolerated: group-without-index, sort-without-index
-- because: whose posts somebody likes: a few dozen, by keys
-- run: 300 | 500

SELECT u.screen_name, count(*) AS n FROM favorited_by AS f JOIN tweets AS t ON t.id = f.tweet JOIN users AS u ON u.id = t.user WHERE \
f.user = ? GROUP BY u.id ORDER BY n DESC LIMIT 20

-- statement: twitter-16
-- fine
-- because: a row by its key
-- run: 2, 'user1', 1400000099999

INSERT INTO since_ids (type, key, since_id) VALUES (?, ?, ?) ON CONFLICT (type, key) DO UPDATE SET since_id = excluded.since_id

-- statement: twitter-17
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: the posts of a day
-- run: '2021-03-04' | '2018-12-24'

SELECT id, created_at, full_text FROM tweets WHERE substr(created_at, 1, 10) = ? ORDER BY created_at

-- best
-- index: tweets (created_at)

SELECT id, created_at, full_text FROM tweets WHERE created_at >= ?1 AND created_at < date(?1, '+1 day') ORDER BY created_at

-- or
-- index: tweets (substr(created_at, 1, 10))
