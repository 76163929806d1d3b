-- schema: luckperms
-- about: Permissions of a game server's players and groups, and a log of who changed them.
-- source: From github.com/LuckPerms/LuckPerms: common/src/main/resources/me/lucko/luckperms/schema/sqlite.sql
-- origin: LuckPerms (MIT, Copyright lucko and the LuckPerms contributors): its six tables with their indexes

CREATE TABLE `luckperms_user_permissions` (
  `id` INTEGER PRIMARY KEY NOT NULL, `uuid` VARCHAR(36) NOT NULL, `permission` VARCHAR(200) NOT NULL, `value` BOOL NOT NULL, `server` \
VARCHAR(36) NOT NULL, `world` VARCHAR(36) NOT NULL, `expiry` INT(11) NOT NULL, `contexts` VARCHAR(200) NOT NULL);
CREATE INDEX `luckperms_user_permissions_uuid` ON `luckperms_user_permissions` (`uuid`);
CREATE TABLE `luckperms_group_permissions` (
  `id` INTEGER PRIMARY KEY NOT NULL, `name` VARCHAR(36) NOT NULL, `permission` VARCHAR(200) NOT NULL, `value` BOOL NOT NULL, `server` \
VARCHAR(36) NOT NULL, `world` VARCHAR(36) NOT NULL, `expiry` INT(11) NOT NULL, `contexts` VARCHAR(200) NOT NULL);
CREATE INDEX `luckperms_group_permissions_name` ON `luckperms_group_permissions` (`name`);
CREATE TABLE `luckperms_players` (`uuid` VARCHAR(36) NOT NULL, `username` VARCHAR(16) NOT NULL, `primary_group` VARCHAR(36) NOT NULL, \
PRIMARY KEY (`uuid`));
CREATE INDEX `luckperms_players_username` ON `luckperms_players` (`username`);
CREATE TABLE `luckperms_groups` (`name` VARCHAR(36) NOT NULL, PRIMARY KEY (`name`));
CREATE TABLE `luckperms_actions` (
  `id` INTEGER PRIMARY KEY NOT NULL, `time` BIGINT NOT NULL, `actor_uuid` VARCHAR(36) NOT NULL, `actor_name` VARCHAR(100) NOT NULL, `type` \
CHAR(1) NOT NULL, `acted_uuid` VARCHAR(36) NOT NULL, `acted_name` VARCHAR(36) NOT NULL, `action` VARCHAR(300) NOT NULL);
CREATE TABLE `luckperms_tracks` (`name` VARCHAR(36) NOT NULL, `groups` TEXT NOT NULL, PRIMARY KEY (`name`));

INSERT INTO luckperms_groups SELECT iif(i = 1, 'default', word(i)) FROM numbers WHERE i <= 40;
INSERT INTO luckperms_players
SELECT printf('%08x-0000-4000-8000-%012x', (i * 2654435761) % 4294967296, i), iif(chance(1, i) < 0.5, word(i), upper(substr(word(i), 1, \
1)) || substr(word(i), 2) || pick(2, i, 99)), iif(chance(3, i) < 0.85, 'default', word(1 + skewed(4, i, 39))) FROM numbers WHERE i <= 14000;
INSERT INTO luckperms_user_permissions
SELECT i, p.uuid, iif(chance(5, i) < 0.45, 'group.' || iif(chance(6, i) < 0.6, 'default', word(1 + skewed(7, i, 39))), word(skewed(8, i, \
60)) || '.' || word(skewed(9, i, 200)) || iif(chance(10, i) < 0.3, '.' || word(skewed(11, i, 90)), '')), chance(12, i) < 0.96,
  CASE skewed(13, i, 6) WHEN 1 THEN 'global' WHEN 2 THEN 'survival' WHEN 3 THEN 'creative' ELSE 'lobby' END, iif(chance(14, i) < 0.9, \
'global', word(skewed(15, i, 8))), iif(chance(16, i) < 0.08, 1690000000 + pick(17, i, 40000000), 0), iif(chance(18, i) < 0.03, \
'{"region":"' || word(skewed(19, i, 60)) || '"}', '{}')
FROM numbers JOIN luckperms_players AS p ON p.rowid = iif(chance(20, i) < 0.3, skewed(21, i, 12000), pick(22, i, 12000)) WHERE i <= 45000;
INSERT INTO luckperms_group_permissions
SELECT i, iif(i % 9 = 0, 'default', word(2 + skewed(23, i, 38))), iif(i % 60 = 0, 'group.' || word(41 - pick(24, i, 20)), word(skewed(25, \
i, 60)) || '.' || word(pick(26, i, 400))), 1, 'global', 'global', 0, '{}' FROM numbers WHERE i <= 4000;
INSERT INTO luckperms_actions
SELECT i, 1600000000 + i * 2000 + pick(27, i, 1500), a.uuid, a.username, iif(chance(28, i) < 0.85, 'U', iif(chance(29, i) < 0.9, 'G', \
'T')), t.uuid, t.username, 'permission set ' || word(skewed(30, i, 60)) || '.' || word(skewed(31, i, 200)) || ' true'
FROM numbers JOIN luckperms_players AS a ON a.rowid = skewed(32, i, 150) JOIN luckperms_players AS t ON t.rowid = iif(chance(33, i) < 0.2, \
skewed(34, i, 12000), pick(35, i, 12000)) WHERE i <= 50000;
INSERT INTO luckperms_tracks SELECT word(100 + i), '["default"]' FROM numbers WHERE i <= 5;

