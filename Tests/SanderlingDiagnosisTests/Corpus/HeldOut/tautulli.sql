-- schema: tautulli
-- about: Who watched what: one wide row for each play, three tables with the same key, and indexes that go by the end of a play.
-- origin: Tautulli 2.17.2 (GPL-3.0, Copyright The Tautulli developers): five of its tables with their indexes, of the media's columns \
--   eight and of the metadata's fourteen
-- superfluous: redundant-index idx_session_history_media_type
-- superfluous: redundant-index idx_session_history_user_id
-- superfluous: redundant-index idx_session_history_section_id

CREATE TABLE session_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT, reference_id INTEGER, started INTEGER, stopped INTEGER, rating_key INTEGER, user_id INTEGER, user TEXT,
  ip_address TEXT, paused_counter INTEGER DEFAULT 0, player TEXT, product TEXT, product_version TEXT, platform TEXT, platform_version TEXT,
  profile TEXT, machine_id TEXT, bandwidth INTEGER, location TEXT, quality_profile TEXT, secure INTEGER, relayed INTEGER,
  parent_rating_key INTEGER, grandparent_rating_key INTEGER, media_type TEXT, section_id INTEGER, view_offset INTEGER DEFAULT 0);
CREATE TABLE session_history_media_info (
  id INTEGER PRIMARY KEY, rating_key INTEGER, video_decision TEXT, audio_decision TEXT, transcode_decision TEXT, duration INTEGER DEFAULT 0,
  container TEXT, bitrate INTEGER);
CREATE TABLE session_history_metadata (
  id INTEGER PRIMARY KEY, rating_key INTEGER, parent_rating_key INTEGER, grandparent_rating_key INTEGER, title TEXT, parent_title TEXT,
  grandparent_title TEXT, full_title TEXT, media_type TEXT, year INTEGER, summary TEXT, duration INTEGER DEFAULT 0, guid TEXT,
  live INTEGER DEFAULT 0);
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER DEFAULT NULL UNIQUE, username TEXT NOT NULL, friendly_name TEXT, email TEXT,
  is_active INTEGER DEFAULT 1, deleted_user INTEGER DEFAULT 0);
CREATE TABLE notify_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp INTEGER, session_key INTEGER, rating_key INTEGER, parent_rating_key INTEGER,
  grandparent_rating_key INTEGER, user_id INTEGER, user TEXT, notifier_id INTEGER, agent_id INTEGER, agent_name TEXT, notify_action TEXT,
  subject_text TEXT, body_text TEXT, script_args TEXT, success INTEGER DEFAULT 0, tag TEXT);
CREATE INDEX idx_session_history_media_type ON session_history (media_type);
CREATE INDEX idx_session_history_media_type_stopped ON session_history (media_type, stopped ASC);
CREATE INDEX idx_session_history_rating_key ON session_history (rating_key);
CREATE INDEX idx_session_history_parent_rating_key ON session_history (parent_rating_key);
CREATE INDEX idx_session_history_grandparent_rating_key ON session_history (grandparent_rating_key);
CREATE INDEX idx_session_history_user ON session_history (user);
CREATE INDEX idx_session_history_user_id ON session_history (user_id);
CREATE INDEX idx_session_history_user_id_stopped ON session_history (user_id, stopped ASC);
CREATE INDEX idx_session_history_section_id ON session_history (section_id);
CREATE INDEX idx_session_history_section_id_stopped ON session_history (section_id, stopped ASC);
CREATE INDEX idx_session_history_reference_id ON session_history (reference_id ASC);
CREATE INDEX idx_session_history_metadata_rating_key ON session_history_metadata (rating_key);
CREATE INDEX idx_session_history_metadata_guid ON session_history_metadata (guid);
CREATE INDEX idx_session_history_metadata_live ON session_history_metadata (live);
CREATE INDEX idx_session_history_media_info_transcode_decision ON session_history_media_info (transcode_decision);

