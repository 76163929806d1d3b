-- schema: coreprotect
-- about: What players of a game did, block by block: one log for each kind, found by place, by player or by what it was.
-- origin: CoreProtect at commit 0a235c0f (Artistic License 2.0, Copyright the CoreProtect authors): nine of its tables with their indexes

CREATE TABLE co_block (time INTEGER, user INTEGER, wid INTEGER, x INTEGER, y INTEGER, z INTEGER, type INTEGER, data INTEGER, meta BLOB, \
blockdata BLOB, action INTEGER, rolled_back INTEGER);
CREATE TABLE co_chat (time INTEGER, user INTEGER, wid INTEGER, x INTEGER, y INTEGER, z INTEGER, message TEXT);
CREATE TABLE co_command (time INTEGER, user INTEGER, wid INTEGER, x INTEGER, y INTEGER, z INTEGER, message TEXT);
CREATE TABLE co_container (time INTEGER, user INTEGER, wid INTEGER, x INTEGER, y INTEGER, z INTEGER, type INTEGER, data INTEGER, amount \
INTEGER, metadata BLOB, action INTEGER, rolled_back INTEGER);
CREATE TABLE co_item (time INTEGER, user INTEGER, wid INTEGER, x INTEGER, y INTEGER, z INTEGER, type INTEGER, data BLOB, amount INTEGER, \
action INTEGER, rolled_back INTEGER);
CREATE TABLE co_material_map (id INTEGER, material TEXT);
CREATE TABLE co_session (time INTEGER, user INTEGER, wid INTEGER, x INTEGER, y INTEGER, z INTEGER, action INTEGER);
CREATE TABLE co_user (id INTEGER PRIMARY KEY ASC, time INTEGER, user TEXT, uuid TEXT);
CREATE TABLE co_username_log (id INTEGER PRIMARY KEY ASC, time INTEGER, uuid TEXT, user TEXT);
CREATE INDEX block_index ON co_block(wid,x,z,time);
CREATE INDEX block_user_index ON co_block(user,time);
CREATE INDEX block_type_index ON co_block(type,time);
CREATE INDEX chat_index ON co_chat(time);
CREATE INDEX chat_user_index ON co_chat(user,time);
CREATE INDEX chat_wid_index ON co_chat(wid,x,z,time);
CREATE INDEX command_index ON co_command(time);
CREATE INDEX command_user_index ON co_command(user,time);
CREATE INDEX command_wid_index ON co_command(wid,x,z,time);
CREATE INDEX container_index ON co_container(wid,x,z,time);
CREATE INDEX container_user_index ON co_container(user,time);
CREATE INDEX container_type_index ON co_container(type,time);
CREATE INDEX item_index ON co_item(wid,x,z,time);
CREATE INDEX item_user_index ON co_item(user,time);
CREATE INDEX item_type_index ON co_item(type,time);
CREATE INDEX material_map_id_index ON co_material_map(id);
CREATE INDEX session_index ON co_session(wid,x,z,time);
CREATE INDEX session_action_index ON co_session(action,time);
CREATE INDEX session_user_index ON co_session(user,time);
CREATE INDEX session_time_index ON co_session(time);
CREATE INDEX user_index ON co_user(user);
CREATE INDEX uuid_index ON co_user(uuid);
CREATE INDEX username_log_uuid_index ON co_username_log(uuid,user);

