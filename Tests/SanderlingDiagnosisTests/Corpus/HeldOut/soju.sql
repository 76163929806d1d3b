-- schema: soju
-- about: A bouncer of chats: whole lines of the protocol by target and time, and a full-text index of what was said.
-- origin: soju after 0.10.1 (AGPL-3.0, Copyright the soju contributors): nine of the tables of its SQLite schema with their indexes and \
--   triggers
-- superfluous: redundant-index Network_user_index
-- superfluous: redundant-index Channel_network_index
-- superfluous: redundant-index DeliveryReceipt_network_index
-- superfluous: redundant-index ReadReceipt_network_index
-- superfluous: redundant-index WebPushSubscription_network_index
-- superfluous: redundant-index Message_target_index
-- superfluous: redundant-index MessageTarget_network_index

CREATE TABLE User (
  id INTEGER PRIMARY KEY, username TEXT NOT NULL UNIQUE, password TEXT, admin INTEGER NOT NULL DEFAULT 0, realname TEXT, nick TEXT, \
created_at TEXT NOT NULL, enabled INTEGER NOT NULL DEFAULT 1,
  downstream_interacted_at TEXT, max_networks INTEGER NOT NULL DEFAULT -1);
CREATE TABLE DeviceCertificate (
  id INTEGER PRIMARY KEY, user INTEGER NOT NULL, label TEXT NOT NULL, fingerprint BLOB NOT NULL UNIQUE, last_used TEXT NOT NULL, last_ip \
TEXT NOT NULL, FOREIGN KEY(user) REFERENCES User(id));
CREATE TABLE Network (
  id INTEGER PRIMARY KEY, name TEXT, user INTEGER NOT NULL, addr TEXT NOT NULL, nick TEXT, username TEXT, realname TEXT, certfp TEXT, pass \
TEXT, connect_commands TEXT, sasl_mechanism TEXT,
  sasl_plain_username TEXT, sasl_plain_password TEXT, sasl_external_cert BLOB, sasl_external_key BLOB, auto_away INTEGER NOT NULL DEFAULT \
1, enabled INTEGER NOT NULL DEFAULT 1,
  FOREIGN KEY(user) REFERENCES User(id), UNIQUE(user, addr, nick), UNIQUE(user, name));
CREATE INDEX Network_user_index ON Network(user);
CREATE TABLE Channel (
  id INTEGER PRIMARY KEY, network INTEGER NOT NULL, name TEXT NOT NULL, key TEXT, detached INTEGER NOT NULL DEFAULT 0, \
detached_internal_msgid TEXT, relay_detached INTEGER NOT NULL DEFAULT 0,
  reattach_on INTEGER NOT NULL DEFAULT 0, detach_after INTEGER NOT NULL DEFAULT 0, detach_on INTEGER NOT NULL DEFAULT 0, FOREIGN \
KEY(network) REFERENCES Network(id), UNIQUE(network, name));
CREATE INDEX Channel_network_index ON Channel(network);
CREATE TABLE DeliveryReceipt (
  id INTEGER PRIMARY KEY, network INTEGER NOT NULL, target TEXT NOT NULL, client TEXT, internal_msgid TEXT NOT NULL, FOREIGN KEY(network) \
REFERENCES Network(id), UNIQUE(network, target, client));
CREATE INDEX DeliveryReceipt_network_index ON DeliveryReceipt(network);
CREATE TABLE ReadReceipt (
  id INTEGER PRIMARY KEY, network INTEGER NOT NULL, target TEXT NOT NULL, timestamp TEXT NOT NULL, FOREIGN KEY(network) REFERENCES \
Network(id), UNIQUE(network, target));
CREATE INDEX ReadReceipt_network_index ON ReadReceipt(network);
CREATE TABLE WebPushSubscription (
  id INTEGER PRIMARY KEY, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, user INTEGER NOT NULL, network INTEGER, endpoint TEXT NOT \
NULL, key_vapid TEXT, key_auth TEXT, key_p256dh TEXT,
  FOREIGN KEY(user) REFERENCES User(id), FOREIGN KEY(network) REFERENCES Network(id), UNIQUE(network, endpoint));
