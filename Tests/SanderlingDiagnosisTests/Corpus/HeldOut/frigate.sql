-- schema: frigate
-- about: Cameras: what was recorded, what was seen, and what somebody looked at, by times as numbers.
-- origin: Frigate 0.15 (MIT, Copyright Blake Blackshear): five of its tables with the indexes that its migrations leave, of the events' \
--   columns twelve
-- superfluous: redundant-index event_label
-- superfluous: redundant-index recordings_camera

CREATE TABLE "event" (
  "id" VARCHAR(30) NOT NULL PRIMARY KEY, "label" VARCHAR(20) NOT NULL, "camera" VARCHAR(20) NOT NULL, "start_time" DATETIME NOT NULL,
  "end_time" DATETIME, "false_positive" INTEGER, "zones" JSON NOT NULL, "thumbnail" TEXT, "has_clip" INTEGER NOT NULL DEFAULT 1,
  "sub_label" VARCHAR(100), "retain_indefinitely" INTEGER NOT NULL DEFAULT 0, "data" JSON);
CREATE INDEX "event_label" ON "event" ("label");
CREATE INDEX "event_camera" ON "event" ("camera");
CREATE INDEX "event_start_time_end_time" ON "event" ("start_time" DESC, "end_time" DESC);
CREATE INDEX "event_label_start_time" ON "event" ("label", "start_time" DESC);
CREATE TABLE "recordings" (
  "id" VARCHAR(30) NOT NULL PRIMARY KEY, "camera" VARCHAR(20) NOT NULL, "path" VARCHAR(255) NOT NULL, "start_time" DATETIME NOT NULL,
  "end_time" DATETIME NOT NULL, "duration" REAL NOT NULL, "motion" INTEGER, "objects" INTEGER, "dBFS" INTEGER, "segment_size" REAL NOT \
NULL DEFAULT 0);
CREATE INDEX "recordings_camera" ON "recordings" ("camera");
CREATE UNIQUE INDEX "recordings_path" ON "recordings" ("path");
CREATE INDEX "recordings_camera_segment_size" ON "recordings" ("camera", "segment_size");
CREATE INDEX "recordings_camera_start_time_end_time" ON "recordings" ("camera", "start_time" DESC, "end_time" DESC);
CREATE INDEX "recordings_api_recordings_summary" ON "recordings" ("camera", "start_time" DESC, "duration", "motion", "objects");
CREATE INDEX "recordings_start_time" ON "recordings" ("start_time");
CREATE TABLE "timeline" (
  "timestamp" DATETIME NOT NULL, "camera" VARCHAR(20) NOT NULL, "source" VARCHAR(20) NOT NULL, "source_id" VARCHAR(30),
  "class_type" VARCHAR(50) NOT NULL, "data" JSON);
CREATE INDEX "timeline_camera" ON "timeline" ("camera");
CREATE INDEX "timeline_source" ON "timeline" ("source");
CREATE INDEX "timeline_source_id" ON "timeline" ("source_id");
CREATE TABLE "reviewsegment" (
  "id" VARCHAR(30) NOT NULL PRIMARY KEY, "camera" VARCHAR(20) NOT NULL, "start_time" DATETIME NOT NULL, "end_time" DATETIME,
  "severity" VARCHAR(30) NOT NULL, "thumb_path" VARCHAR(255) NOT NULL, "data" JSON NOT NULL);
CREATE INDEX "review_segment_camera" ON "reviewsegment" ("camera");
CREATE INDEX "review_segment_start_time_end_time" ON "reviewsegment" ("start_time" DESC, "end_time" DESC);
CREATE TABLE "userreviewstatus" (
  "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" VARCHAR(30) NOT NULL, "review_segment_id" VARCHAR(30) NOT NULL,
  "has_been_reviewed" INTEGER NOT NULL DEFAULT 0, FOREIGN KEY ("review_segment_id") REFERENCES "reviewsegment" ("id") ON DELETE CASCADE);
