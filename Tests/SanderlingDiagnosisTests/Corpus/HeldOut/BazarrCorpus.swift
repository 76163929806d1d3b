extension Corpus {
  /// Subtitles for the series and films that others download: lists as text in columns, and no index but the keys.
  static let bazarr = CorpusSchema(
    name: "bazarr", script: bazarrScript, statements: bazarrStatements,
    origin:
      "Bazarr 1.4 (GPL-3.0, Copyright the Bazarr contributors): seven of its tables, some columns left out"
  )

  private static let bazarrScript = """
    CREATE TABLE table_languages_profiles (profileId INTEGER NOT NULL PRIMARY KEY, cutoff INTEGER, originalFormat INTEGER, items TEXT NOT NULL, name TEXT NOT NULL, mustContain TEXT, mustNotContain TEXT);
    CREATE TABLE table_shows (
      sonarrSeriesId INTEGER NOT NULL PRIMARY KEY, alternativeTitles TEXT, audio_language TEXT, imdbId TEXT, monitored TEXT, overview TEXT, path TEXT NOT NULL UNIQUE, profileId INTEGER REFERENCES table_languages_profiles (profileId) ON DELETE SET NULL,
      seriesType TEXT, sortTitle TEXT, tags TEXT, title TEXT NOT NULL, tvdbId INTEGER, year TEXT);
    CREATE TABLE table_episodes (
      sonarrEpisodeId INTEGER NOT NULL PRIMARY KEY, audio_codec TEXT, audio_language TEXT, episode INTEGER NOT NULL, episode_file_id INTEGER, failedAttempts TEXT, ffprobe_cache BLOB, file_size INTEGER, format TEXT, missing_subtitles TEXT, monitored TEXT,
      path TEXT NOT NULL, resolution TEXT, sceneName TEXT, season INTEGER NOT NULL, sonarrSeriesId INTEGER REFERENCES table_shows (sonarrSeriesId) ON DELETE CASCADE, subtitles TEXT, title TEXT NOT NULL, video_codec TEXT);
    CREATE TABLE table_history (
      id INTEGER NOT NULL PRIMARY KEY, action INTEGER NOT NULL, description TEXT NOT NULL, language TEXT, provider TEXT, score INTEGER, sonarrEpisodeId INTEGER REFERENCES table_episodes (sonarrEpisodeId) ON DELETE CASCADE,
      sonarrSeriesId INTEGER REFERENCES table_shows (sonarrSeriesId) ON DELETE CASCADE, subs_id TEXT, subtitles_path TEXT, timestamp DATETIME NOT NULL, video_path TEXT, matched TEXT, not_matched TEXT, upgradedFromId INTEGER REFERENCES table_history (id));
    CREATE TABLE table_movies (
      radarrId INTEGER NOT NULL PRIMARY KEY, alternativeTitles TEXT, audio_language TEXT, failedAttempts TEXT, ffprobe_cache BLOB, file_size INTEGER, imdbId TEXT, missing_subtitles TEXT, monitored TEXT, overview TEXT, path TEXT NOT NULL UNIQUE,
      profileId INTEGER REFERENCES table_languages_profiles (profileId) ON DELETE SET NULL, sceneName TEXT, sortTitle TEXT, subtitles TEXT, tags TEXT, title TEXT NOT NULL, tmdbId TEXT NOT NULL UNIQUE, year TEXT);
    CREATE TABLE table_history_movie (
      id INTEGER NOT NULL PRIMARY KEY, action INTEGER NOT NULL, description TEXT NOT NULL, language TEXT, provider TEXT, radarrId INTEGER REFERENCES table_movies (radarrId) ON DELETE CASCADE, score INTEGER, subs_id TEXT, subtitles_path TEXT,
      timestamp DATETIME NOT NULL, video_path TEXT, matched TEXT, not_matched TEXT, upgradedFromId INTEGER REFERENCES table_history_movie (id));
    CREATE TABLE table_blacklist (id INTEGER NOT NULL PRIMARY KEY, language TEXT, provider TEXT, sonarr_episode_id INTEGER REFERENCES table_episodes (sonarrEpisodeId) ON DELETE CASCADE, sonarr_series_id INTEGER REFERENCES table_shows (sonarrSeriesId) ON DELETE CASCADE,
      subs_id TEXT, timestamp DATETIME);

    INSERT INTO table_languages_profiles SELECT i, NULL, 0, '[{"id": 1, "language": "en", "hi": "False", "forced": "False"}]', word(i), '[]', '[]' FROM numbers WHERE i <= 5;
    INSERT INTO table_shows
    SELECT i, '[]', '[''English'']', printf('tt%07d', i * 7919), iif(chance(1, i) < 0.8, 'True', 'False'), prose(2, i, 300), '/tv/' || title(3, i, 2) || ' ' || i, iif(chance(4, i) < 0.1, NULL, skewed(5, i, 5)), 'standard', lower(title(3, i, 2)), '[]', title(3, i, 2), 70000 + i * 13, CAST(1980 + pick(6, i, 44) AS TEXT)
    FROM numbers WHERE i <= 600;
    INSERT INTO table_episodes
    SELECT i, 'EAC3', '[''English'']', 1 + i % 24, 50000 + i, iif(chance(7, i) < 0.04, '[[''en'', ' || (1700000000 + i) || '.5]]', NULL), CAST(prose(8, i, 250 + pick(9, i, 200)) AS BLOB), 100000000 + pick(10, i, 900000000), 'WEBDL-1080p',
      CASE WHEN chance(11, i) < 0.015 THEN '[''en'']' WHEN chance(11, i) < 0.02 THEN '[''en'', ''fr:forced'']' WHEN chance(11, i) < 0.1 THEN NULL ELSE '[]' END, iif(chance(12, i) < 0.85, 'True', 'False'),
      '/tv/' || word(skewed(13, i, 600)) || '/Season ' || (1 + i % 9) || '/e' || i || '.mkv', '1080', title(14, i, 3) || '.1080p.WEB', 1 + i / 24 % 9, iif(chance(15, i) < 0.4, skewed(13, i, 590), 1 + i / 40 % 590), '[[''en'', ''/tv/' || i || '.en.srt'', 30000]]', title(16, i, 3), 'h264'
    FROM numbers WHERE i <= 20000;
    INSERT INTO table_history
    SELECT i, iif(chance(20, i) < 0.05, 0, skewed(21, i, 6)), 'English subtitles downloaded from ' || word(skewed(22, i, 12)) || ' with a score of 94%.', CASE WHEN chance(23, i) < 0.8 THEN 'en' WHEN chance(23, i) < 0.9 THEN 'fr:hi' ELSE NULL END, word(skewed(22, i, 12)), iif(chance(24, i) < 0.1, NULL, 200 + pick(25, i, 160)),
      e.sonarrEpisodeId, e.sonarrSeriesId, 'https://subs.example/' || (i * 7919), replace(e.path, '.mkv', '.en.srt'), datetime(1640000000 + i * 2200, 'unixepoch') || '.' || printf('%06d', i), e.path, '["series", "season", "episode"]', '["hash"]', NULL
    FROM numbers JOIN table_episodes AS e ON e.sonarrEpisodeId = iif(chance(26, i) < 0.2, skewed(27, i, 19000), pick(28, i, 19000)) WHERE i <= 36000;
    INSERT INTO table_movies
    SELECT i, '[]', '[''English'']', NULL, CAST(prose(30, i, 400) AS BLOB), 1000000000 + i, printf('tt%07d', 5000000 + i * 131), iif(chance(31, i) < 0.03, '[''en'']', '[]'), iif(chance(32, i) < 0.8, 'True', 'False'), prose(33, i, 400), '/movies/' || title(34, i, 2) || ' ' || i || '.mkv', skewed(35, i, 5), '', lower(title(34, i, 2)), '[]', '[]', title(34, i, 2),
      CAST(1000 + i * 17 AS TEXT), CAST(1950 + pick(36, i, 74) AS TEXT)
    FROM numbers WHERE i <= 3000;
    INSERT INTO table_history_movie
    SELECT i, 1, 'English subtitles downloaded', 'en', word(skewed(37, i, 12)), m.radarrId, 60 + pick(38, i, 60), 'https://subs.example/m' || i, replace(m.path, '.mkv', '.en.srt'), datetime(1640000000 + i * 13000, 'unixepoch') || '.' || printf('%06d', i), m.path, '[]', '[]', NULL
    FROM numbers JOIN table_movies AS m ON m.radarrId = pick(39, i, 2900) WHERE i <= 6000;
    INSERT INTO table_blacklist SELECT i, 'en', word(skewed(40, i, 12)), pick(41, i, 18000), 1 + i % 590, 'https://subs.example/' || i, datetime(1650000000 + i * 80000, 'unixepoch') FROM numbers WHERE i <= 700;
    """

  private static let bazarrStatements: [CorpusStatement] = [
    .slow(
      "bazarr-01",
      """
      SELECT sonarrEpisodeId, season, episode, title, missing_subtitles, subtitles FROM table_episodes WHERE sonarrSeriesId = ? ORDER BY season DESC, episode DESC, sonarrEpisodeId
      """, [400], [555],
      is: [.fullScan, .sortWithoutIndex],
      best: .index("table_episodes (sonarrSeriesId, season, episode)"),
      or: [.index("table_episodes (sonarrSeriesId)")],
      because: "the episodes of a series: all rows with what ffprobe said are read"),
    .slow(
      "bazarr-02",
      """
      SELECT s.title, e.season || 'x' || e.episode AS episode_number, e.title, e.missing_subtitles FROM table_episodes AS e INNER JOIN table_shows AS s ON s.sonarrSeriesId = e.sonarrSeriesId
      WHERE e.missing_subtitles != '[]' AND e.monitored = 'True' ORDER BY e.sonarrEpisodeId DESC LIMIT 400
      """,
      is: [.partialIndex, .fullScan],
      best: .change(
        "CREATE INDEX corpus_best_1 ON table_episodes (sonarrEpisodeId) WHERE missing_subtitles != '[]' AND monitored = 'True'"
      ),
      or: [.change("CREATE INDEX corpus_best_1 ON table_episodes (sonarrEpisodeId) WHERE missing_subtitles != '[]'")],
      because: "what is wanted: one of fifty episodes, by an inequality"),
    .slow(
      "bazarr-03",
      """
      SELECT video_path, language, max(timestamp) AS newest, max(score) FROM table_history WHERE action IN (1, 2, 3, 6) AND timestamp > ? AND score IS NOT NULL GROUP BY video_path, language
      """, ["2024-06-15 00:00:00.000000"],
      is: [.fullScan, .groupWithoutIndex],
      best: .index("table_history (timestamp)"),
      because: "what may be upgraded since some days: the history is read from its beginning"),
    .slow(
      "bazarr-04",
      "DELETE FROM table_episodes WHERE sonarrEpisodeId = ?", [19_500], [19_800],
      is: [.slowForeignKey],
      best: .index("table_history (sonarrEpisodeId)", "table_blacklist (sonarr_episode_id)"),
      or: [.index("table_history (sonarrEpisodeId)")],
      because: "an episode goes: the history is read for what belongs to it"),
    .slow(
      "bazarr-05",
      """
      SELECT COUNT(*) AS count FROM table_history LEFT JOIN table_shows ON table_history.sonarrSeriesId = table_shows.sonarrSeriesId WHERE table_shows.title IS NOT NULL
      """,
      is: [.wideRowsForCount, .indexNotCovering, .joinOrder, .fullScan],
      best: .rewrite(
        """
        SELECT COUNT(*) AS count FROM table_shows CROSS JOIN table_history ON table_history.sonarrSeriesId = table_shows.sonarrSeriesId WHERE table_shows.title IS NOT NULL
        """, with: "table_history (sonarrSeriesId)"),
      because: "the number of pages: a series is looked up for each row of the history"),
    .slow(
      "bazarr-06",
      """
      SELECT h.id, h.timestamp, s.title, e.title FROM table_history AS h LEFT JOIN table_episodes AS e ON e.sonarrEpisodeId = h.sonarrEpisodeId LEFT JOIN table_shows AS s ON s.sonarrSeriesId = h.sonarrSeriesId
      ORDER BY h.timestamp DESC LIMIT 25 OFFSET ?
      """, [5000], [20_000],
      is: [.largeOffset, .sortWithoutIndex],
      best: .keyset(
        """
        SELECT h.id, h.timestamp, s.title, e.title FROM table_history AS h LEFT JOIN table_episodes AS e ON e.sonarrEpisodeId = h.sonarrEpisodeId LEFT JOIN table_shows AS s ON s.sonarrSeriesId = h.sonarrSeriesId
        WHERE h.timestamp < (SELECT timestamp FROM table_history WHERE id = ?) ORDER BY h.timestamp DESC LIMIT 25
        """, [31_001], [16_001], with: "table_history (timestamp)"),
      because: "a late page of the history: all is joined and sorted for it"),
    .slow(
      "bazarr-07",
      "UPDATE table_episodes SET missing_subtitles = '[]' WHERE path = ?", ["/tv/bace/Season 4/e9.mkv"],
      ["/tv/nowhere.mkv"],
      is: [.fullScan],
      best: .index("table_episodes (path)"),
      because: "an episode by its file"),
    .slow(
      "bazarr-08",
      """
      SELECT s.title, count(e.sonarrEpisodeId) AS episodes, count(h.id) AS downloads FROM table_shows AS s LEFT JOIN table_episodes AS e ON e.sonarrSeriesId = s.sonarrSeriesId LEFT JOIN table_history AS h ON h.sonarrSeriesId = s.sonarrSeriesId
      WHERE s.sonarrSeriesId BETWEEN ? AND ? GROUP BY s.sonarrSeriesId
      """, [500, 505],
      is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT s.title, (SELECT count(*) FROM table_episodes AS e WHERE e.sonarrSeriesId = s.sonarrSeriesId) AS episodes, (SELECT count(*) FROM table_history AS h WHERE h.sonarrSeriesId = s.sonarrSeriesId) AS downloads
        FROM table_shows AS s WHERE s.sonarrSeriesId BETWEEN ? AND ?
        """, with: "table_episodes (sonarrSeriesId)", "table_history (sonarrSeriesId)"),
      because: "each episode counts once for each download and the other way round"),
    .slow(
      "bazarr-09",
      "SELECT radarrId, title FROM table_movies WHERE imdbId = ? COLLATE NOCASE", ["TT5013100"], ["tt5000131"],
      is: [.caseInsensitiveWithoutIndex, .fullScan],
      best: .index("table_movies (imdbId COLLATE NOCASE)"),
      because: "a film by its number elsewhere"),
    .slow(
      "bazarr-10",
      """
      SELECT date(timestamp) AS day, count(*) FROM table_history WHERE date(timestamp) >= date(?, '-6 days') AND action <> 0 GROUP BY day ORDER BY day
      """, ["2024-06-20"],
      is: [.functionOnColumn, .expressionIndex, .fullScan, .groupWithoutIndex],
      best: .rewrite(
        """
        SELECT date(timestamp) AS day, count(*) FROM table_history WHERE timestamp >= date(?, '-6 days') AND action <> 0 GROUP BY day ORDER BY day
        """, with: "table_history (timestamp, action)"),
      or: [.index("table_history (date(timestamp), action)"), .index("table_history (date(timestamp))")],
      because: "a week's downloads by day"),
    .slow(
      "bazarr-11",
      """
      SELECT description, timestamp FROM table_history_movie WHERE subtitles_path = ?1 UNION ALL SELECT description, timestamp FROM table_history WHERE subtitles_path = ?1 ORDER BY timestamp DESC LIMIT 1
      """, ["/tv/bace/Season 4/e9.en.srt"],
      is: [.fullScan, .sortWithoutIndex],
      best: .index("table_history (subtitles_path, timestamp)", "table_history_movie (subtitles_path, timestamp)"),
      or: [.index("table_history (subtitles_path)", "table_history_movie (subtitles_path)")],
      because: "where a file of subtitles came from, be it of a film or of a series"),
    .slow(
      "bazarr-12",
      """
      SELECT e.sonarrEpisodeId, e.path FROM table_episodes AS e WHERE e.failedAttempts IS NOT NULL AND e.sonarrEpisodeId > ?
      AND NOT EXISTS (SELECT 1 FROM table_history AS h WHERE h.sonarrEpisodeId = e.sonarrEpisodeId AND h.action IN (1, 2, 3))
      """, [19_000],
      is: [.subqueryPerRow, .fullScan, .automaticIndex],
      best: .index("table_history (sonarrEpisodeId, action)"),
      or: [.index("table_history (sonarrEpisodeId)")],
      because: "newer episodes for which nothing was ever found: the history is read for each"),
    .fine(
      "bazarr-13",
      """
      SELECT sonarrSeriesId, title, path, profileId, monitored, overview FROM table_shows ORDER BY sortTitle ASC
      """,
      tolerated: [.sortWithoutIndex],
      because: "all series, of which there are some hundred, with what they are about"),
    .fine(
      "bazarr-14",
      """
      SELECT s.title, e.season || 'x' || e.episode, e.title, h.timestamp, h.description FROM table_history AS h INNER JOIN table_shows AS s ON s.sonarrSeriesId = h.sonarrSeriesId INNER JOIN table_episodes AS e ON e.sonarrEpisodeId = h.sonarrEpisodeId
      WHERE h.action != 0 ORDER BY h.id DESC LIMIT 10
      """,
      because: "the newest of the history by its key"),
    .fine(
      "bazarr-15",
      "UPDATE table_episodes SET failedAttempts = ?, missing_subtitles = ? WHERE sonarrEpisodeId = ?",
      ["[['en', 1718900000.1]]", "['en']", 777],
      because: "one episode by its key"),
    .fine(
      "bazarr-16",
      "SELECT radarrId, path FROM table_movies WHERE path > ? ORDER BY path LIMIT 50", ["/movies/Lo"],
      tolerated: [.indexNotCovering],
      because: "a page of films by their unique path"),
    .fine(
      "bazarr-17",
      "DELETE FROM table_blacklist WHERE timestamp < ? OR provider IS NULL", ["2024-02-01 00:00:00"],
      tolerated: [.fullScan, .orWithoutIndex],
      because: "nearly all of a small table goes"),
    .fine(
      "bazarr-18",
      """
      INSERT INTO table_movies (radarrId, title, path, tmdbId, missing_subtitles) VALUES (?1, ?2, ?3, ?4, '[]') ON CONFLICT (tmdbId) DO UPDATE SET title = excluded.title, path = excluded.path
      """, [9001, "Lofo Bace", "/movies/Lofo Bace.mkv", "18000"],
      because: "a film comes in or changes"),
    .fine(
      "bazarr-19",
      "SELECT m.title, json_array_length(replace(m.missing_subtitles, '''', '\"')) AS n, m.overview, m.subtitles FROM table_movies AS m WHERE m.monitored = 'True' AND m.radarrId BETWEEN ? AND ?",
      [700, 740],
      because: "some films by their keys, with their list read as JSON"),
  ]
}
