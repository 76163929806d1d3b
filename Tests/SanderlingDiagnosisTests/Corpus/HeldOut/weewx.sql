-- schema: weewx
-- about: A weather station: a wide row each five minutes, and a table of daily sums for each kind of measurement.
-- origin: weewx 5 (GPL-3.0, Copyright Tom Keffer and contributors): the archive with most columns of its former default schema, three of \
--   the daily summaries and their metadata

CREATE TABLE archive (
  dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, usUnits INTEGER NOT NULL, interval INTEGER NOT NULL, barometer REAL, pressure REAL, \
altimeter REAL, inTemp REAL, outTemp REAL, inHumidity REAL, outHumidity REAL, windSpeed REAL, windDir REAL, windGust REAL, windGustDir REAL,
  rainRate REAL, rain REAL, dewpoint REAL, windchill REAL, heatindex REAL, ET REAL, radiation REAL, UV REAL, extraTemp1 REAL, extraTemp2 \
REAL, soilTemp1 REAL, leafTemp1 REAL, extraHumid1 REAL, soilMoist1 REAL, rxCheckPercent REAL, txBatteryStatus REAL, consBatteryVoltage \
REAL, hail REAL, supplyVoltage REAL);
CREATE TABLE archive_day_outTemp (dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, min REAL, mintime INTEGER, max REAL, maxtime INTEGER, sum \
REAL, count INTEGER, wsum REAL, sumtime INTEGER);
CREATE TABLE archive_day_rain (dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, min REAL, mintime INTEGER, max REAL, maxtime INTEGER, sum \
REAL, count INTEGER, wsum REAL, sumtime INTEGER);
CREATE TABLE archive_day_wind (dateTime INTEGER NOT NULL UNIQUE PRIMARY KEY, min REAL, mintime INTEGER, max REAL, maxtime INTEGER, sum \
REAL, count INTEGER, wsum REAL, sumtime INTEGER, max_dir REAL, xsum REAL, ysum REAL, dirsumtime INTEGER, squaresum REAL, wsquaresum REAL);
CREATE TABLE archive_day__metadata (name CHAR(20) NOT NULL UNIQUE PRIMARY KEY, value TEXT);

INSERT INTO archive
SELECT 1690000200 + i * 300, 16, 5, 1000 + pick(1, i / 40, 40) + 0.25 * pick(2, i, 4), 990 + pick(1, i / 40, 40), NULL, 18 + 0.5 * pick(3, \
i / 12, 10), iif(chance(4, i) < 0.004, NULL, 0.5 * (pick(5, i / 288, 40) - 8 + pick(6, i / 12, 20))), 40 + pick(7, i / 12, 20),
  iif(chance(4, i) < 0.004, NULL, 30 + pick(8, i / 12, 69)), 0.5 * (skewed(9, i, 60) - 1), iif(skewed(9, i, 60) = 1, NULL, 22.5 * pick(10, \
i, 16)), 0.5 * (skewed(9, i, 60) + skewed(11, i, 60)), 22.5 * pick(10, i, 16),
  iif(chance(12, i / 30) < 0.05, 0.25 * skewed(13, i, 120), 0), iif(chance(12, i / 30) < 0.05, 0.25 * (skewed(13, i, 16) - 1), 0), 4.5, \
3.5, 20.0, NULL, iif(chance(14, i / 72) < 0.5, pick(15, i, 900), 0), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 90 + pick(16, i, 10), \
iif(chance(17, i) < 0.001, 1, 0), 4.6, NULL, 5.1
FROM numbers WHERE i <= 48000;
INSERT INTO archive
SELECT dateTime + 14400000, usUnits, interval, barometer, pressure, altimeter, inTemp, outTemp + iif(dateTime % 9000 = 0, 0.5, 0), \
inHumidity, outHumidity, windSpeed, windDir, windGust, windGustDir, rainRate, rain, dewpoint, windchill, heatindex, ET, radiation, UV, \
extraTemp1, extraTemp2, soilTemp1, leafTemp1, extraHumid1, soilMoist1,
  rxCheckPercent, txBatteryStatus, consBatteryVoltage, hail, supplyVoltage FROM archive WHERE dateTime <= 1704400200;