-- statement: luckperms-01
-- is: full-scan, join-order
-- because: who is in a group: permissions have only the index of the players
-- run: 'group.nofo' | 'group.tufo'

SELECT p.username, u.server, u.world, u.expiry FROM luckperms_user_permissions AS u JOIN luckperms_players AS p ON p.uuid = u.uuid WHERE \
u.permission = ? AND u.value = 1 ORDER BY p.username

-- best
-- index: luckperms_user_permissions (permission, value, uuid, server, world, expiry)

-- or
-- index: luckperms_user_permissions (permission, value)

-- or
-- index: luckperms_user_permissions (permission)

-- statement: luckperms-02
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: permissions that begin with something, by LIKE, which doesn't mind the case
-- run: 'loce.thaj%' | 'tufo.xi%'

SELECT uuid, permission, value FROM luckperms_user_permissions WHERE permission LIKE ?

-- best
-- index: luckperms_user_permissions (permission COLLATE NOCASE, uuid, value)

-- or
-- index: luckperms_user_permissions (permission COLLATE NOCASE)

-- statement: luckperms-03
-- is: full-scan, sort-without-index
-- because: the last changes of a player: the log has no index
-- run: 'daa66d13-0000-4000-8000-000000000003' | '9fb0bffc-0000-4000-8000-0000000002bc'

SELECT id, time, actor_name, action FROM luckperms_actions WHERE type = 'U' AND acted_uuid = ? ORDER BY time DESC LIMIT 10

-- best
-- index: luckperms_actions (acted_uuid, type, time)

-- or
-- index: luckperms_actions (acted_uuid, time)

-- statement: luckperms-04
-- is: full-scan, large-offset, sort-without-index
-- because: a page far back in the log: all is sorted and most thrown away
-- run: 30000

SELECT id, time, actor_name, acted_name, action FROM luckperms_actions ORDER BY time DESC LIMIT 15 OFFSET ?

-- best
-- index: luckperms_actions (time)
-- run: 1640003219

SELECT id, time, actor_name, acted_name, action FROM luckperms_actions WHERE time < ? ORDER BY time DESC LIMIT 15

-- statement: luckperms-05
-- is: full-scan, or-without-index, sort-without-index
-- because: what somebody did or had done to them
-- run: '9fb0bffc-0000-4000-8000-0000000002bc' | '86568ccc-0000-4000-8000-00000000008c'

SELECT id, time, actor_name, acted_name FROM luckperms_actions WHERE actor_uuid = ?1 OR acted_uuid = ?1 ORDER BY time DESC, id DESC LIMIT 25

-- best
-- index: luckperms_actions (actor_uuid, time)
-- index: luckperms_actions (acted_uuid, time)

-- or
-- index: luckperms_actions (actor_uuid)
-- index: luckperms_actions (acted_uuid)

-- statement: luckperms-06
-- is: full-scan, partial-index
-- because: what is over: most permissions are for ever, with a zero
-- run: 1690600000

DELETE FROM luckperms_user_permissions WHERE expiry <> 0 AND expiry < ?

-- best
-- index: luckperms_user_permissions (expiry) WHERE expiry <> 0

-- statement: luckperms-07
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: a player by name, whatever its case
-- run: 'clelobace97' | 'clelofodi96'

SELECT uuid, username FROM luckperms_players WHERE lower(username) = ?

-- best
-- index: luckperms_players (lower(username))

-- or
-- index: luckperms_players (username COLLATE NOCASE)

SELECT uuid, username FROM luckperms_players WHERE username = ? COLLATE NOCASE

-- statement: luckperms-08
-- is: expression-index, full-scan, function-on-column, group-without-index, partial-index
-- because: regions with permissions of their own: the JSON of all is parsed, and most is empty

SELECT json_extract(contexts, '$.region') AS region, count(DISTINCT uuid) AS n FROM luckperms_user_permissions WHERE \
json_extract(contexts, '$.region') IS NOT NULL GROUP BY region ORDER BY n DESC, region

