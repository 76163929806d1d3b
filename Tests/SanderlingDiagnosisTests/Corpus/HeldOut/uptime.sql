-- schema: uptime
-- about: A monitor of services: few monitors, and a heartbeat of each every minute.
-- origin: Uptime Kuma 1.23 (MIT, Copyright Louis Lam): five tables of its SQLite database with their indexes, of the monitors' columns nine
-- superfluous: redundant-index monitor_id

CREATE TABLE monitor (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name VARCHAR(150), active BOOLEAN DEFAULT 1 NOT NULL, user_id INTEGER,
  interval INTEGER DEFAULT 20 NOT NULL, url TEXT, type VARCHAR(20), weight INTEGER DEFAULT 2000, hostname VARCHAR(255));
CREATE TABLE heartbeat (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, important BOOLEAN NOT NULL DEFAULT 0, monitor_id INTEGER NOT NULL
  REFERENCES monitor (id) ON DELETE CASCADE ON UPDATE CASCADE, status SMALLINT NOT NULL, msg TEXT, time DATETIME NOT NULL,
  ping INTEGER, duration INTEGER NOT NULL DEFAULT 0, down_count INTEGER NOT NULL DEFAULT 0);
CREATE INDEX important ON heartbeat (important);
CREATE INDEX monitor_time_index ON heartbeat (monitor_id, time);
CREATE INDEX monitor_id ON heartbeat (monitor_id);
CREATE INDEX monitor_important_time_index ON heartbeat (monitor_id, important, time);
CREATE TABLE tag (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name VARCHAR(255) NOT NULL, color VARCHAR(255) NOT NULL,
  created_date DATETIME DEFAULT (DATETIME('now')) NOT NULL);
CREATE TABLE monitor_tag (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE, value TEXT);
CREATE INDEX monitor_tag_monitor_id_index ON monitor_tag (monitor_id);
CREATE INDEX monitor_tag_tag_id_index ON monitor_tag (tag_id);
CREATE TABLE monitor_tls_info (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER NOT NULL, info_json TEXT);

INSERT INTO monitor SELECT i, title(1, i, 2), i % 10 <> 0, 1, 60, 'https://' || word(i) || '.example.com', 'http', 2000, NULL
FROM numbers WHERE i <= 50;
INSERT INTO heartbeat
SELECT i, chance(2, i) < 0.01, 1 + i % 50, iif(chance(3, i) < 0.007, 0, 1),
  iif(chance(3, i) < 0.007, 'timeout of 48000ms exceeded', '200 - OK ' || word(pick(4, i, 50)) || ' served by ' || word(pick(5, i, 300))),
  datetime(1700000000 + i / 50 * 60, 'unixepoch') || '.' || printf('%03d', i % 50 * 20), iif(chance(3, i) < 0.007, NULL, pick(6, i, 900)), 60, 0
FROM numbers WHERE i <= 60000;
INSERT INTO tag SELECT i, word(i), '#4B5563', '2023-01-01' FROM numbers WHERE i <= 12;
INSERT INTO monitor_tag SELECT i, 1 + i % 50, skewed(7, i, 12), '' FROM numbers WHERE i <= 100;
INSERT INTO monitor_tls_info SELECT i, 1 + i % 50, '{"valid":true,"certInfo":{"daysRemaining":' || pick(8, i, 90) || '}}' FROM numbers WHERE i <= 50;

-- statement: uptime-01
-- is: index-not-covering, subquery-per-row
-- because: the newest of each, from the end of an index: half of the time is the look-up of its status

SELECT m.id, m.name, (SELECT h.status FROM heartbeat h WHERE h.monitor_id = m.id ORDER BY h.time DESC LIMIT 1) AS status
FROM monitor m WHERE m.active = 1

-- best
-- index: heartbeat (monitor_id, time, status)

-- statement: uptime-02
-- is: group-without-index, index-not-covering
-- because: a day of one monitor: every beat is looked up for its ping
-- run: 17, '2023-11-14 23:00:00'

SELECT strftime('%Y-%m-%d %H', time) AS hour, avg(ping), min(ping), max(ping) FROM heartbeat
WHERE monitor_id = ? AND time > ? AND ping IS NOT NULL GROUP BY hour ORDER BY hour

-- best
-- index: heartbeat (monitor_id, time, ping)

-- statement: uptime-03
-- is: full-scan, partial-index, sort-without-index
-- because: what was down in the last hours; nothing begins with the status or the time
-- run: '2023-11-15 10:00:00'

SELECT monitor_id, time, msg FROM heartbeat WHERE status = 0 AND time >= ? ORDER BY time DESC

-- best
-- index: heartbeat (time) WHERE status = 0

-- or
-- index: heartbeat (status, time)

-- statement: uptime-04
-- is: sort-without-index
-- because: the list of events: 600 are found by the index and sorted for 25
-- run: 25

SELECT id, monitor_id, status, time, msg FROM heartbeat WHERE important = 1 ORDER BY time DESC LIMIT ?

-- best
-- index: heartbeat (important, time)

-- statement: uptime-05
-- fine
-- because: 50 rows
-- run: 'ba'

SELECT id, name FROM monitor WHERE name LIKE '%' || ? || '%' ORDER BY weight DESC, name

-- statement: uptime-06
-- is: full-scan, missing-statistics
-- because: a few hundred old ones go each night; with statistics SQLite skips through 50 monitors
-- run: '2023-11-14 22:20:00'

DELETE FROM heartbeat WHERE time < ?

-- best
-- index: heartbeat (time)

-- or
-- change: ANALYZE

-- statement: uptime-07
-- fine
-- because: 100 rows

SELECT t.name, t.color, count(*) FROM monitor_tag mt JOIN tag t ON t.id = mt.tag_id GROUP BY t.id ORDER BY 3 DESC

-- statement: uptime-08
-- is: full-scan, index-not-covering, sort-without-index
-- because: each beat beside the one before: an index that covers has the order and the columns

SELECT monitor_id, time, msg FROM (
  SELECT monitor_id, time, msg, status, lag(status) OVER (PARTITION BY monitor_id ORDER BY time) AS previous FROM heartbeat)
WHERE status = 0 AND previous = 1

-- best
-- index: heartbeat (monitor_id, time, status, msg)

-- statement: uptime-09
-- is: distinct-without-index, full-scan, index-not-covering
-- because: 0.7 % are down
-- run: 0

SELECT DISTINCT m.name FROM heartbeat h JOIN monitor m ON m.id = h.monitor_id WHERE h.status = ?

-- best
-- index: heartbeat (status, monitor_id)

-- or
-- index: heartbeat (status)
