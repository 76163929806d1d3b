-- schema: moonfire
-- about: A recorder of cameras: minutes of video by stream and time, signals, and sessions of users.
-- source: Taken from scottlamb/moonfire-nvr, server/db/schema.sql.
-- origin: Moonfire NVR at 24a0b2a9 (GPL-3.0-or-later with exception, Copyright The Moonfire NVR Authors): eleven of its tables with their \
--   indexes

CREATE TABLE open (
  id INTEGER PRIMARY KEY, uuid BLOB UNIQUE NOT NULL CHECK (length(uuid) = 16), start_time_90k INTEGER, end_time_90k INTEGER, duration_90k \
INTEGER, boot_uuid CHECK (length(boot_uuid) = 16));
CREATE TABLE sample_file_dir (
  id INTEGER PRIMARY KEY, uuid BLOB UNIQUE NOT NULL CHECK (length(uuid) = 16), config TEXT, last_complete_open_id INTEGER REFERENCES open (id));
CREATE TABLE camera (
  id INTEGER PRIMARY KEY, uuid BLOB UNIQUE NOT NULL CHECK (length(uuid) = 16), short_name TEXT NOT NULL, config TEXT NOT NULL);
CREATE TABLE stream (
  id INTEGER PRIMARY KEY, camera_id INTEGER NOT NULL REFERENCES camera (id), sample_file_dir_id INTEGER REFERENCES sample_file_dir (id), \
type TEXT NOT NULL CHECK (type IN ('main', 'sub', 'ext')), config TEXT NOT NULL,
  cum_recordings INTEGER NOT NULL CHECK (cum_recordings >= 0), cum_media_duration_90k INTEGER NOT NULL CHECK (cum_media_duration_90k >= \
0), cum_runs INTEGER NOT NULL CHECK (cum_runs >= 0), UNIQUE (camera_id, type));
CREATE TABLE recording (
  composite_id INTEGER PRIMARY KEY, open_id INTEGER NOT NULL REFERENCES open (id), stream_id INTEGER NOT NULL REFERENCES stream (id), \
run_offset INTEGER NOT NULL, flags INTEGER NOT NULL, sample_file_bytes INTEGER NOT NULL CHECK (sample_file_bytes > 0),
  start_time_90k INTEGER NOT NULL CHECK (start_time_90k > 0), prev_media_duration_90k INTEGER NOT NULL CHECK (prev_media_duration_90k >= \
0), prev_runs INTEGER NOT NULL CHECK (prev_runs >= 0),
  wall_duration_90k INTEGER NOT NULL CHECK (wall_duration_90k >= 0 AND wall_duration_90k < 5*60*90000), media_duration_delta_90k INTEGER \
NOT NULL, video_samples INTEGER NOT NULL CHECK (video_samples > 0),
  video_sync_samples INTEGER NOT NULL CHECK (video_sync_samples > 0), video_sample_entry_id INTEGER REFERENCES video_sample_entry (id), \
end_reason TEXT CHECK (composite_id >> 32 = stream_id));
CREATE INDEX recording_cover ON recording (
  stream_id, start_time_90k, open_id, wall_duration_90k, media_duration_delta_90k, video_samples, video_sync_samples, \
video_sample_entry_id, sample_file_bytes, run_offset, flags);
CREATE TABLE recording_integrity (
  composite_id INTEGER PRIMARY KEY REFERENCES recording (composite_id), local_time_delta_90k INTEGER, local_time_since_open_90k INTEGER, \
wall_time_delta_90k INTEGER, sample_file_blake3 BLOB CHECK (length(sample_file_blake3) <= 32));
CREATE TABLE garbage (
  sample_file_dir_id INTEGER NOT NULL REFERENCES sample_file_dir (id), composite_id INTEGER NOT NULL, PRIMARY KEY (sample_file_dir_id, \
composite_id)) WITHOUT ROWID;
CREATE TABLE video_sample_entry (
  id INTEGER PRIMARY KEY, width INTEGER NOT NULL CHECK (width > 0), height INTEGER NOT NULL CHECK (height > 0), rfc6381_codec TEXT NOT \
NULL, data BLOB NOT NULL CHECK (length(data) > 86),
  pasp_h_spacing INTEGER NOT NULL DEFAULT 1 CHECK (pasp_h_spacing > 0), pasp_v_spacing INTEGER NOT NULL DEFAULT 1 CHECK (pasp_v_spacing > 0));
