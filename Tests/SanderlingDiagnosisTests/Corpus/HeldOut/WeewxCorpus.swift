extension Corpus {
  /// A weather station: a wide row each five minutes, and a table of daily sums for each kind of measurement.
  static let weewx = CorpusSchema(
    name: "weewx", script: weewxScript, statements: weewxStatements,
    origin:
      "weewx 5 (GPL-3.0, Copyright Tom Keffer and contributors): the archive with most columns of its former default schema, three of the daily summaries and their metadata"
  )

  private static let weewxScript = """
    CREATE TABLE archive (
      dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, usUnits INTEGER NOT NULL, interval INTEGER NOT NULL, barometer REAL, pressure REAL, altimeter REAL, inTemp REAL, outTemp REAL, inHumidity REAL, outHumidity REAL, windSpeed REAL, windDir REAL, windGust REAL, windGustDir REAL,
      rainRate REAL, rain REAL, dewpoint REAL, windchill REAL, heatindex REAL, ET REAL, radiation REAL, UV REAL, extraTemp1 REAL, extraTemp2 REAL, soilTemp1 REAL, leafTemp1 REAL, extraHumid1 REAL, soilMoist1 REAL, rxCheckPercent REAL, txBatteryStatus REAL, consBatteryVoltage REAL, hail REAL, supplyVoltage REAL);
    CREATE TABLE archive_day_outTemp (dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, min REAL, mintime INTEGER, max REAL, maxtime INTEGER, sum REAL, count INTEGER, wsum REAL, sumtime INTEGER);
    CREATE TABLE archive_day_rain (dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, min REAL, mintime INTEGER, max REAL, maxtime INTEGER, sum REAL, count INTEGER, wsum REAL, sumtime INTEGER);
    CREATE TABLE archive_day_wind (dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, min REAL, mintime INTEGER, max REAL, maxtime INTEGER, sum REAL, count INTEGER, wsum REAL, sumtime INTEGER, max_dir REAL, xsum REAL, ysum REAL, dirsumtime INTEGER, squaresum REAL, wsquaresum REAL);
    CREATE TABLE archive_day__metadata (name CHAR(20) NOT NULL UNIQUE PRIMARY KEY, value TEXT);

    INSERT INTO archive
    SELECT 1690000200 + i * 300, 16, 5, 1000 + pick(1, i / 40, 40) + 0.25 * pick(2, i, 4), 990 + pick(1, i / 40, 40), NULL, 18 + 0.5 * pick(3, i / 12, 10), iif(chance(4, i) < 0.004, NULL, 0.5 * (pick(5, i / 288, 40) - 8 + pick(6, i / 12, 20))), 40 + pick(7, i / 12, 20),
      iif(chance(4, i) < 0.004, NULL, 30 + pick(8, i / 12, 69)), 0.5 * (skewed(9, i, 60) - 1), iif(skewed(9, i, 60) = 1, NULL, 22.5 * pick(10, i, 16)), 0.5 * (skewed(9, i, 60) + skewed(11, i, 60)), 22.5 * pick(10, i, 16),
      iif(chance(12, i / 30) < 0.05, 0.25 * skewed(13, i, 120), 0), iif(chance(12, i / 30) < 0.05, 0.25 * (skewed(13, i, 16) - 1), 0), 4.5, 3.5, 20.0, NULL, iif(chance(14, i / 72) < 0.5, pick(15, i, 900), 0), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 90 + pick(16, i, 10), iif(chance(17, i) < 0.001, 1, 0), 4.6, NULL, 5.1
    FROM numbers WHERE i <= 48000;
    INSERT INTO archive
    SELECT dateTime + 14400000, usUnits, interval, barometer, pressure, altimeter, inTemp, outTemp + iif(dateTime % 9000 = 0, 0.5, 0), inHumidity, outHumidity, windSpeed, windDir, windGust, windGustDir, rainRate, rain, dewpoint, windchill, heatindex, ET, radiation, UV, extraTemp1, extraTemp2, soilTemp1, leafTemp1, extraHumid1, soilMoist1,
      rxCheckPercent, txBatteryStatus, consBatteryVoltage, hail, supplyVoltage FROM archive WHERE dateTime <= 1704400200;
    INSERT INTO archive_day_outTemp (dateTime, max, maxtime, sum, count, wsum, sumtime) SELECT dateTime / 86400 * 86400, max(outTemp), dateTime, sum(outTemp), count(outTemp), sum(outTemp) * 300, count(outTemp) * 300 FROM archive GROUP BY dateTime / 86400;
    INSERT INTO archive_day_rain (dateTime, max, maxtime, sum, count, wsum, sumtime) SELECT dateTime / 86400 * 86400, max(rain), dateTime, sum(rain), count(rain), sum(rain) * 300, count(rain) * 300 FROM archive GROUP BY dateTime / 86400;
    INSERT INTO archive_day_wind (dateTime, max, maxtime, sum, count) SELECT dateTime / 86400 * 86400, max(windGust), dateTime, sum(windSpeed), count(windSpeed) FROM archive GROUP BY dateTime / 86400;
    INSERT INTO archive_day__metadata VALUES ('Version', '4.0'), ('lastUpdate', '1718800200');
    """

  private static let weewxStatements: [CorpusStatement] = [
    .slow(
      "weewx-01",
      "SELECT dateTime, windGust FROM archive WHERE windGust IS NOT NULL ORDER BY windGust DESC, dateTime DESC LIMIT 10",
      is: [.sortWithoutIndex, .fullScan],
      best: .index("archive (windGust)"),
      because: "the strongest gusts ever: all rows are read and sorted"),
    .slow(
      "weewx-02",
      "SELECT date(dateTime, 'unixepoch') AS day, sum(rain) FROM archive GROUP BY day ORDER BY day",
      is: [.groupWithoutIndex, .functionOnColumn, .expressionIndex, .fullScan],
      best: .rewrite("SELECT date(dateTime, 'unixepoch') AS day, sum FROM archive_day_rain ORDER BY dateTime"),
      or: [.index("archive (date(dateTime, 'unixepoch'), rain)")],
      because: "rain by day, which a table has already"),
    .slow(
      "weewx-03",
      "SELECT dateTime, outTemp FROM archive WHERE strftime('%Y-%m-%d', dateTime, 'unixepoch') = ? ORDER BY dateTime",
      ["2024-02-10"], ["2023-11-05"],
      is: [.functionOnColumn, .expressionIndex, .fullScan],
      best: .rewrite(
        """
        SELECT dateTime, outTemp FROM archive WHERE dateTime >= CAST(strftime('%s', ?1) AS INTEGER) AND dateTime < CAST(strftime('%s', ?1, '+1 day') AS INTEGER) ORDER BY dateTime
        """),
      or: [.index("archive (strftime('%Y-%m-%d', dateTime, 'unixepoch'))")],
      because: "a day's temperatures: the day is made of each time, although times are the key"),
    .slow(
      "weewx-04",
      "SELECT dateTime, rain, rainRate FROM archive WHERE rain >= ? ORDER BY rain DESC, dateTime DESC", [3.5], [3.25],
      is: [.fullScan, .sortWithoutIndex],
      best: .index("archive (rain)"),
      or: [.index("archive (rain, dateTime)")],
      because: "heavy rain: five minutes of some thousand"),
    .slow(
      "weewx-05",
      "SELECT count(*) FROM archive WHERE outTemp IS NULL",
      is: [.fullScan, .partialIndex, .wideRowsForCount],
      best: .change("CREATE INDEX corpus_best_1 ON archive (dateTime) WHERE outTemp IS NULL"),
      or: [.index("archive (outTemp)")],
      because: "how often the sensor failed"),
    .slow(
      "weewx-06",
      """
      SELECT d.dateTime, d.max, avg(a.windSpeed) FROM archive_day_outTemp AS d JOIN archive AS a ON a.dateTime / 86400 = d.dateTime / 86400 WHERE d.max >= ? GROUP BY d.dateTime ORDER BY d.dateTime
      """, [24.0],
      is: [.functionOnColumn, .expressionIndex, .automaticIndex, .fullScan, .joinFanOut],
      best: .rewrite(
        """
        SELECT d.dateTime, d.max, avg(a.windSpeed) FROM archive_day_outTemp AS d JOIN archive AS a ON a.dateTime >= d.dateTime AND a.dateTime < d.dateTime + 86400 WHERE d.max >= ? GROUP BY d.dateTime ORDER BY d.dateTime
        """),
      because: "wind on hot days: days are divided on both sides"),
    .slow(
      "weewx-07",
      """
      SELECT a.dateTime, (SELECT sum(b.rain) FROM archive AS b WHERE b.dateTime > a.dateTime - 86400 AND b.dateTime <= a.dateTime) AS rain24 FROM archive AS a WHERE a.dateTime > ? AND a.dateTime <= ?
      """, [1_700_000_000, 1_700_259_200],
      is: [.subqueryPerRow],
      best: .rewrite(
        """
        SELECT dateTime, rain24 FROM (SELECT dateTime, sum(rain) OVER (ORDER BY dateTime RANGE BETWEEN 86399 PRECEDING AND CURRENT ROW) AS rain24 FROM archive WHERE dateTime > ?1 - 86400 AND dateTime <= ?2)
        WHERE dateTime > ?1
        """),
      because: "rain of the last day at each moment: 288 rows are read for each"),
    .slow(
      "weewx-08",
      """
      SELECT a.dateTime, sum(b.sum) AS total FROM archive_day_rain AS a JOIN archive_day_rain AS b ON b.dateTime <= a.dateTime GROUP BY a.dateTime ORDER BY a.dateTime
      """,
      is: [.joinFanOut, .subqueryPerRow],
      best: .rewrite(
        "SELECT dateTime, sum(sum) OVER (ORDER BY dateTime) AS total FROM archive_day_rain ORDER BY dateTime"),
      because: "rain since the beginning, day by day: each day with all before it"),
    .slow(
      "weewx-09",
      "SELECT dateTime, barometer, outTemp FROM archive ORDER BY dateTime LIMIT 288 OFFSET ?", [70_000], [90_000],
      is: [.largeOffset],
      best: .keyset(
        "SELECT dateTime, barometer, outTemp FROM archive WHERE dateTime >= ? ORDER BY dateTime LIMIT 288",
        [1_711_000_500], [1_717_000_500]),
      because: "an export by pages of days"),
    .slow(
      "weewx-10",
      "SELECT count(*) FROM archive",
      is: [.wideRowsForCount, .fullScan],
      best: .index("archive (usUnits)"),
      because: "how many rows there are: no index is there to count in, and rows are wide"),
    .fine(
      "weewx-11",
      "SELECT * FROM archive WHERE dateTime = (SELECT max(dateTime) FROM archive)",
      because: "the current conditions by the key"),
    .fine(
      "weewx-12",
      "SELECT min(outTemp), max(outTemp), avg(outHumidity) FROM archive WHERE dateTime > ? AND dateTime <= ?",
      [1_705_000_000, 1_705_086_400],
      because: "a day by the key"),
    .fine(
      "weewx-13",
      """
      SELECT d.dateTime, d.max, d.maxtime, a.windDir FROM archive_day_outTemp AS d LEFT JOIN archive AS a ON a.dateTime = d.maxtime WHERE d.dateTime >= ? ORDER BY d.dateTime
      """, [1_715_000_000],
      because: "the hottest moment of each day, by keys"),
    .fine(
      "weewx-14",
      """
      SELECT strftime('%Y-%m', t.dateTime, 'unixepoch') AS month, max(t.max), sum(r.sum), max(w.max) FROM archive_day_outTemp AS t JOIN archive_day_rain AS r ON r.dateTime = t.dateTime JOIN archive_day_wind AS w ON w.dateTime = t.dateTime
      GROUP BY month
      """,
      tolerated: [.groupWithoutIndex, .functionOnColumn],
      because: "months made of a few hundred days"),
    .fine(
      "weewx-15",
      """
      INSERT INTO archive_day_rain (dateTime, max, maxtime, sum, count) VALUES (?1, ?2, ?3, ?2, 1) ON CONFLICT (dateTime) DO UPDATE SET sum = sum + excluded.sum, count = count + 1, max = max(max, excluded.max)
      """, [1_718_755_200, 0.25, 1_718_800_500],
      because: "the sum of today"),
    .fine(
      "weewx-16",
      """
      SELECT CAST(windDir / 45 AS INTEGER) % 8 AS sector, count(*), avg(windSpeed) FROM archive WHERE dateTime BETWEEN ? AND ? AND windDir IS NOT NULL GROUP BY sector
      """, [1_705_000_000, 1_705_100_000],
      tolerated: [.groupWithoutIndex],
      because: "where the wind came from in a day"),
  ]
}