CREATE UNIQUE INDEX "userreviewstatus_user_segment" ON "userreviewstatus" ("user_id", "review_segment_id");

INSERT INTO event
SELECT (1700000000 + i * 160) || '.' || printf('%06d', pick(1, i, 999999)) || '-' || substr(word(i), 1, 6),
  CASE skewed(2, i, 9) WHEN 1 THEN 'person' WHEN 2 THEN 'car' WHEN 3 THEN 'dog' ELSE word(skewed(2, i, 9)) END, 'cam' || skewed(3, i, 6),
  1700000000 + i * 160 + chance(4, i) * 100, 1700000000 + i * 160 + 100 + chance(5, i) * 40, 0,
  iif(chance(6, i) < 0.04, '["driveway"]', iif(chance(6, i) < 0.6, '[]', '["' || word(pick(7, i, 8)) || '"]')), prose(8, i, 260), 1,
  iif(chance(9, i) < 0.1, word(skewed(10, i, 12)), NULL), chance(11, i) < 0.02,
  '{"type":"' || iif(chance(12, i) < 0.01, 'api', 'object') || '","score":' || round(chance(13, i), 2) || ',"box":[0.1,0.2,0.' || pick(14, \
i, 9) || ',0.4]}'
FROM numbers WHERE i <= 12000;
INSERT INTO recordings
SELECT (1700000000 + i * 10) || '.' || pick(15, i, 999999) || '-' || word(i), 'cam' || (1 + i % 6), '/media/frigate/recordings/' || \
date(1700000000 + i * 10, 'unixepoch') || '/' || i || '.mp4',
  1700000000 + i * 10, 1700000010 + i * 10, 10.0, pick(16, i, 400), skewed(17, i, 30) - 1, -20 - pick(18, i, 30), chance(19, i) * 8
FROM numbers WHERE i <= 24000;
INSERT INTO timeline
SELECT 1700000000 + i * 100, 'cam' || skewed(3, i, 6), 'tracked_object', (SELECT id FROM event e WHERE e.rowid = 1 + i / 2), iif(i % 2 = \
0, 'visible', 'gone'),
  '{"box":[0.' || pick(20, i, 9) || ',0.2,0.3,0.4],"label":"person"}' FROM numbers WHERE i <= 16000;
INSERT INTO reviewsegment
SELECT 'r' || i || '-' || word(i), 'cam' || skewed(21, i, 6), 1700000000 + i * 480, 1700000000 + i * 480 + 30 + pick(22, i, 60),
  iif(chance(23, i) < 0.2, 'alert', 'detection'), '/media/thumb/' || i, '{"objects":["person"],"zones":[]}' FROM numbers WHERE i <= 4000;
INSERT INTO userreviewstatus SELECT i, 'user' || (1 + i % 3), 'r' || (1 + i / 3) || '-' || word(1 + i / 3), chance(24, i) < 0.9 FROM \
numbers WHERE i <= 9000;

-- statement: frigate-01
-- is: index-not-covering
-- because: what was recorded in ten minutes: all that began earlier is read, since the end isn't looked up
-- run: 'cam2', 1700239000, 1700238400 | 'cam5', 1700237000, 1700236500

SELECT path, start_time, end_time FROM recordings WHERE camera = ? AND start_time <= ? AND end_time >= ? ORDER BY start_time

-- best
-- index: recordings (camera, end_time)

SELECT path, start_time, end_time FROM recordings WHERE camera = ? AND +start_time <= ? AND end_time >= ? ORDER BY start_time

-- statement: frigate-02
-- fine
-- tolerated: function-on-column, group-without-index
-- because: a day by an index that has all columns
-- run: 'cam2', 1700230000

SELECT date(start_time, 'unixepoch') AS day, sum(duration), sum(motion), sum(objects) FROM recordings WHERE camera = ? AND start_time >= ? \
GROUP BY day

-- statement: frigate-03
-- is: full-scan, group-without-index, index-not-covering, sort-without-index
-- because: the last three of each label, by numbering all