CREATE INDEX WebPushSubscription_user_index ON WebPushSubscription(user);
CREATE INDEX WebPushSubscription_network_index ON WebPushSubscription(network);
CREATE TABLE Message (
  id INTEGER PRIMARY KEY, target INTEGER NOT NULL, raw TEXT NOT NULL, time TEXT NOT NULL, sender TEXT NOT NULL, text TEXT, FOREIGN \
KEY(target) REFERENCES MessageTarget(id));
CREATE INDEX MessageIndex ON Message(target, time);
CREATE INDEX Message_target_index ON Message(target);
CREATE TABLE MessageTarget (
  id INTEGER PRIMARY KEY, network INTEGER NOT NULL, target TEXT NOT NULL, pinned INTEGER NOT NULL DEFAULT 0, muted INTEGER NOT NULL \
DEFAULT 0, blocked INTEGER NOT NULL DEFAULT 0,
  FOREIGN KEY(network) REFERENCES Network(id), UNIQUE(network, target));
CREATE INDEX MessageTarget_network_index ON MessageTarget(network);
CREATE VIRTUAL TABLE MessageFTS USING fts5 (text, content=Message, content_rowid=id);

INSERT INTO User
SELECT i, word(i), '$2a$10$' || printf('%040x', i * 7919), i = 1, iif(chance(1, i) < 0.4, title(2, i, 2), NULL), word(i), \
strftime('%Y-%m-%dT%H:%M:%fZ', 1600000000 + i * 6000, 'unixepoch'), 1,
  iif(chance(3, i) < 0.15, NULL, strftime('%Y-%m-%dT%H:%M:%fZ', iif(chance(4, i) < 0.01, 1650000000, 1719000000) + pick(5, i, 900000), \
'unixepoch')), -1
FROM numbers WHERE i <= 12000;
INSERT INTO DeviceCertificate SELECT i, skewed(6, i, 9000), word(skewed(7, i, 60)), CAST(printf('%032x', i * 104729) AS BLOB), \
strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + pick(8, i, 19000000), 'unixepoch'), '192.0.2.' || pick(9, i, 250)
FROM numbers WHERE i <= 30000;
INSERT OR IGNORE INTO Network (id, name, user, addr, nick, enabled)
SELECT i, word(10 + 2 * skewed(10, i, 40) + i % 2), 1 + i / 2 % 9000, 'ircs://irc.' || word(10 + 2 * skewed(10, i, 40) + i % 2) || \
'.example:6697', iif(chance(11, i) < 0.2, word(i), NULL), chance(12, i) < 0.95 FROM numbers WHERE i <= 16000;
INSERT OR IGNORE INTO Channel (id, network, name, detached)
SELECT i, n.id, '#' || iif(chance(13, i) < 0.2, upper(substr(word(skewed(14, i, 2500)), 1, 1)) || substr(word(skewed(14, i, 2500)), 2), \
word(skewed(14, i, 2500))), chance(15, i) < 0.3 FROM numbers JOIN Network AS n ON n.id = 1 + i / 2 WHERE i <= 28000;
INSERT OR IGNORE INTO MessageTarget (id, network, target, pinned, muted) SELECT i, 1 + skewed(16, i, 60), iif(chance(17, i) < 0.6, '#', \
'') || word(i), chance(18, i) < 0.05, chance(19, i) < 0.05 FROM numbers WHERE i <= 1500;
INSERT INTO Message
SELECT i, skewed(20, i, 1500), '@time=' || i || ' :' || word(iif(chance(21, i) < 0.3, 7, skewed(22, i, 3000))) || '!u@host.example ' || \
iif(chance(23, skewed(20, i, 1500)) < chance(24, i), 'PRIVMSG #x :', 'JOIN #x') || prose(25, i, iif(chance(23, skewed(20, i, 1500)) < \
chance(24, i), 20 + pick(26, i, 90), 0)),
  strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + i * 400, 'unixepoch'), word(iif(chance(21, i) < 0.3, 7, skewed(22, i, 3000))), \
