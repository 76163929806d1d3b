extension Corpus {
  /// Cameras: recordings, detections and viewed reviews, with times as numbers.
  static let frigate = CorpusSchema(
    name: "frigate", script: frigateScript, statements: frigateStatements,
    superfluousIndexes: [.redundant("event_label"), .redundant("recordings_camera")],
    origin:
      "Frigate 0.15 (MIT, Copyright Blake Blackshear): five of its tables with the indexes that its migrations leave, of the events' columns twelve"
  )

  private static let frigateScript = """
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
      "end_time" DATETIME NOT NULL, "duration" REAL NOT NULL, "motion" INTEGER, "objects" INTEGER, "dBFS" INTEGER, "segment_size" REAL NOT NULL DEFAULT 0);
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
      '{"type":"' || iif(chance(12, i) < 0.01, 'api', 'object') || '","score":' || round(chance(13, i), 2) || ',"box":[0.1,0.2,0.' || pick(14, i, 9) || ',0.4]}'
    FROM numbers WHERE i <= 12000;
    INSERT INTO recordings
    SELECT (1700000000 + i * 10) || '.' || pick(15, i, 999999) || '-' || word(i), 'cam' || (1 + i % 6), '/media/frigate/recordings/' || date(1700000000 + i * 10, 'unixepoch') || '/' || i || '.mp4',
      1700000000 + i * 10, 1700000010 + i * 10, 10.0, pick(16, i, 400), skewed(17, i, 30) - 1, -20 - pick(18, i, 30), chance(19, i) * 8
    FROM numbers WHERE i <= 24000;
    INSERT INTO timeline
    SELECT 1700000000 + i * 100, 'cam' || skewed(3, i, 6), 'tracked_object', (SELECT id FROM event e WHERE e.rowid = 1 + i / 2), iif(i % 2 = 0, 'visible', 'gone'),
      '{"box":[0.' || pick(20, i, 9) || ',0.2,0.3,0.4],"label":"person"}' FROM numbers WHERE i <= 16000;
    INSERT INTO reviewsegment
    SELECT 'r' || i || '-' || word(i), 'cam' || skewed(21, i, 6), 1700000000 + i * 480, 1700000000 + i * 480 + 30 + pick(22, i, 60),
      iif(chance(23, i) < 0.2, 'alert', 'detection'), '/media/thumb/' || i, '{"objects":["person"],"zones":[]}' FROM numbers WHERE i <= 4000;
    INSERT INTO userreviewstatus SELECT i, 'user' || (1 + i % 3), 'r' || (1 + i / 3) || '-' || word(1 + i / 3), chance(24, i) < 0.9 FROM numbers WHERE i <= 9000;
    """

  private static let frigateStatements: [CorpusStatement] = [
    .slow(
      "frigate-01",
      "SELECT path, start_time, end_time FROM recordings WHERE camera = ? AND start_time <= ? AND end_time >= ? ORDER BY start_time",
      ["cam2", 1_700_239_000, 1_700_238_400], ["cam5", 1_700_237_000, 1_700_236_500], is: [.indexNotCovering],
      best: .rewrite(
        "SELECT path, start_time, end_time FROM recordings WHERE camera = ? AND +start_time <= ? AND end_time >= ? ORDER BY start_time",
        with: "recordings (camera, end_time)"),
      because: "what was recorded in ten minutes: all that began earlier is read, since the end isn't looked up"),
    .fine(
      "frigate-02",
      "SELECT date(start_time, 'unixepoch') AS day, sum(duration), sum(motion), sum(objects) FROM recordings WHERE camera = ? AND start_time >= ? GROUP BY day",
      ["cam2", 1_700_230_000], tolerated: [.groupWithoutIndex, .functionOnColumn],
      because: "a day by an index that has all columns"),
    .slow(
      "frigate-03",
      """
      SELECT id, label, camera, start_time FROM (
        SELECT id, label, camera, start_time, row_number() OVER (PARTITION BY label ORDER BY start_time DESC) AS n FROM event) WHERE n <= 3
      """, is: [.fullScan, .sortWithoutIndex, .groupWithoutIndex, .indexNotCovering],
      best: .rewrite(
        """
        WITH RECURSIVE l (label) AS (
          SELECT min(label) FROM event UNION ALL SELECT (SELECT min(e.label) FROM event e WHERE e.label > l.label) FROM l WHERE l.label IS NOT NULL)
        SELECT e.id, e.label, e.camera, e.start_time FROM l CROSS JOIN event e
        WHERE e.rowid IN (SELECT x.rowid FROM event x WHERE x.label = l.label ORDER BY x.start_time DESC LIMIT 3)
        """), or: [.index("event (label, start_time DESC, id, camera)")],
      because: "the last three of each label, by numbering all"),
    .fine(
      "frigate-04",
      """
      SELECT r.id, r.camera, r.start_time, r.severity FROM reviewsegment r
      LEFT JOIN userreviewstatus s ON s.review_segment_id = r.id AND s.user_id = ?
      WHERE r.start_time > ? AND r.start_time < ? AND coalesce(s.has_been_reviewed, 0) = 0 ORDER BY r.severity, r.start_time DESC
      """, ["user2", 1_701_400_000, 1_701_412_000],
      tolerated: [.sortWithoutIndex, .functionOnColumn, .indexNotCovering],
      because: "three hours that somebody hasn't looked at: each by its key"),
    .slow(
      "frigate-05", "SELECT id, camera, start_time FROM event WHERE json_extract(data, '$.type') = 'api'",
      is: [.functionOnColumn, .expressionIndex, .fullScan, .partialIndex],
      best: .index("event (json_extract(data, '$.type'))"),
      or: [.index("event (start_time) WHERE json_extract(data, '$.type') = 'api'")],
      because: "what wasn't seen by a camera: one in a hundred, within a document"),
    .slow(
      "frigate-06",
      "SELECT id, start_time, sub_label FROM event WHERE camera = ? AND zones LIKE '%\"driveway\"%' ORDER BY start_time DESC LIMIT 20",
      ["cam1"], ["cam3"], is: [.sortWithoutIndex, .patternWithoutIndex, .indexNotCovering],
      best: .index("event (camera, start_time, zones)"), or: [.index("event (camera, start_time)")],
      because: "the last ones in a zone: all of a camera are sorted"),
    .slow(
      "frigate-07", "DELETE FROM timeline WHERE timestamp < ?", [1_700_016_000], is: [.fullScan],
      best: .index("timeline (timestamp)"), because: "what is older than the recordings that are kept"),
    .slow(
      "frigate-08", "SELECT DISTINCT sub_label FROM event WHERE sub_label IS NOT NULL ORDER BY sub_label",
      is: [.distinctWithoutIndex, .fullScan, .partialIndex, .sortWithoutIndex],
      best: .rewrite(
        """
        WITH RECURSIVE s (sub_label) AS (
          SELECT min(sub_label) FROM event UNION ALL SELECT (SELECT min(e.sub_label) FROM event e WHERE e.sub_label > s.sub_label) FROM s WHERE s.sub_label IS NOT NULL)
        SELECT sub_label FROM s WHERE sub_label IS NOT NULL
        """, with: "event (sub_label)"),
      or: [.index("event (sub_label)"), .index("event (sub_label) WHERE sub_label IS NOT NULL")],
      because: "a dozen names, which one in ten has"),
    .slow(
      "frigate-09",
      """
      SELECT r.id, r.start_time, (SELECT count(*) FROM event e WHERE e.camera = r.camera AND e.start_time BETWEEN r.start_time AND r.end_time) AS seen
      FROM reviewsegment r WHERE r.start_time > ? ORDER BY r.start_time DESC
      """, [1_701_830_000], is: [.indexNotCovering, .subqueryPerRow, .missingStatistics],
      best: .index("event (camera, start_time)"),
      because: "what was seen in each segment: all of its camera are read"),
    .fine(
      "frigate-10", "SELECT timestamp, class_type, data FROM timeline WHERE source_id = ? ORDER BY timestamp",
      ["1700008160.221384-jeri"], tolerated: [.sortWithoutIndex], because: "two rows of one object"),
  ]
}