CREATE TABLE user (
  id INTEGER PRIMARY KEY, username UNIQUE NOT NULL, config TEXT, password_hash TEXT, password_id INTEGER NOT NULL DEFAULT 0, \
password_failure_count INTEGER NOT NULL DEFAULT 0, permissions BLOB NOT NULL DEFAULT X'');
CREATE TABLE user_session (
  session_id_hash BLOB PRIMARY KEY NOT NULL, user_id INTEGER REFERENCES user (id) NOT NULL, seed BLOB NOT NULL, flags INTEGER NOT NULL, \
domain TEXT, description TEXT, creation_password_id INTEGER, creation_time_sec INTEGER NOT NULL,
  creation_user_agent TEXT, creation_peer_addr BLOB, revocation_time_sec INTEGER, revocation_user_agent TEXT, revocation_peer_addr BLOB, \
revocation_reason INTEGER, revocation_reason_detail TEXT, last_use_time_sec INTEGER,
  last_use_user_agent TEXT, last_use_peer_addr BLOB, use_count NOT NULL DEFAULT 0, permissions BLOB NOT NULL DEFAULT X'') WITHOUT ROWID;
CREATE INDEX user_session_uid ON user_session (user_id);
CREATE TABLE signal_change (
  time_90k INTEGER PRIMARY KEY, changes BLOB NOT NULL);

INSERT INTO open SELECT i, CAST(printf('%016x', i * 7919) AS BLOB), (1680000000 + i * 200000) * 90000, (1680000000 + i * 200000 + 190000) \
* 90000, 190000 * 90000, NULL FROM numbers WHERE i <= 220;
INSERT INTO sample_file_dir SELECT i, CAST(printf('%016x', i * 104729) AS BLOB), '{"path":"/media/' || word(i) || '"}', 200 FROM numbers WHERE i <= 3;
INSERT INTO camera SELECT i, CAST(printf('%016x', i * 3571) AS BLOB), word(i) || '-cam', '{"description":"' || title(1, i, 4) || '"}' FROM \
numbers WHERE i <= 12;
INSERT INTO stream SELECT i, 1 + (i - 1) / 2, 1 + i % 3, iif(i % 2 = 1, 'main', 'sub'), '{"mode":"record"}', 6000, 6000 * 5400000, 90 FROM \
numbers WHERE i <= 24;
INSERT INTO video_sample_entry SELECT i, 320 * pick(2, i, 8), 180 * pick(3, i, 8), 'avc1.4d00' || printf('%02x', i % 60), CAST(prose(4, i, \
120) AS BLOB), 1, 1 FROM numbers WHERE i <= 90;
INSERT INTO recording
SELECT (skewed(5, i, 22) << 32) + i, 1 + i / 300, skewed(5, i, 22), i % 60, chance(6, i) < 0.02, 40000 + pick(7, i, 900000) * skewed(8, i, \
12), (1680000000 + i * 660 + pick(9, i, 60)) * 90000, i * 5400000, i / 60, 5300000 + pick(10, i, 200000), pick(11, i, 900) - 450, 900 + \
pick(12, i, 900), 20 + pick(13, i, 40),
  iif(chance(14, i) < 0.9, skewed(5, i, 22), skewed(15, i, 70)), iif(chance(16, i) < 0.008, CASE skewed(17, i, 3) WHEN 1 THEN 'timeout' \
WHEN 2 THEN 'connection reset' ELSE 'video format changed' END, NULL)
FROM numbers WHERE i <= 60000;
INSERT INTO recording_integrity SELECT composite_id, pick(18, composite_id, 2000) - 1000, NULL, iif(chance(19, composite_id) < 0.01, 5, 1) \
* (pick(20, composite_id, 180000) - 90000), CAST(printf('%032x', composite_id * 31) AS BLOB) FROM recording;
INSERT INTO garbage SELECT iif(i <= 40, 3, 1 + i % 2), (pick(21, i, 24) << 32) + 70000 + i FROM numbers WHERE i <= 15000;
INSERT INTO user SELECT i, word(i), '{}', printf('%060x', i), 0, 0, X'01' FROM numbers WHERE i <= 300;
INSERT INTO user_session (session_id_hash, user_id, seed, flags, domain, creation_time_sec, creation_user_agent, revocation_time_sec, \
revocation_reason, last_use_time_sec, last_use_user_agent, use_count)
SELECT CAST(printf('%048x', i * 7919 % 32003) AS BLOB), skewed(22, i, 290), CAST(printf('%032x', i) AS BLOB), 7, 'nvr.example', 1680000000 \
+ i * 1900, 'Mozilla/5.0 ' || prose(23, i, 50), iif(chance(24, i) < 0.85, 1680000000 + i * 1900 + pick(25, i, 900000), NULL), \
iif(chance(24, i) < 0.85, 0, NULL),
  iif(chance(26, i) < 0.1, NULL, 1680000000 + i * 1900 + pick(27, i, 800000)), 'Mozilla/5.0 ' || prose(23, i, 50), skewed(28, i, 4000) \
