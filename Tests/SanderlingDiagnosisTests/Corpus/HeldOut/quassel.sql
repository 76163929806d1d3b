-- schema: quassel
-- about: A core that stays on IRC: the messages of some hundred channels, most of them in a few.
-- origin: Quassel IRC, SQLite schema 17 (GPL-2.0 or GPL-3.0, Copyright The Quassel Team): five of its tables with their indexes, of the \
--   networks' columns four

CREATE TABLE quasseluser (userid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, username TEXT UNIQUE NOT NULL, password TEXT NOT NULL);
CREATE TABLE sender (senderid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, sender TEXT UNIQUE NOT NULL);
CREATE TABLE network (
  networkid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, userid INTEGER NOT NULL, networkname TEXT NOT NULL,
  connected INTEGER NOT NULL DEFAULT 0, UNIQUE (userid, networkname));
CREATE TABLE buffer (
  bufferid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, userid INTEGER NOT NULL, groupid INTEGER, networkid INTEGER NOT NULL,
  buffername TEXT NOT NULL, buffercname TEXT NOT NULL, buffertype INTEGER NOT NULL DEFAULT 0, lastseenmsgid INTEGER NOT NULL DEFAULT 0,
  markerlinemsgid INTEGER NOT NULL DEFAULT 0, key TEXT, joined INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX buffer_idx ON buffer(userid, networkid, buffername);
CREATE UNIQUE INDEX buffer_cname_idx ON buffer(userid, networkid, buffercname);
CREATE TABLE backlog (
  messageid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, bufferid INTEGER NOT NULL, type INTEGER NOT NULL,
  flags INTEGER NOT NULL, senderid INTEGER NOT NULL, message TEXT);
CREATE INDEX backlog_bufferid_idx ON backlog(bufferid);
CREATE INDEX backlog_buffer_time_idx ON backlog (bufferid, time);
CREATE INDEX buffer_user_idx ON buffer(userid);

INSERT INTO quasseluser SELECT i, word(i), 'x' FROM numbers WHERE i <= 5;
INSERT INTO sender SELECT i, word(i) || '!~' || word(i * 3) || '@' || word(i * 7) || '.example.net' FROM numbers WHERE i <= 9000;
INSERT INTO network SELECT i, 1 + i % 5, 'net' || i, 1 FROM numbers WHERE i <= 10;
INSERT INTO buffer SELECT i, 1 + i % 5, NULL, 1 + i % 10, '#' || word(i), '#' || word(i), 2, 59000 + pick(1, i, 900), 0, NULL, 1 FROM \
numbers WHERE i <= 220;
INSERT INTO backlog SELECT i, 1600000000 + i * 240, skewed(2, i, 220), iif(chance(3, i) < 0.6, 1, 32), iif(chance(4, i) < 0.004, 2, 0) + \
iif(chance(5, i) < 0.1, 1, 0),
  skewed(6, i, 7000), iif(chance(3, i) < 0.6, prose(7, i, 20 + pick(8, i, 140)), '') FROM numbers WHERE i <= 60000;

-- statement: quassel-01
-- fine
-- because: the last messages of a channel, from the end of an index
-- run: 7, 20

SELECT messageid, time, type, flags, sender, message FROM backlog JOIN sender ON backlog.senderid = sender.senderid
WHERE bufferid = ? ORDER BY messageid DESC LIMIT ?

-- statement: quassel-02
-- is: expression-index, full-scan, function-on-column, index-not-covering, partial-index, sort-without-index
-- because: who was called: four in a thousand have the bit
-- run: 3 | 5

SELECT messageid, bufferid, time, message FROM backlog
WHERE bufferid IN (SELECT bufferid FROM buffer WHERE userid = ?) AND (flags & 2) = 2 ORDER BY messageid DESC LIMIT 200

-- best
-- index: backlog (bufferid) WHERE (flags & 2) = 2

-- or
-- index: backlog (flags & 2, bufferid)

-- statement: quassel-03
-- fine
-- because: the end of an index for each of 44 channels
-- run: 2

SELECT b.bufferid, (SELECT max(l.messageid) FROM backlog l WHERE l.bufferid = b.bufferid) AS latest
FROM buffer b WHERE b.userid = ?

-- statement: quassel-04
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: whoever has that nick: the unique index has regard to case

SELECT senderid, sender FROM sender WHERE sender LIKE 'stamu!%'

-- best
-- index: sender (sender COLLATE NOCASE)

-- statement: quassel-05
-- is: automatic-index, full-scan, join-order, pattern-without-index
-- because: what somebody said: SQLite walks the messages from the newest, of which hardly any match
-- run: 'shuhaje!%' | 'stamu!%'

SELECT b.messageid, b.time, b.bufferid, b.message FROM backlog b JOIN sender s ON s.senderid = b.senderid
WHERE s.sender LIKE ? ORDER BY b.messageid DESC LIMIT 100

-- best
-- index: backlog (senderid)

SELECT b.messageid, b.time, b.bufferid, b.message FROM sender s CROSS JOIN backlog b ON s.senderid = b.senderid
WHERE s.sender LIKE ? ORDER BY b.messageid DESC LIMIT 100

-- statement: quassel-06
-- is: expression-index, function-on-column, index-not-covering
-- because: a day of a channel; the index of its times isn't used for a function of them
-- run: 1, '2020-12-01' | 2, '2020-10-12'

SELECT messageid, time, message FROM backlog WHERE bufferid = ? AND date(time, 'unixepoch') = ? ORDER BY messageid

-- best

SELECT messageid, time, message FROM backlog WHERE bufferid = ?1 AND time >= CAST(strftime('%s', ?2) AS INTEGER)
AND time < CAST(strftime('%s', ?2, '+1 day') AS INTEGER) ORDER BY messageid

-- or
-- index: backlog (bufferid, date(time, 'unixepoch'))

-- statement: quassel-07
-- is: large-offset
-- because: page 121 of the busiest channel: 6,000 messages are read and left out
-- run: 1

SELECT messageid, time, senderid, message FROM backlog WHERE bufferid = ? ORDER BY time DESC, messageid DESC LIMIT 50 OFFSET 6000

-- best
-- run: 1, 1603384240, 14101

SELECT messageid, time, senderid, message FROM backlog WHERE bufferid = ? AND (time, messageid) < (?, ?) ORDER BY time DESC, messageid DESC LIMIT 50

-- statement: quassel-08
-- is: full-scan, missing-statistics
-- because: what is too old to keep, of all channels
-- run: 1600050000

DELETE FROM backlog WHERE time < ?

-- best
-- index: backlog (time)

-- statement: quassel-09
-- fine
-- because: the last 600 messages at most, by channel and number in an index
-- run: 1

SELECT b.bufferid, count(*) AS unread FROM buffer b JOIN backlog l ON l.bufferid = b.bufferid AND l.messageid > b.lastseenmsgid
WHERE b.userid = ? GROUP BY b.bufferid