iif(chance(23, skewed(20, i, 1500)) < chance(24, i), prose(25, i, 20 + pick(26, i, 90)), NULL)
FROM numbers WHERE i <= 48000;
UPDATE Message SET text = NULL WHERE target % 3 = 0 AND id > 30000 AND chance(27, id) < 0.99;
INSERT INTO MessageFTS (MessageFTS) VALUES ('rebuild');
CREATE TRIGGER MessageFTSInsert AFTER INSERT ON Message BEGIN
  INSERT INTO MessageFTS(rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER MessageFTSDelete AFTER DELETE ON Message BEGIN
  INSERT INTO MessageFTS(MessageFTS, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER MessageFTSUpdate AFTER UPDATE ON Message BEGIN
  INSERT INTO MessageFTS(MessageFTS, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO MessageFTS(rowid, text) VALUES (new.id, new.text);
END;
INSERT INTO DeliveryReceipt SELECT NULL, network, target, CASE pinned WHEN 1 THEN NULL ELSE 'phone' END, printf('%x', id) FROM MessageTarget;
INSERT INTO ReadReceipt SELECT NULL, network, target, strftime('%Y-%m-%dT%H:%M:%fZ', 1719200000 - pick(28, id, 17000000), 'unixepoch') \
FROM MessageTarget WHERE chance(29, id) < 0.8;
INSERT OR IGNORE INTO WebPushSubscription SELECT i, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z', pick(30, i, 9000), \
iif(chance(31, i) < 0.5, (SELECT n.id FROM Network AS n WHERE n.id = pick(30, i, 9000)), NULL), 'https://push.example/' || i, NULL, NULL, \
NULL FROM numbers WHERE i <= 3000;

-- statement: soju-01
-- fine
-- tolerated: index-not-covering
-- because: the lines before a time, by the index of targets and times
-- run: 4, 'loce', '2024-05-01T00:00:00.000Z'

SELECT m.raw FROM Message AS m, MessageTarget AS t WHERE m.target = t.id AND t.network = ? AND t.target = ? AND m.time < ? AND m.text IS \
NOT NULL ORDER BY m.time DESC LIMIT 50

-- statement: soju-02
-- is: full-scan
-- because: what is too old: the index begins with the target
-- run: '2023-11-15T02:00:00.000Z'

DELETE FROM Message WHERE time < ?

-- best
-- index: Message (time)

-- statement: soju-03
-- is: harmful-index, index-not-covering, join-order, missing-statistics, sort-without-index, subquery-per-row
-- because: a rare word in a network: all of its lines are looked for among those with the word, instead of the other way round
-- run: 4, 'flowece' | 2, 'hamuna'

SELECT t.target, m.raw FROM Message AS m, MessageTarget AS t WHERE m.target = t.id AND t.network = ?1
AND m.id IN (SELECT ROWID FROM MessageFTS WHERE MessageFTS MATCH ?2) AND m.text IS NOT NULL ORDER BY m.time DESC LIMIT 100

-- best

SELECT t.target, m.raw FROM Message AS m, MessageTarget AS t WHERE +m.target = t.id AND t.network = ?1
AND m.id IN (SELECT ROWID FROM MessageFTS WHERE MessageFTS MATCH ?2) AND m.text IS NOT NULL ORDER BY m.time DESC LIMIT 100

-- statement: soju-04
-- is: full-scan, index-not-covering
-- because: what somebody said in a large channel: all lines are read from the newest
-- run: 4, 'loce', 'basoce'

SELECT m.raw FROM Message AS m, MessageTarget AS t WHERE m.target = t.id AND t.network = ? AND t.target = ? AND m.sender = ? AND m.text IS \
NOT NULL ORDER BY m.time DESC LIMIT 50

-- best
-- index: Message (target, sender, time)

-- or
-- index: Message (sender, target, time)

-- statement: soju-05
-- is: index-not-covering, partial-index, subquery-per-row
-- because: the newest line of each target: where people only come and go, all that is walked
-- run: 2, '2024-01-01T00:00:00.000Z' | 4, '2024-06-01T00:00:00.000Z'

SELECT target, (SELECT time FROM Message WHERE target = MessageTarget.id AND text IS NOT NULL ORDER BY time DESC LIMIT 1) latest
FROM MessageTarget WHERE network = ? AND latest > ? ORDER BY latest DESC LIMIT 50

-- best
-- index: Message (target, time) WHERE text IS NOT NULL

SELECT target, latest FROM (
  SELECT target, (SELECT time FROM Message WHERE target = MessageTarget.id AND text IS NOT NULL ORDER BY time DESC LIMIT 1) AS latest FROM \
MessageTarget WHERE network = ? LIMIT -1)
WHERE latest > ? ORDER BY latest DESC LIMIT 50

-- or
-- index: Message (target, time) WHERE text IS NOT NULL

-- statement: soju-06
-- is: expression-index, full-scan, function-on-column
-- because: users who didn't come for long, or never did
-- run: '2020-10-01T00:00:00.000Z'

SELECT username FROM User WHERE coalesce(downstream_interacted_at, created_at) < ?

-- best
-- index: User (coalesce(downstream_interacted_at, created_at))

-- statement: soju-07
-- is: foreign-key-without-index
-- because: a user goes: all certificates are read for theirs
-- run: 10500 | 11000 | 11501

DELETE FROM User WHERE id = ?

-- best
-- index: DeviceCertificate (user)

-- statement: soju-08
-- is: index-not-covering, partial-index
-- because: what isn't read, by target: each line is looked up
-- run: 2 | 3

SELECT t.target, count(*) AS n FROM MessageTarget AS t JOIN ReadReceipt AS r ON r.network = t.network AND r.target = t.target JOIN Message \
AS m ON m.target = t.id AND m.time > r.timestamp
WHERE t.network = ? AND t.muted = 0 AND m.text IS NOT NULL GROUP BY t.id HAVING count(*) > 2 ORDER BY n DESC

-- best
-- index: Message (target, time) WHERE text IS NOT NULL

-- statement: soju-09
-- is: case-insensitive-without-index, distinct-without-index, full-scan, join-order
-- because: who is in a channel, whatever the case of its name: the unique key begins with the network
-- run: '#FLOJE' | '#Haki'

SELECT DISTINCT u.username FROM Channel AS c JOIN Network AS n ON n.id = c.network JOIN User AS u ON u.id = n.user WHERE c.name = ? COLLATE NOCASE

-- best
-- index: Channel (name COLLATE NOCASE, network)

-- or
-- index: Channel (name COLLATE NOCASE)

-- statement: soju-10
-- is: expression-index, function-on-column, group-without-index, index-not-covering, partial-index, sort-without-index
-- because: the lines of a channel by day
-- run: 1 | 2

SELECT date(time) AS day, count(*) AS n FROM Message WHERE target = ? AND text IS NOT NULL GROUP BY day ORDER BY day

-- best
-- index: Message (target, date(time)) WHERE text IS NOT NULL

-- or
-- index: Message (target, time, text)

-- statement: soju-11
-- fine
-- because: a new line, with its words by a trigger
-- run: 4, 'loce', ':a!u@host.example PRIVMSG #x :flowece', '2024-07-01T00:00:00.000Z', 'a', 'flowece'

INSERT INTO Message (target, raw, time, sender, text) SELECT id, ?3, ?4, ?5, ?6 FROM MessageTarget WHERE network = ?1 AND target = ?2

-- statement: soju-12
-- fine
-- because: the receipts of a network, of which there are few
-- run: 30, NULL

DELETE FROM DeliveryReceipt WHERE network = ? AND client IS ?

-- statement: soju-13
-- fine
-- because: the best lines of a full-text search
-- run: 'flowece'

SELECT m.id, m.raw FROM MessageFTS AS f JOIN Message AS m ON m.id = f.rowid WHERE MessageFTS MATCH ? ORDER BY f.rank LIMIT 20

-- statement: soju-14
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the newest lines of a large channel by the index with the time; by the other one, which has their order, all lines of the \
--   channel would be read
-- run: 1, '2024-06-23T12:00:00.000Z'

SELECT id, raw FROM Message WHERE target = ? AND time > ? ORDER BY id LIMIT 50