FROM numbers WHERE i <= 21000;
INSERT INTO signal_change SELECT (1680000000 + i * 1300 + pick(29, i, 1200)) * 90000, CAST(word(i) AS BLOB) FROM numbers WHERE i <= 30000;

-- statement: moonfire-01
-- fine
-- because: a day of a stream, in the index that has all of it
-- run: 1, 152100000000000, 152107776000000 | 5, 153000000000000, 153054000000000

SELECT composite_id, start_time_90k, wall_duration_90k, sample_file_bytes FROM recording WHERE stream_id = ? AND start_time_90k > ? AND \
start_time_90k < ? ORDER BY start_time_90k

-- statement: moonfire-02
-- is: foreign-key-without-index
-- because: an open goes: all recordings are read for it
-- run: 210 | 219

DELETE FROM open WHERE id = ?

-- best
-- index: recording (open_id)

-- statement: moonfire-03
-- is: full-scan, sort-without-index
-- because: what all cameras saw in two hours: the index begins with the stream
-- run: 152100000000000, 152100648000000 | 153900000000000, 153900648000000

SELECT stream_id, composite_id, start_time_90k FROM recording WHERE start_time_90k BETWEEN ? AND ? ORDER BY start_time_90k

-- best
-- index: recording (start_time_90k, stream_id)

-- or
-- index: recording (start_time_90k)

-- or

SELECT stream_id, composite_id, start_time_90k FROM recording WHERE stream_id IN (SELECT id FROM stream) AND start_time_90k BETWEEN ? AND \
? ORDER BY start_time_90k

-- statement: moonfire-04
-- is: index-not-covering, partial-index
-- because: why a stream broke off lately: the only column that the index lacks
-- run: 1 | 4

SELECT composite_id, start_time_90k, end_reason FROM recording WHERE stream_id = ? AND end_reason IS NOT NULL ORDER BY start_time_90k DESC LIMIT 30

-- best
-- index: recording (stream_id, start_time_90k, end_reason) WHERE end_reason IS NOT NULL

-- or
-- index: recording (stream_id, start_time_90k) WHERE end_reason IS NOT NULL

-- or
-- index: recording (stream_id, start_time_90k, end_reason)

-- statement: moonfire-05
-- is: full-scan, partial-index, sort-without-index
-- because: sessions that are open and forgotten
-- run: 1690000000 | 1720000000

SELECT hex(session_id_hash), user_id, last_use_time_sec FROM user_session WHERE revocation_time_sec IS NULL AND last_use_time_sec < ? \
ORDER BY last_use_time_sec LIMIT 40

-- best
-- index: user_session (revocation_time_sec, last_use_time_sec, user_id)

-- or
-- index: user_session (last_use_time_sec) WHERE revocation_time_sec IS NULL

-- or
-- index: user_session (revocation_time_sec, last_use_time_sec)

-- statement: moonfire-06
-- fine
-- because: a session by its key
-- run: '000000000000000000000000000000000000000000001eef' | '000000000000000000000000000000000000000000005ccd'

SELECT user_id, seed, flags, revocation_time_sec FROM user_session WHERE session_id_hash = CAST(? AS BLOB)

-- statement: moonfire-07
-- is: full-scan
-- because: a file that is gone, without its directory: the key begins with that
-- run: 12884971988 | 38654785664

DELETE FROM garbage WHERE composite_id = ?

-- best
-- index: garbage (composite_id)

-- statement: moonfire-08
-- is: expression-index, function-on-column
-- because: a day of a stream, by a function of the time that is in the index
-- run: 1, '2023-08-01' | 2, '2024-01-15'

SELECT count(*), sum(sample_file_bytes) FROM recording WHERE stream_id = ? AND date(start_time_90k / 90000, 'unixepoch') = ?

-- best

SELECT count(*), sum(sample_file_bytes) FROM recording WHERE stream_id = ?1 AND start_time_90k >= CAST(strftime('%s', ?2) AS INTEGER) * \
90000 AND start_time_90k < (CAST(strftime('%s', ?2) AS INTEGER) + 86400) * 90000

