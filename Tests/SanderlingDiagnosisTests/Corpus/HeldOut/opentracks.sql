-- schema: opentracks
-- about: A sport tracker: the points of each recorded track with what the sensors said, in time order.
-- origin: OpenTracks (Apache-2.0, Copyright Google and the OpenTracks contributors; github.com/OpenTracksApp/OpenTracks, \
--   src/main/java/de/dennisguse/opentracks/data/tables): its three tables with their indexes

CREATE TABLE tracks (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, description TEXT, category TEXT, starttime INTEGER, stoptime INTEGER, numpoints \
INTEGER, totaldistance FLOAT, totaltime INTEGER, movingtime INTEGER, avgspeed FLOAT,
  avgmovingspeed FLOAT, maxspeed FLOAT, minelevation FLOAT, maxelevation FLOAT, elevationgain FLOAT, icon TEXT, uuid BLOB, elevationloss \
FLOAT, starttime_offset INTEGER);
CREATE UNIQUE INDEX tracks_uuid_index ON tracks(uuid);
CREATE TABLE trackpoints (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, trackid INTEGER NOT NULL, longitude INTEGER, latitude INTEGER, time INTEGER, elevation FLOAT, \
accuracy FLOAT, speed FLOAT, bearing FLOAT, sensor_heartrate FLOAT,
  sensor_cadence FLOAT, sensor_power FLOAT, elevation_gain FLOAT, elevation_loss FLOAT, type TEXT CHECK(type IN (-2, -1, 0, 1, 2)), \
sensor_distance FLOAT, accuracy_vertical FLOAT,
  FOREIGN KEY (trackid) REFERENCES tracks(_id) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE INDEX trackpoints_trackid_index ON trackpoints(trackid);
CREATE TABLE markers (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, description TEXT, category TEXT, icon TEXT, trackid INTEGER NOT NULL, length FLOAT, \
duration INTEGER, longitude INTEGER, latitude INTEGER, time INTEGER, elevation FLOAT,
  accuracy FLOAT, bearing FLOAT, photoUrl TEXT, FOREIGN KEY (trackid) REFERENCES tracks(_id) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE INDEX markers_trackid_index ON markers(trackid);

INSERT INTO tracks
SELECT i, iif(chance(1, i) < 0.5, title(2, i, 2), strftime('%Y-%m-%d', 1500000000 + i * 60000, 'unixepoch')), iif(chance(3, i) < 0.3, \
prose(4, i, 80 + pick(5, i, 200)), ''),
  CASE skewed(6, i, 6) WHEN 1 THEN 'running' WHEN 2 THEN 'cycling' WHEN 3 THEN 'hiking' WHEN 4 THEN 'walking' WHEN 5 THEN 'skiing' ELSE \
'kayaking' END,
  1500000000000 + (i * 7919 % 4000) * 60000000 + pick(7, i, 40000000), 1500000000000 + (i * 7919 % 4000) * 60000000 + 45000000, NULL, 1000 \
+ pick(8, i, 60000), pick(9, i, 9000000), pick(9, i, 9000000) * 0.8, chance(10, i) * 8,
  chance(11, i) * 9, chance(12, i) * 16, 400, 900, pick(13, i, 1200), 'run', CAST(printf('%016x', i * 104729) AS BLOB), pick(14, i, 1200), 7200
FROM numbers WHERE i <= 3999;
INSERT INTO trackpoints
SELECT i, t, 11000000 + (t * 48271 % 900) * 1000 + i % 40 * 90 + pick(15, i, 60), 47000000 + (t * 16807 % 1300) * 1000 + i % 40 * 70 + \
pick(16, i, 60), 1500000000000 + (t * 7919 % 4000) * 60000000 + i % 400 * 5000, 400 + chance(17, i) * 500,
  pick(18, i, 30), chance(19, i) * 12, chance(20, i) * 360, iif(t % 6 = 0, 90 + pick(21, i, 90), NULL), iif(t % 9 = 0, pick(22, i, 100), \
NULL), iif(t % 40 = 0, pick(23, i, 400), NULL), chance(24, i), chance(25, i),
  iif(chance(26, i) < 0.008, -2, iif(chance(27, i) < 0.01, 1, 0)), NULL, NULL
FROM (SELECT i, iif(i <= 3000, 17, iif(i <= 60000, 1 + i / 150, 400 + i / 40 % 3600)) AS t FROM numbers WHERE i <= 130000);
INSERT INTO markers
SELECT i, title(28, i, 2), iif(chance(29, i) < 0.4, prose(30, i, 120), ''), 'marker', 'pin', skewed(31, i, 3999), 0, 0, 11000000 + \
pick(32, i, 900000), 47000000 + pick(33, i, 1300000), 1500000000000 + pick(34, i, 240000000) * 1000, 500, 5, 0,
  iif(chance(35, i) < 0.15, 'content://photos/' || i || '.jpg', iif(chance(36, i) < 0.5, '', NULL))
FROM numbers WHERE i <= 9000;

-- statement: opentracks-01
-- fine
-- tolerated: index-not-covering
-- because: the points of a track from one on: the index has their order
-- run: 17, 1000 | 300, 0

SELECT * FROM trackpoints WHERE trackid = ? AND _id > ? ORDER BY _id LIMIT 500

-- statement: opentracks-02
-- is: distinct-without-index, full-scan
-- because: the tracks through a valley: all points are read
-- run: 47400000, 47410000, 11300000, 11350000

SELECT DISTINCT trackid FROM trackpoints WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?

-- best
-- index: trackpoints (latitude, longitude, trackid)

-- or
-- index: trackpoints (longitude, latitude, trackid)

-- or
-- index: trackpoints (latitude)

-- or
-- index: trackpoints (latitude, longitude)

-- statement: opentracks-03
-- is: full-scan, sort-without-index, subquery-per-row
-- because: the last tracks with the number of their markers: all are sorted for them

SELECT tracks._id, tracks.name, tracks.starttime, (SELECT count(*) FROM markers WHERE markers.trackid = tracks._id) AS markerCount FROM \
tracks ORDER BY tracks.starttime DESC LIMIT 30

-- best
-- index: tracks (starttime)

-- statement: opentracks-04
-- is: full-scan, group-without-index
-- because: what was done in a month
-- run: 1700000000000, 1702600000000

SELECT category, count(*) AS n, sum(totaldistance), sum(movingtime) FROM tracks WHERE starttime >= ? AND starttime < ? GROUP BY category \
ORDER BY n DESC

-- best
-- index: tracks (starttime, category, totaldistance, movingtime)

-- or
-- index: tracks (starttime)

-- statement: opentracks-05
-- is: index-not-covering
-- because: the highest speed of a track: all of its points are looked up
-- run: 17 | 350

SELECT max(speed) FROM trackpoints WHERE trackid = ?

-- best
-- index: trackpoints (trackid, speed)

-- statement: opentracks-06
-- is: full-scan, group-without-index, harmful-index, index-not-covering, partial-index
-- because: the hardest tracks: one point of six has a heart rate

SELECT trackid, max(sensor_heartrate) AS most, avg(sensor_heartrate) FROM trackpoints WHERE sensor_heartrate IS NOT NULL GROUP BY trackid \
HAVING max(sensor_heartrate) > 170 ORDER BY most DESC, trackid LIMIT 20

-- best
-- index: trackpoints (trackid, sensor_heartrate) WHERE sensor_heartrate IS NOT NULL

-- statement: opentracks-07
-- is: full-scan, partial-index, sort-without-index
-- because: where recordings began: one point of a hundred

SELECT _id, trackid, time FROM trackpoints WHERE type = -2 ORDER BY time

-- best
-- index: trackpoints (type, time, trackid)

-- statement: opentracks-08
-- fine
-- because: a track goes with its points and markers, by their indexes
-- run: 3500 | 2222

DELETE FROM tracks WHERE _id = ?

-- statement: opentracks-09
-- is: expression-index, full-scan, function-on-column
-- because: a track by its id as text: that is made for each
-- run: '30303030303030303036366661326331'

SELECT _id, name FROM tracks WHERE lower(hex(uuid)) = ?

-- best
-- index: tracks (lower(hex(uuid)))

-- statement: opentracks-10
-- fine
-- because: whether tracks are already there before an import, by their unique ids
-- run: '00000000066fa2c1', '0000000006413bda'

SELECT t._id, t.name, t.starttime FROM tracks AS t WHERE t.uuid IN (CAST(? AS BLOB), CAST(? AS BLOB)) AND EXISTS (SELECT 1 FROM \
trackpoints AS p WHERE p.trackid = t._id)

-- statement: opentracks-11
-- is: full-scan, sort-without-index
-- because: where one was when a photo was made
-- run: 1600000000000, 1600020000000 | 1620000000000, 1620090000000

SELECT p._id, p.trackid, p.latitude, p.longitude FROM trackpoints AS p WHERE p.time BETWEEN ? AND ? ORDER BY p.time

-- best
-- index: trackpoints (time, trackid, latitude, longitude)

-- or
-- index: trackpoints (time)

-- statement: opentracks-12
-- is: full-scan, partial-index, sort-without-index
-- because: the newest photos

SELECT m._id, m.name, m.photoUrl, t.name FROM markers AS m JOIN tracks AS t ON t._id = m.trackid WHERE m.photoUrl IS NOT NULL AND \
m.photoUrl <> '' ORDER BY m.time DESC LIMIT 30

-- best
-- index: markers (time) WHERE photoUrl IS NOT NULL AND photoUrl <> ''

-- or
-- index: markers (time)

-- statement: opentracks-13
-- fine
-- because: the points of a track are counted in an index
-- run: 17

UPDATE tracks SET numpoints = (SELECT count(*) FROM trackpoints WHERE trackid = tracks._id) WHERE _id = ?

-- statement: opentracks-14
-- fine
-- because: the last point of a track, by the index
-- run: 17 | 2000

SELECT * FROM trackpoints WHERE trackid = ? AND type IN (-2, 0, 1, 2) ORDER BY _id DESC LIMIT 1

-- statement: opentracks-15
-- is: case-insensitive-without-index, full-scan, or-without-index
-- because: a track by its name or its description
-- run: 'pekigu VACE', 'none' | '2018-01-02', 'walk'

SELECT _id, name, starttime FROM tracks WHERE name = ? COLLATE NOCASE OR description = ?

-- best
-- index: tracks (name COLLATE NOCASE)
-- index: tracks (description)

-- statement: opentracks-16
-- fine
-- tolerated: full-scan
-- because: averages over all points

SELECT avg(elevation), min(elevation), max(elevation), avg(accuracy), avg(bearing), count(sensor_power) FROM trackpoints