-- best
-- index: luckperms_user_permissions (json_extract(contexts, '$.region'), uuid) WHERE json_extract(contexts, '$.region') IS NOT NULL

-- statement: luckperms-09
-- is: full-scan, sort-without-index, subquery-per-row
-- because: the last that each actor did: the whole log is sorted and numbered

SELECT actor_name, action, time FROM (SELECT actor_name, action, time, row_number() OVER (PARTITION BY actor_uuid ORDER BY time DESC, id \
DESC) AS n FROM luckperms_actions) WHERE n = 1 ORDER BY time DESC

-- best
-- index: luckperms_actions (actor_uuid, time)

WITH RECURSIVE actor (uuid) AS (
  SELECT min(actor_uuid) FROM luckperms_actions UNION ALL SELECT (SELECT min(l.actor_uuid) FROM luckperms_actions AS l WHERE l.actor_uuid \
> actor.uuid) FROM actor WHERE actor.uuid IS NOT NULL)
SELECT l.actor_name, l.action, l.time FROM actor JOIN luckperms_actions AS l ON l.id = (SELECT m.id FROM luckperms_actions AS m WHERE \
m.actor_uuid = actor.uuid ORDER BY m.time DESC, m.id DESC LIMIT 1) ORDER BY l.time DESC

-- statement: luckperms-10
-- is: expression-index, full-scan, function-on-column, wide-rows-for-count
-- because: how much was changed in a month, by a function of the time
-- run: '2021-03' | '2023-05'

SELECT count(*) FROM luckperms_actions WHERE strftime('%Y-%m', time, 'unixepoch') = ?

-- best
-- index: luckperms_actions (time)

SELECT count(*) FROM luckperms_actions WHERE time >= strftime('%s', ?1 || '-01') + 0 AND time < strftime('%s', ?1 || '-01', '+1 month') + 0

-- or
-- index: luckperms_actions (strftime('%Y-%m', time, 'unixepoch'))

-- statement: luckperms-11
-- is: full-scan, group-without-index
-- because: players by group

SELECT primary_group, count(*) AS n FROM luckperms_players GROUP BY primary_group ORDER BY n DESC

-- best
-- index: luckperms_players (primary_group)

WITH RECURSIVE g (name) AS (
  SELECT min(primary_group) FROM luckperms_players UNION ALL SELECT (SELECT min(p.primary_group) FROM luckperms_players AS p WHERE \
p.primary_group > g.name) FROM g WHERE g.name IS NOT NULL)
SELECT name, (SELECT count(*) FROM luckperms_players AS p WHERE p.primary_group = g.name) AS n FROM g WHERE name IS NOT NULL ORDER BY n DESC

-- or
-- index: luckperms_players (primary_group)

-- statement: luckperms-12
-- fine
-- because: the permissions of a player, by an index
-- run: '9fb0bffc-0000-4000-8000-0000000002bc'

SELECT permission, value, server, world, expiry, contexts FROM luckperms_user_permissions WHERE uuid = ?

-- statement: luckperms-13
-- fine
-- tolerated: index-not-covering
-- because: one permission of a player, of which there are few
-- run: '9fb0bffc-0000-4000-8000-0000000002bc', 'group.default', 1, 'global', 'global', 0, '{}'

DELETE FROM luckperms_user_permissions WHERE uuid = ? AND permission = ? AND value = ? AND server = ? AND world = ? AND expiry = ? AND contexts = ?

-- statement: luckperms-14
-- fine
-- tolerated: full-scan
-- because: players with permissions, read in the order of an index; nearly each has another one

SELECT DISTINCT uuid FROM luckperms_user_permissions

-- statement: luckperms-15
-- fine
-- tolerated: index-not-covering, pattern-without-index
-- because: what a group inherits from, group by group with an index
-- run: 'vace'

WITH RECURSIVE parent (name) AS (
  SELECT ? UNION SELECT substr(g.permission, 7) FROM parent AS p JOIN luckperms_group_permissions AS g ON g.name = p.name WHERE \
g.permission LIKE 'group.%' AND g.value = 1)
SELECT name FROM parent

-- statement: luckperms-16
-- fine
-- because: players by their names, by an index
-- run: 'loce', 'vace', 'drice'

SELECT uuid, username FROM luckperms_players WHERE username IN (?, ?, ?)

-- statement: luckperms-17
-- fine
-- because: a line is added to the log
-- run: 1700500000, 'parent add vace', 'daa66d13-0000-4000-8000-000000000003'

INSERT INTO luckperms_actions (time, actor_uuid, actor_name, type, acted_uuid, acted_name, action) SELECT ?, uuid, username, 'U', uuid, \
username, ? FROM luckperms_players WHERE uuid = ?