-- statement: moonfire-09
-- fine
-- because: changes of signals from a time on, by key
-- run: 152100000000000 | 153900000000000

SELECT time_90k, hex(changes) FROM signal_change WHERE time_90k >= ? ORDER BY time_90k LIMIT 100

-- statement: moonfire-10
-- is: automatic-index, full-scan, subquery-per-row
-- because: formats that no recording has: for each, recordings are read

SELECT v.id, v.rfc6381_codec FROM video_sample_entry AS v WHERE NOT EXISTS (SELECT 1 FROM recording AS r WHERE r.video_sample_entry_id = v.id)

-- best
-- index: recording (video_sample_entry_id)

-- or

SELECT v.id, v.rfc6381_codec FROM video_sample_entry AS v WHERE v.id NOT IN (SELECT video_sample_entry_id FROM recording WHERE \
video_sample_entry_id IS NOT NULL)

-- statement: moonfire-11
-- fine
-- because: gaps in a week of a stream, in the index that has all of it
-- run: 2, 152100000000000, 152154000000000

SELECT composite_id, start_time_90k, gap FROM (SELECT composite_id, start_time_90k, start_time_90k - lag(start_time_90k + \
wall_duration_90k) OVER (ORDER BY start_time_90k) AS gap FROM recording WHERE stream_id = ? AND start_time_90k BETWEEN ? AND ?) WHERE gap \
> 90000 * 3600

-- statement: moonfire-12
-- is: full-scan, group-without-index, join-fan-out
-- because: the newest recording of each stream: all are read, where the last of each would do

SELECT s.id, max(r.start_time_90k) AS newest FROM stream AS s JOIN recording AS r ON r.stream_id = s.id GROUP BY s.id

-- best

SELECT id, newest FROM (SELECT s.id, (SELECT max(r.start_time_90k) FROM recording AS r WHERE r.stream_id = s.id) AS newest FROM stream AS \
s) WHERE newest IS NOT NULL

-- statement: moonfire-13
-- is: index-not-covering, join-order
-- because: when each user came last: each session is looked up

SELECT u.username, count(*) AS sessions, max(s.last_use_time_sec) AS latest FROM user AS u JOIN user_session AS s ON s.user_id = u.id \
GROUP BY u.id ORDER BY latest DESC, u.id

-- best
-- index: user_session (user_id, last_use_time_sec)

-- statement: moonfire-14
-- fine
-- because: a user of few sessions logs out everywhere, by an index
-- run: 1725000000, 283 | 1725000000, 287

UPDATE user_session SET revocation_time_sec = ?, revocation_reason = 0 WHERE user_id = ? AND revocation_time_sec IS NULL

-- statement: moonfire-15
-- is: large-offset
-- because: a page far behind in a stream
-- run: 1, 9000 | 2, 5000

SELECT composite_id, start_time_90k, wall_duration_90k FROM recording WHERE stream_id = ? ORDER BY start_time_90k DESC LIMIT 50 OFFSET ?

-- best
-- run: 1, 152308884420000 | 2, 152485892010000

SELECT composite_id, start_time_90k, wall_duration_90k FROM recording WHERE stream_id = ? AND start_time_90k < ? ORDER BY start_time_90k DESC LIMIT 50

-- statement: moonfire-16
-- fine
-- because: the oldest of a stream, in its index
-- run: 3 | 1

INSERT OR IGNORE INTO garbage SELECT s.sample_file_dir_id, r.composite_id FROM recording AS r JOIN stream AS s ON s.id = r.stream_id WHERE \
r.stream_id = ? ORDER BY r.start_time_90k LIMIT 60

-- statement: moonfire-17
-- is: expression-index, full-scan, function-on-column
-- because: recordings whose time is wrong by much: one in a hundred
-- run: 360000 | 90000

SELECT i.composite_id, r.start_time_90k, i.wall_time_delta_90k FROM recording_integrity AS i JOIN recording AS r ON r.composite_id = \
i.composite_id WHERE abs(i.wall_time_delta_90k) > ?

-- best
-- index: recording_integrity (wall_time_delta_90k)

SELECT i.composite_id, r.start_time_90k, i.wall_time_delta_90k FROM recording_integrity AS i JOIN recording AS r ON r.composite_id = \
i.composite_id WHERE i.wall_time_delta_90k > ?1 OR i.wall_time_delta_90k < -?1

-- or
-- index: recording_integrity (abs(wall_time_delta_90k))