INSERT INTO archive_day_outTemp (dateTime, max, maxtime, sum, count, wsum, sumtime) SELECT dateTime / 86400 * 86400, max(outTemp), \
dateTime, sum(outTemp), count(outTemp), sum(outTemp) * 300, count(outTemp) * 300 FROM archive GROUP BY dateTime / 86400;
INSERT INTO archive_day_rain (dateTime, max, maxtime, sum, count, wsum, sumtime) SELECT dateTime / 86400 * 86400, max(rain), dateTime, \
sum(rain), count(rain), sum(rain) * 300, count(rain) * 300 FROM archive GROUP BY dateTime / 86400;
INSERT INTO archive_day_wind (dateTime, max, maxtime, sum, count) SELECT dateTime / 86400 * 86400, max(windGust), dateTime, \
sum(windSpeed), count(windSpeed) FROM archive GROUP BY dateTime / 86400;
INSERT INTO archive_day__metadata VALUES ('Version', '4.0'), ('lastUpdate', '1718800200');

-- statement: weewx-01
-- is: full-scan, sort-without-index
-- because: the strongest gusts ever: all rows are read and sorted

SELECT dateTime, windGust FROM archive WHERE windGust IS NOT NULL ORDER BY windGust DESC, dateTime DESC LIMIT 10

-- best
-- index: archive (windGust)

-- statement: weewx-02
-- is: expression-index, full-scan, function-on-column, group-without-index
-- because: rain by day, which a table has already

SELECT date(dateTime, 'unixepoch') AS day, sum(rain) FROM archive GROUP BY day ORDER BY day

-- best

SELECT date(dateTime, 'unixepoch') AS day, sum FROM archive_day_rain ORDER BY dateTime

-- or
-- index: archive (date(dateTime, 'unixepoch'), rain)

-- statement: weewx-03
-- is: expression-index, full-scan, function-on-column
-- because: a day's temperatures: the day is made of each time, although times are the key
-- run: '2024-02-10' | '2023-11-05'

SELECT dateTime, outTemp FROM archive WHERE strftime('%Y-%m-%d', dateTime, 'unixepoch') = ? ORDER BY dateTime

-- best

SELECT dateTime, outTemp FROM archive WHERE dateTime >= CAST(strftime('%s', ?1) AS INTEGER) AND dateTime < CAST(strftime('%s', ?1, '+1 \
day') AS INTEGER) ORDER BY dateTime

-- or
-- index: archive (strftime('%Y-%m-%d', dateTime, 'unixepoch'))

-- statement: weewx-04
-- is: full-scan, sort-without-index
-- because: heavy rain: five minutes of some thousand
-- run: 3.5 | 3.25

SELECT dateTime, rain, rainRate FROM archive WHERE rain >= ? ORDER BY rain DESC, dateTime DESC

-- best
-- index: archive (rain)

-- or
-- index: archive (rain, dateTime)

-- statement: weewx-05
-- is: full-scan, partial-index, wide-rows-for-count
-- because: how often the sensor failed

SELECT count(*) FROM archive WHERE outTemp IS NULL

-- best
-- index: archive (dateTime) WHERE outTemp IS NULL

-- or
-- index: archive (outTemp)

-- statement: weewx-06
-- is: automatic-index, expression-index, full-scan, function-on-column, join-fan-out
-- because: wind on hot days: days are divided on both sides
-- run: 24.0

SELECT d.dateTime, d.max, avg(a.windSpeed) FROM archive_day_outTemp AS d JOIN archive AS a ON a.dateTime / 86400 = d.dateTime / 86400 \
WHERE d.max >= ? GROUP BY d.dateTime ORDER BY d.dateTime

-- best

SELECT d.dateTime, d.max, avg(a.windSpeed) FROM archive_day_outTemp AS d JOIN archive AS a ON a.dateTime >= d.dateTime AND a.dateTime < \
d.dateTime + 86400 WHERE d.max >= ? GROUP BY d.dateTime ORDER BY d.dateTime