INSERT INTO co_user
SELECT i, 1650000000 + i * 8000, iif(i <= 8, '#' || word(i), iif(chance(1, i) < 0.5, upper(substr(word(i), 1, 1)) || substr(word(i), 2), \
word(i)) || iif(chance(2, i) < 0.4, pick(3, i, 99), '')), iif(i <= 8, NULL, printf('%08x-%04x-4000', i * 7919, i))
FROM numbers WHERE i <= 25000;
INSERT INTO co_username_log SELECT i, 1650000000 + pick(4, i, 60000000), printf('%08x-%04x-4000', (9 + i % 4990) * 7919, 9 + i % 4990), \
word(i) FROM numbers WHERE i <= 7000;
INSERT INTO co_material_map SELECT i, 'minecraft:' || word(i) FROM numbers WHERE i <= 900;
INSERT INTO co_block
SELECT 1700000000 + i * 110 + pick(5, i, 300), iif(chance(6, i) < 0.25, skewed(7, i, 8), 8 + skewed(8, i / 40, 4990)), CASE WHEN chance(9, \
i / 40) < 0.7 THEN 1 WHEN chance(9, i / 40) < 0.9 THEN 2 ELSE 3 END,
  pick(10, i / 40, 4000) - 2000 + pick(11, i, 24), 10 + pick(12, i, 120), pick(13, i / 40, 4000) - 2000 + pick(14, i, 24), skewed(15, i, \
880), 0, NULL, iif(chance(16, i) < 0.3, X'312C342C39', NULL),
  CASE WHEN chance(17, i) < 0.55 THEN 0 WHEN chance(17, i) < 0.93 THEN 1 ELSE 2 + pick(18, i, 2) - 1 END, chance(19, i / 40) < 0.012
FROM numbers WHERE i <= 90000;
INSERT INTO co_container
SELECT 1700000000 + i * 230, 8 + skewed(20, i / 5, 4990), 1 + (chance(21, i / 5) < 0.2), pick(22, i / 5, 3000) - 1500, 64, pick(23, i / 5, \
3000) - 1500, skewed(24, i, 880), 0, pick(25, i, 64), NULL, chance(26, i) < 0.4, 0
FROM numbers WHERE i <= 40000;
INSERT INTO co_item
SELECT 1700000000 + i * 260, 8 + skewed(27, i / 3, 4990), 1, pick(28, i, 3000) - 1500, 64, pick(29, i, 3000) - 1500, skewed(30, i, 880), \
NULL, pick(31, i, 64), 1 + skewed(32, i, 6), 0
FROM numbers WHERE i <= 36000;
INSERT INTO co_chat SELECT 1700000000 + i * 700, 8 + skewed(33, i, 4990), 1, pick(34, i, 3000) - 1500, 64, pick(35, i, 3000) - 1500, \
prose(36, i, 10 + pick(37, i, 80)) FROM numbers WHERE i <= 12000;
INSERT INTO co_command SELECT 1700000000 + i * 650, 8 + skewed(38, i, 4990), 1, pick(39, i, 3000) - 1500, 64, pick(40, i, 3000) - 1500, \
'/' || word(skewed(41, i, 400)) || ' ' || word(pick(42, i, 900)) FROM numbers WHERE i <= 15000;
INSERT INTO co_session SELECT 1700000000 + i * 400, 8 + skewed(43, i / 2, 4990), 1, pick(44, i, 3000) - 1500, 64, pick(45, i, 3000) - \
1500, 1 - i % 2 FROM numbers WHERE i <= 24000;

-- statement: coreprotect-01
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: what was done at a place, by the index of places
-- run: 1, 116, -805, 106, 1690000000

SELECT rowid AS id, time, user, type, data, action, rolled_back FROM co_block
WHERE wid = ? AND x = ? AND z = ? AND y = ? AND time > ? ORDER BY rowid DESC LIMIT 0, 10

-- statement: coreprotect-02
-- is: full-scan
-- because: what is too old: places, players and kinds have an index with the time, the time itself has none
-- run: 1700030000

DELETE FROM co_block WHERE time < ?

-- best
-- index: co_block (time)

-- statement: coreprotect-03
-- is: case-insensitive-without-index, full-scan
-- because: a player, whatever the case of the name
-- run: 'GRUSHUCEFO' | 'Quisodrigu'

SELECT rowid AS id, uuid FROM co_user WHERE user = ? COLLATE NOCASE ORDER BY rowid LIMIT 0, 1

-- best
-- index: co_user (user COLLATE NOCASE)

-- statement: coreprotect-04
-- is: harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: which blocks of two kinds two players broke: all that they did is read, or all blocks of these kinds
-- run: 9, 10, 7, 40 | 11, 14, 5, 90

SELECT rowid AS id, time, wid, x, y, z, type FROM co_block WHERE user IN (?, ?) AND type IN (?, ?) AND action = 0 ORDER BY rowid DESC LIMIT 0, 30

-- best
-- index: co_block (user, type, action)

-- or
-- index: co_block (user, type)

-- or
-- index: co_block (type, user)