INSERT INTO users SELECT i, 1000 + i, word(i), title(1, i, 2), word(i) || '@example.org', 1, 0 FROM numbers WHERE i <= 60;
INSERT INTO session_history
SELECT i, iif(chance(2, i) < 0.15 AND i > 1, i - 1, i), 1500000000 + i * 4000, 1500000000 + i * 4000 + pick(3, i, 7000), skewed(4, i, 9000),
  1000 + skewed(5, i, 60), word(skewed(5, i, 60)), '10.0.' || skewed(5, i, 60) || '.' || skewed(6, i, 9), iif(chance(7, i) < 0.2, pick(8, i, 900), 0),
  title(9, i, 2), 'Plex for ' || word(pick(10, i, 12)), '4.' || pick(11, i, 90), 'platform ' || word(skewed(12, i, 14)), pick(13, i, 12), 'profile',
  printf('%08x%08x', skewed(5, i, 60) * 7919, skewed(14, i, 5) * 104729), pick(15, i, 20000), 'lan', 'Original', 1, 0,
  skewed(4, i, 9000) / 10, skewed(4, i, 9000) / 60, CASE WHEN chance(16, i) < 0.6 THEN 'episode' WHEN chance(16, i) < 0.85 THEN 'movie' \
ELSE 'track' END,
  pick(17, i, 4), pick(18, i, 3000000)
FROM numbers WHERE i <= 40000;
INSERT INTO session_history_metadata
SELECT id, rating_key, parent_rating_key, grandparent_rating_key, title(19, rating_key, 3), title(20, parent_rating_key, 1),
  title(21, grandparent_rating_key, 2), title(21, grandparent_rating_key, 2) || ' - ' || title(19, rating_key, 3), media_type,
  1970 + rating_key % 50, prose(22, rating_key, 300), 2000000, 'plex://' || media_type || '/' || rating_key, chance(23, id) < 0.01
FROM session_history;
INSERT INTO session_history_media_info
SELECT id, rating_key, 'copy', 'copy', CASE WHEN chance(24, id) < 0.25 THEN 'transcode' WHEN chance(24, id) < 0.5 THEN 'copy' ELSE 'direct play' END,
  2000000, 'mkv', pick(25, id, 30000) FROM session_history;
INSERT INTO notify_log
SELECT i, 1500000000 + i * 8000, i, skewed(26, i, 9000), NULL, NULL, 1000 + skewed(27, i, 60), word(skewed(27, i, 60)), pick(28, i, 3), 17, 'discord',
  CASE pick(29, i, 4) WHEN 1 THEN 'on_play' WHEN 2 THEN 'on_stop' WHEN 3 THEN 'on_pause' ELSE 'on_resume' END, title(30, i, 4), prose(31, \
i, 200), '', 1, ''
FROM numbers WHERE i <= 20000;

-- statement: tautulli-01
-- is: full-scan, group-without-index, join-fan-out, sort-without-index
-- because: the first page of the history, where plays aren't put together: groups of one row each, all of them sorted

SELECT sh.id AS row_id, max(sh.started) AS date, sum(sh.stopped - sh.started) - sum(sh.paused_counter) AS play_duration,
  u.friendly_name, sh.player, shm.full_title, count(*) AS group_count
FROM session_history sh LEFT JOIN users u ON u.user_id = sh.user_id JOIN session_history_metadata shm ON shm.id = sh.id
GROUP BY sh.id ORDER BY date DESC LIMIT 25

-- best
-- index: session_history (started)

SELECT sh.id AS row_id, sh.started AS date, sh.stopped - sh.started - sh.paused_counter AS play_duration,
  u.friendly_name, sh.player, shm.full_title, 1 AS group_count
FROM session_history sh LEFT JOIN users u ON u.user_id = sh.user_id JOIN session_history_metadata shm ON shm.id = sh.id
ORDER BY sh.started DESC LIMIT 25

-- statement: tautulli-02
-- fine
-- tolerated: group-without-index, index-not-covering
-- because: the films of a few days, by an index of just these two
-- run: 1659500000