-- statement: weewx-07
-- is: subquery-per-row
-- because: rain of the last day at each moment: 288 rows are read for each
-- run: 1700000000, 1700259200

SELECT a.dateTime, (SELECT sum(b.rain) FROM archive AS b WHERE b.dateTime > a.dateTime - 86400 AND b.dateTime <= a.dateTime) AS rain24 \
FROM archive AS a WHERE a.dateTime > ? AND a.dateTime <= ?

-- best

SELECT dateTime, rain24 FROM (SELECT dateTime, sum(rain) OVER (ORDER BY dateTime RANGE BETWEEN 86399 PRECEDING AND CURRENT ROW) AS rain24 \
FROM archive WHERE dateTime > ?1 - 86400 AND dateTime <= ?2)
WHERE dateTime > ?1

-- statement: weewx-08
-- is: join-fan-out, subquery-per-row
-- because: rain since the beginning, day by day: each day with all before it

SELECT a.dateTime, sum(b.sum) AS total FROM archive_day_rain AS a JOIN archive_day_rain AS b ON b.dateTime <= a.dateTime GROUP BY \
a.dateTime ORDER BY a.dateTime

-- best

SELECT dateTime, sum(sum) OVER (ORDER BY dateTime) AS total FROM archive_day_rain ORDER BY dateTime

-- statement: weewx-09
-- is: large-offset
-- because: an export by pages of days
-- run: 70000 | 90000

SELECT dateTime, barometer, outTemp FROM archive ORDER BY dateTime LIMIT 288 OFFSET ?

-- best
-- run: 1711000500 | 1717000500

SELECT dateTime, barometer, outTemp FROM archive WHERE dateTime >= ? ORDER BY dateTime LIMIT 288

-- statement: weewx-10
-- is: full-scan, wide-rows-for-count
-- because: how many rows there are: no index is there to count in, and rows are wide

SELECT count(*) FROM archive

-- best
-- index: archive (usUnits)

-- statement: weewx-11
-- fine
-- because: the current conditions by the key

SELECT * FROM archive WHERE dateTime = (SELECT max(dateTime) FROM archive)

-- statement: weewx-12
-- fine
-- because: a day by the key
-- run: 1705000000, 1705086400

SELECT min(outTemp), max(outTemp), avg(outHumidity) FROM archive WHERE dateTime > ? AND dateTime <= ?

-- statement: weewx-13
-- fine
-- because: the hottest moment of each day, by keys
-- run: 1715000000

SELECT d.dateTime, d.max, d.maxtime, a.windDir FROM archive_day_outTemp AS d LEFT JOIN archive AS a ON a.dateTime = d.maxtime WHERE \
d.dateTime >= ? ORDER BY d.dateTime

-- statement: weewx-14
-- fine
-- tolerated: function-on-column, group-without-index
-- because: months made of a few hundred days

SELECT strftime('%Y-%m', t.dateTime, 'unixepoch') AS month, max(t.max), sum(r.sum), max(w.max) FROM archive_day_outTemp AS t JOIN \
archive_day_rain AS r ON r.dateTime = t.dateTime JOIN archive_day_wind AS w ON w.dateTime = t.dateTime
GROUP BY month

-- statement: weewx-15
-- fine
-- because: the sum of today
-- run: 1718755200, 0.25, 1718800500

INSERT INTO archive_day_rain (dateTime, max, maxtime, sum, count) VALUES (?1, ?2, ?3, ?2, 1) ON CONFLICT (dateTime) DO UPDATE SET sum = \
sum + excluded.sum, count = count + 1, max = max(max, excluded.max)

-- statement: weewx-16
-- fine
-- tolerated: group-without-index
-- because: where the wind came from in a day
-- run: 1705000000, 1705100000

SELECT CAST(windDir / 45 AS INTEGER) % 8 AS sector, count(*), avg(windSpeed) FROM archive WHERE dateTime BETWEEN ? AND ? AND windDir IS \
NOT NULL GROUP BY sector