-- statement: coreprotect-05
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: what was taken back in a world last, a hundredth of all
-- run: 2 | 3

SELECT rowid AS id, time, user, x, y, z FROM co_block WHERE wid = ? AND rolled_back = 1 ORDER BY time DESC LIMIT 100

-- best
-- index: co_block (wid) WHERE rolled_back = 1

-- or
-- index: co_block (wid, time) WHERE rolled_back = 1

-- or
-- index: co_block (wid, rolled_back)

-- or
-- index: co_block (wid, rolled_back, time)

-- or
-- index: co_block (rolled_back, wid, time)

-- statement: coreprotect-06
-- is: case-insensitive-without-index, full-scan, index-not-covering, pattern-without-index
-- because: who gave a command: all are read from the newest, of which hardly any is it

SELECT time, user, message FROM co_command WHERE message LIKE '/diso %' ORDER BY time DESC LIMIT 0, 20

-- best
-- index: co_command (message COLLATE NOCASE)

-- statement: coreprotect-07
-- is: full-scan, index-not-covering, sort-without-index
-- because: where everybody left last: all sessions are numbered

SELECT user, time, x, y, z FROM (
  SELECT user, time, x, y, z, row_number() OVER (PARTITION BY user ORDER BY time DESC) AS n FROM co_session WHERE action = 0)
WHERE n = 1

-- best
-- index: co_session (action, user, time, x, y, z)

SELECT user, max(time) AS time, x, y, z FROM co_session WHERE action = 0 GROUP BY user

-- or
-- index: co_session (action, user, time DESC, x, y, z)

-- or
-- index: co_session (action, user, time, x, y, z)

-- statement: coreprotect-08
-- is: distinct-without-index, index-not-covering
-- because: who was in a region: each block is looked up for its player
-- run: 1, -700, 700, -600, 600, 1704000000 | 2, -1500, 100, -200, 1500, 1702000000

SELECT DISTINCT user FROM co_block WHERE wid = ? AND x BETWEEN ? AND ? AND z BETWEEN ? AND ? AND time > ?

-- best
-- index: co_block (wid, x, z, time, user)

-- statement: coreprotect-09
-- is: group-without-index, index-not-covering
-- because: who broke most blocks of a kind: each is looked up
-- run: 1, 1703000000 | 3, 1701000000

SELECT user, count(*) AS n FROM co_block WHERE type = ? AND action = 0 AND time > ? GROUP BY user ORDER BY n DESC, user LIMIT 10

-- best
-- index: co_block (type, action, time, user)

-- or
-- index: co_block (type, time, action, user)

-- or
-- index: co_block (type, action, user, time)

-- statement: coreprotect-10
-- is: harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: what a player had of a thing, in chests and on the ground: all the things of the player are looked up, or all of the kind
-- run: 60, 1 | 9, 20 | 200, 2

SELECT 0 AS tbl, rowid AS id, time, x, y, z, amount, action FROM co_container WHERE user = ?1 AND type = ?2
UNION ALL SELECT 1, rowid, time, x, y, z, amount, action FROM co_item WHERE user = ?1 AND type = ?2 ORDER BY time DESC, tbl DESC, id DESC LIMIT 0, 12

-- best
-- index: co_container (user, type, time)
-- index: co_item (user, type, time)

-- or
-- index: co_container (type, user, time)
-- index: co_item (type, user, time)

-- statement: coreprotect-11
-- fine
-- because: a page of the log by its key
-- run: 80000

SELECT rowid AS id, time, user, wid, x, y, z, type, action FROM co_block WHERE rowid < ? AND action <> 2 ORDER BY rowid DESC LIMIT 100

-- statement: coreprotect-12
-- fine
-- tolerated: index-not-covering
-- because: what somebody said, from the newest
-- run: 12, 1702000000, 1706000000

SELECT time, x, y, z, message FROM co_chat WHERE user = ? AND time BETWEEN ? AND ? ORDER BY time DESC LIMIT 20

-- statement: coreprotect-13
-- fine
-- tolerated: index-not-covering
-- because: when a player came last, by the index of players and times
-- run: 30

SELECT time, wid, x, y, z FROM co_session WHERE user = ? AND action = 1 ORDER BY time DESC LIMIT 5