SELECT id, label, camera, start_time FROM (
  SELECT id, label, camera, start_time, row_number() OVER (PARTITION BY label ORDER BY start_time DESC) AS n FROM event) WHERE n <= 3

-- best

WITH RECURSIVE l (label) AS (
  SELECT min(label) FROM event UNION ALL SELECT (SELECT min(e.label) FROM event e WHERE e.label > l.label) FROM l WHERE l.label IS NOT NULL)
SELECT e.id, e.label, e.camera, e.start_time FROM l CROSS JOIN event e
WHERE e.rowid IN (SELECT x.rowid FROM event x WHERE x.label = l.label ORDER BY x.start_time DESC LIMIT 3)

-- or
-- index: event (label, start_time DESC, id, camera)

-- statement: frigate-04
-- fine
-- tolerated: function-on-column, index-not-covering, sort-without-index
-- because: three hours that somebody hasn't looked at: each by its key
-- run: 'user2', 1701400000, 1701412000

SELECT r.id, r.camera, r.start_time, r.severity FROM reviewsegment r
LEFT JOIN userreviewstatus s ON s.review_segment_id = r.id AND s.user_id = ?
WHERE r.start_time > ? AND r.start_time < ? AND coalesce(s.has_been_reviewed, 0) = 0 ORDER BY r.severity, r.start_time DESC

-- statement: frigate-05
-- is: expression-index, full-scan, function-on-column, partial-index
-- because: what wasn't seen by a camera: one in a hundred, within a document

SELECT id, camera, start_time FROM event WHERE json_extract(data, '$.type') = 'api'

-- best
-- index: event (json_extract(data, '$.type'))

-- or
-- index: event (start_time) WHERE json_extract(data, '$.type') = 'api'

-- statement: frigate-06
-- is: index-not-covering, pattern-without-index, sort-without-index
-- because: the last ones in a zone: all of a camera are sorted
-- run: 'cam1' | 'cam3'

SELECT id, start_time, sub_label FROM event WHERE camera = ? AND zones LIKE '%"driveway"%' ORDER BY start_time DESC LIMIT 20

-- best
-- index: event (camera, start_time, zones)

-- or
-- index: event (camera, start_time)

-- statement: frigate-07
-- is: full-scan
-- because: what is older than the recordings that are kept
-- run: 1700016000

DELETE FROM timeline WHERE timestamp < ?

-- best
-- index: timeline (timestamp)

-- statement: frigate-08
-- is: distinct-without-index, full-scan, partial-index, sort-without-index
-- because: a dozen names, which one in ten has

SELECT DISTINCT sub_label FROM event WHERE sub_label IS NOT NULL ORDER BY sub_label

-- best
-- index: event (sub_label)

WITH RECURSIVE s (sub_label) AS (
  SELECT min(sub_label) FROM event UNION ALL SELECT (SELECT min(e.sub_label) FROM event e WHERE e.sub_label > s.sub_label) FROM s WHERE \
s.sub_label IS NOT NULL)
SELECT sub_label FROM s WHERE sub_label IS NOT NULL

-- or
-- index: event (sub_label)

-- or
-- index: event (sub_label) WHERE sub_label IS NOT NULL

-- statement: frigate-09
-- is: index-not-covering, missing-statistics, subquery-per-row
-- because: what was seen in each segment: all of its camera are read
-- run: 1701830000

SELECT r.id, r.start_time, (SELECT count(*) FROM event e WHERE e.camera = r.camera AND e.start_time BETWEEN r.start_time AND r.end_time) AS seen
FROM reviewsegment r WHERE r.start_time > ? ORDER BY r.start_time DESC

-- best
-- index: event (camera, start_time)

-- statement: frigate-10
-- fine
-- tolerated: sort-without-index
-- because: two rows of one object
-- run: '1700008160.221384-jeri'

SELECT timestamp, class_type, data FROM timeline WHERE source_id = ? ORDER BY timestamp