SELECT sh.rating_key, count(sh.id) AS plays, max(sh.started) FROM session_history sh
WHERE sh.media_type = 'movie' AND sh.stopped >= ? GROUP BY sh.rating_key ORDER BY plays DESC LIMIT 10

-- statement: tautulli-03
-- is: index-not-covering, sort-without-index
-- because: what somebody watched last, by when it began: the index goes by when it ended
-- run: 1001 | 1004

SELECT sh.id, sh.started, sh.media_type, shm.full_title FROM session_history sh JOIN session_history_metadata shm ON shm.id = sh.id
WHERE sh.user_id = ? ORDER BY sh.started DESC LIMIT 10

-- best
-- index: session_history (user_id, started)

-- statement: tautulli-04
-- is: distinct-without-index, group-without-index, index-not-covering
-- because: five devices, from thousands of wide rows
-- run: 1001 | 1012

SELECT machine_id FROM session_history WHERE user_id = ? GROUP BY machine_id

-- best
-- index: session_history (user_id, machine_id)

-- statement: tautulli-05
-- is: full-scan
-- because: a month of five years; each index has the end second
-- run: 1657000000 | 1659000000

SELECT date(started, 'unixepoch') AS day, sum(media_type = 'episode') AS tv, sum(media_type = 'movie') AS movies,
  sum(stopped - started - paused_counter) AS seconds FROM session_history WHERE stopped >= ? GROUP BY day ORDER BY day

-- best
-- index: session_history (stopped)

-- statement: tautulli-06
-- is: distinct-without-index, full-scan, sort-without-index
-- because: fourteen names in 40,000 rows

SELECT DISTINCT platform FROM session_history ORDER BY platform

-- best
-- index: session_history (platform)

WITH RECURSIVE p (platform) AS (
  SELECT min(platform) FROM session_history UNION ALL
  SELECT (SELECT min(s.platform) FROM session_history s WHERE s.platform > p.platform) FROM p WHERE p.platform IS NOT NULL)
SELECT platform FROM p WHERE platform IS NOT NULL

-- or
-- index: session_history (platform)

-- statement: tautulli-07
-- is: full-scan, large-offset, sort-without-index
-- because: a page of the log of notifications: all texts are sorted

SELECT id, timestamp, user, agent_name, notify_action, subject_text, body_text, success FROM notify_log ORDER BY timestamp DESC LIMIT 25 OFFSET 4000

-- best
-- index: notify_log (timestamp)
-- run: 1628008000

SELECT id, timestamp, user, agent_name, notify_action, subject_text, body_text, success FROM notify_log
WHERE timestamp < ? ORDER BY timestamp DESC LIMIT 25

-- or
-- index: notify_log (timestamp)

-- statement: tautulli-08
-- is: full-scan, index-not-covering, join-order, missing-statistics
-- because: who had films converted lately: from all that were ever converted, or from all plays
-- run: 1658000000

SELECT sh.user_id, count(*) AS n FROM session_history sh JOIN session_history_media_info mi ON mi.id = sh.id
WHERE mi.transcode_decision = 'transcode' AND sh.stopped >= ? GROUP BY sh.user_id ORDER BY n DESC

-- best
-- index: session_history (stopped, user_id)

SELECT sh.user_id, count(*) AS n FROM session_history sh CROSS JOIN session_history_media_info mi ON mi.id = sh.id
WHERE mi.transcode_decision = 'transcode' AND sh.stopped >= ? GROUP BY +sh.user_id ORDER BY n DESC

-- statement: tautulli-09
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: a few plays of one season
-- run: 880

SELECT id, user, started FROM session_history WHERE parent_rating_key = ? ORDER BY started DESC LIMIT 10

-- statement: tautulli-10
-- fine
-- because: its index ends with the id
-- run: 4242

SELECT full_title, summary, guid FROM session_history_metadata WHERE rating_key = ? ORDER BY id DESC LIMIT 1
