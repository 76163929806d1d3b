-- schema: gtfs
-- about: Timetables of buses and trains as agencies publish them: texts for keys, an index on each column that refers to something, times \
--   beyond midnight.
-- origin: node-gtfs 4.x (MIT, Copyright Brendan Nee): ten of its tables as it makes them from its models, with their indexes; of stops, \
--   stop_times and routes without the columns of rarely used extensions

CREATE TABLE agency (agency_id text, agency_name text NOT NULL COLLATE NOCASE, agency_url text NOT NULL, agency_timezone text NOT NULL, \
agency_lang text, agency_phone text, PRIMARY KEY (agency_id));
CREATE TABLE stops (
  stop_id text NOT NULL, stop_code text, stop_name text COLLATE NOCASE, stop_desc text COLLATE NOCASE, stop_lat real CHECK( stop_lat >= \
-90 AND stop_lat <= 90 ), stop_lon real CHECK( stop_lon >= -180 AND stop_lon <= 180 ),
  zone_id text, stop_url text, location_type integer, parent_station text, stop_timezone text, wheelchair_boarding integer, level_id text, \
platform_code text, PRIMARY KEY (stop_id));
CREATE INDEX idx_stops_parent_station ON stops (parent_station);
CREATE TABLE routes (
  route_id text NOT NULL, agency_id text, route_short_name text COLLATE NOCASE, route_long_name text COLLATE NOCASE, route_desc text \
COLLATE NOCASE, route_type integer NOT NULL, route_color text, route_text_color text,
  route_sort_order integer, PRIMARY KEY (route_id));
CREATE TABLE calendar (
  service_id text NOT NULL, monday integer NOT NULL, tuesday integer NOT NULL, wednesday integer NOT NULL, thursday integer NOT NULL, \
friday integer NOT NULL, saturday integer NOT NULL, sunday integer NOT NULL,
  start_date integer NOT NULL, end_date integer NOT NULL, PRIMARY KEY (service_id));
CREATE INDEX idx_calendar_start_date ON calendar (start_date);
CREATE INDEX idx_calendar_end_date ON calendar (end_date);
CREATE TABLE calendar_dates (
  service_id text NOT NULL, date integer NOT NULL, exception_type integer NOT NULL CHECK( exception_type >= 1 AND exception_type <= 2 ), \
holiday_name text COLLATE NOCASE, PRIMARY KEY (service_id, date));
CREATE INDEX idx_calendar_dates_exception_type ON calendar_dates (exception_type);
CREATE TABLE trips (
  route_id text NOT NULL, service_id text NOT NULL, trip_id text NOT NULL, trip_headsign text COLLATE NOCASE, trip_short_name text COLLATE \
NOCASE, direction_id integer, block_id text, shape_id text, wheelchair_accessible integer,
  bikes_allowed integer, PRIMARY KEY (trip_id));
CREATE INDEX idx_trips_route_id ON trips (route_id);
CREATE INDEX idx_trips_service_id ON trips (service_id);
CREATE INDEX idx_trips_direction_id ON trips (direction_id);
CREATE INDEX idx_trips_block_id ON trips (block_id);
CREATE INDEX idx_trips_shape_id ON trips (shape_id);
CREATE TABLE stop_times (
  trip_id text NOT NULL, arrival_time text, departure_time text, location_group_id text, location_id text, stop_id text NOT NULL, \
stop_sequence integer NOT NULL CHECK( stop_sequence >= 0 ), stop_headsign text COLLATE NOCASE,
  pickup_type integer, drop_off_type integer, shape_dist_traveled real, timepoint integer, PRIMARY KEY (trip_id, stop_sequence));
CREATE INDEX idx_stop_times_location_group_id ON stop_times (location_group_id);
CREATE INDEX idx_stop_times_location_id ON stop_times (location_id);
CREATE INDEX idx_stop_times_stop_id ON stop_times (stop_id);
CREATE TABLE shapes (shape_id text NOT NULL, shape_pt_lat real NOT NULL, shape_pt_lon real NOT NULL, shape_pt_sequence integer NOT NULL, \
shape_dist_traveled real, PRIMARY KEY (shape_id, shape_pt_sequence));
CREATE TABLE transfers (
  from_stop_id text, to_stop_id text, from_route_id text, to_route_id text, from_trip_id text, to_trip_id text, transfer_type integer, \
min_transfer_time integer,
  PRIMARY KEY (from_stop_id, to_stop_id, from_route_id, to_route_id, from_trip_id, to_trip_id));
CREATE TABLE stop_time_updates (
  trip_id text, trip_start_time text, direction_id integer, route_id text, stop_id text, stop_sequence integer, arrival_delay integer, \
departure_delay integer, departure_timestamp text, arrival_timestamp text,
  schedule_relationship text, created_timestamp integer NOT NULL, expiration_timestamp integer NOT NULL);
CREATE INDEX idx_stop_time_updates_trip_id ON stop_time_updates (trip_id);
CREATE INDEX idx_stop_time_updates_route_id ON stop_time_updates (route_id);
CREATE INDEX idx_stop_time_updates_stop_id ON stop_time_updates (stop_id);

INSERT INTO agency VALUES ('1', 'Metro', 'https://metro.example', 'Europe/Zurich', 'de', NULL), ('2', 'Regio', 'https://regio.example', \
'Europe/Zurich', 'de', NULL);
INSERT INTO stops
SELECT 's' || i, iif(chance(1, i) < 0.9, CAST(10000 + i AS TEXT), NULL), title(2, i, 2), iif(chance(3, i) < 0.2, title(4, i, 4), NULL), 46 \
+ chance(5, i) * 2, 6 + chance(6, i) * 4, 'z' || skewed(7, i, 30), NULL,
  iif(i <= 400, 1, 0), iif(i > 400 AND chance(8, i) < 0.3, 's' || skewed(9, i, 400), NULL), NULL, pick(10, i, 3) - 1, NULL, NULL
FROM numbers WHERE i <= 9000;
INSERT INTO routes SELECT 'r' || i, 1 + i % 2, CAST(i AS TEXT), title(11, i, 3), NULL, iif(i <= 20, 2, 3), printf('%06X', i * 7919), \
'FFFFFF', pick(12, i, 200) FROM numbers WHERE i <= 160;
INSERT INTO calendar SELECT 'c' || i, i % 2, i % 2, i % 2, i % 2, 1, i % 3 = 0, i % 5 = 0, 20240101 + i % 12 * 100, 20241231 FROM numbers \
WHERE i <= 60;
INSERT OR IGNORE INTO calendar_dates SELECT 'c' || pick(13, i, 400), 20240100 + pick(14, i, 12) * 100 + pick(15, i, 28), iif(chance(16, i) \
< 0.75, 1, 2), NULL FROM numbers WHERE i <= 24000;
INSERT INTO trips
SELECT 'r' || skewed(17, i, 160), 'c' || skewed(18, i, 400), 't' || i, title(19, i % 300, 2), iif(i % 3 = 0, CAST(1000 + i AS TEXT), \
NULL), i % 2, 'b' || (i / 9), 'r' || skewed(17, i, 160) || '-' || (i % 2), 1, 0
FROM numbers WHERE i <= 8000;
INSERT INTO stop_times
SELECT 't' || (1 + (i - 1) / 17), printf('%02d:%02d:00', 4 + (i - 1) / 17 % 21 + (i - 1) % 17 * 3 / 60, ((i - 1) / 17 * 7 % 12 + (i - 1) % \
17 * 3) % 60), printf('%02d:%02d:20', 4 + (i - 1) / 17 % 21 + (i - 1) % 17 * 3 / 60, ((i - 1) / 17 * 7 % 12 + (i - 1) % 17 * 3) % 60),
  NULL, NULL, 's' || iif((i - 1) % 17 = 8 AND chance(20, (i - 1) / 17) < 0.8, 401 + skewed(21, (i - 1) / 17, 6), 500 + skewed(17, 1 + (i - \
1) / 17, 160) * 43 + (i - 1) % 17), (i - 1) % 17 + 1, NULL, 0, 0, (i - 1) % 17 * 700.5, (i - 1) % 17 % 4 = 0
FROM numbers WHERE i <= 136000;
INSERT INTO shapes SELECT 'r' || (1 + i / 40) || '-' || (i % 2), 46 + chance(22, i), 6 + chance(23, i), i % 40, i % 40 * 200.5 FROM \
numbers WHERE i < 6400;
INSERT OR IGNORE INTO transfers SELECT 's' || (i % 9000 + 1), 's' || (1 + (i % 9000 + pick(24, i, 12)) % 9000), NULL, NULL, NULL, NULL, 2, \
60 + pick(25, i, 400) FROM numbers WHERE i <= 27000;
INSERT INTO stop_time_updates
SELECT 't' || skewed(26, i / 4, 2500), NULL, i % 2, 'r' || pick(27, i, 160), 's' || pick(28, i, 9000), i % 17, pick(29, i, 600) - 60, \
pick(29, i, 600) - 60, CAST(1718000000 + i * 2 AS TEXT), CAST(1718000000 + i * 2 AS TEXT), 'SCHEDULED',
  1718000000 + i / 4 * 8, 1718003600 + i / 4 * 8 + iif(chance(30, i) < 0.02, 300000, 0)
FROM numbers WHERE i <= 24000;

-- statement: gtfs-01
-- is: harmful-index, index-not-covering, missing-statistics
-- because: the trips of a line on some days: SQLite takes the wrong one of the indexes
-- run: 'r25', 0, 'c1' | 'r40', 1, 'c2' | 'r120', 0, 'c1'

SELECT trip_id, trip_headsign, shape_id FROM trips WHERE route_id = ? AND direction_id = ? AND service_id = ?

-- best
-- index: trips (route_id, service_id, direction_id)

-- or
-- change: ANALYZE

-- or

SELECT trip_id, trip_headsign, shape_id FROM trips WHERE route_id = ? AND +direction_id = ? AND +service_id = ?

-- statement: gtfs-02
-- is: full-scan, harmful-index, index-not-covering
-- because: what else runs on a day: three quarters of the table are of that type, and the key begins with the service
-- run: 20240614 | 20241224

SELECT service_id FROM calendar_dates WHERE date = ? AND exception_type = 1

-- best
-- index: calendar_dates (date, exception_type)

-- or
-- index: calendar_dates (date)

-- or
-- index: calendar_dates (date, exception_type, service_id)

-- statement: gtfs-03
-- fine
-- because: the stops of a trip, in the order of its key
-- run: 't77' | 't7900'

SELECT st.stop_sequence, st.departure_time, s.stop_name FROM stop_times AS st JOIN stops AS s ON s.stop_id = st.stop_id WHERE st.trip_id = \
? ORDER BY st.stop_sequence

-- statement: gtfs-04
-- is: index-not-covering, join-order, sort-without-index
-- because: what leaves next from a large station: all of its trips are looked up and sorted
-- run: 's402', '08:30:00' | 's403', '17:05:00'

SELECT st.departure_time, t.route_id, t.trip_headsign FROM stop_times AS st JOIN trips AS t ON t.trip_id = st.trip_id
WHERE st.stop_id = ? AND st.departure_time >= ? ORDER BY st.departure_time LIMIT 12

-- best
-- index: stop_times (stop_id, departure_time)

-- statement: gtfs-05
-- is: full-scan, pattern-without-index, sort-without-index
-- because: a stop as one types it; the column compares without case already

SELECT stop_id, stop_name FROM stops WHERE stop_name LIKE 'soha%' ORDER BY stop_name LIMIT 20

-- best
-- index: stops (stop_name)

-- or
-- index: stops (stop_name, stop_id)

-- statement: gtfs-06
-- is: full-scan
-- because: stops near a place
-- run: 46.94, 46.96, 7.42, 7.47 | 47.36, 47.38, 8.52, 8.56

SELECT stop_id, stop_name, stop_lat, stop_lon FROM stops WHERE stop_lat BETWEEN ? AND ? AND stop_lon BETWEEN ? AND ?

-- best
-- index: stops (stop_lat, stop_lon)

-- or
-- index: stops (stop_lon, stop_lat)

-- or
-- index: stops (stop_lat)

-- or
-- index: stops (stop_lon)

-- statement: gtfs-07
-- fine
-- because: stops where nothing stops: each is looked for in an index that is there, until fifty are found

SELECT stop_id FROM stops WHERE stop_id NOT IN (SELECT stop_id FROM stop_times) ORDER BY stop_id LIMIT 50

-- statement: gtfs-08
-- is: expression-index, function-on-column, group-without-index, index-not-covering
-- because: how busy a station is by hour
-- run: 's402' | 's404'

SELECT substr(departure_time, 1, 2) AS hour, count(*) AS n FROM stop_times WHERE stop_id = ? GROUP BY substr(departure_time, 1, 2)

-- best
-- index: stop_times (stop_id, substr(departure_time, 1, 2))

-- or
-- index: stop_times (stop_id, departure_time)

-- statement: gtfs-09
-- is: automatic-index, full-scan
-- because: from where one can walk to a stop: transfers are keyed the other way round
-- run: 's4000' | 's77'

WITH RECURSIVE reach (stop_id, steps) AS (
  SELECT ?, 0 UNION SELECT t.from_stop_id, r.steps + 1 FROM reach AS r JOIN transfers AS t ON t.to_stop_id = r.stop_id WHERE r.steps < 2)
SELECT DISTINCT s.stop_id, s.stop_name FROM reach AS r JOIN stops AS s ON s.stop_id = r.stop_id

-- best
-- index: transfers (to_stop_id, from_stop_id)

-- or
-- index: transfers (to_stop_id)

-- statement: gtfs-10
-- is: full-scan
-- because: what has expired since the last time
-- run: 1718003700

DELETE FROM stop_time_updates WHERE expiration_timestamp <= ?

-- best
-- index: stop_time_updates (expiration_timestamp)

-- statement: gtfs-11
-- is: index-not-covering, subquery-per-row
-- because: trips that are late by what was last heard of them

SELECT u.trip_id, u.stop_id, u.arrival_delay FROM stop_time_updates AS u WHERE u.arrival_delay > 500
AND u.created_timestamp = (SELECT max(n.created_timestamp) FROM stop_time_updates AS n WHERE n.trip_id = u.trip_id)

-- best
-- index: stop_time_updates (trip_id, created_timestamp)

-- or
-- index: stop_time_updates (trip_id, created_timestamp)

SELECT u.trip_id, u.stop_id, u.arrival_delay FROM (SELECT trip_id, max(created_timestamp) AS newest FROM stop_time_updates GROUP BY trip_id) AS n
CROSS JOIN stop_time_updates AS u ON u.trip_id = n.trip_id AND u.created_timestamp = n.newest WHERE u.arrival_delay > 500

-- statement: gtfs-12
-- is: full-scan, or-without-index
-- because: a train by its number or a line by its name: an OR over two tables uses the index of neither
-- run: '4000' | '7987'

SELECT DISTINCT t.trip_id, t.trip_headsign FROM trips AS t JOIN routes AS r ON r.route_id = t.route_id WHERE t.trip_short_name = ?1 OR \
r.route_long_name = ?1

-- best
-- index: trips (trip_short_name)

SELECT trip_id, trip_headsign FROM trips WHERE trip_short_name = ?1
UNION SELECT t.trip_id, t.trip_headsign FROM routes AS r JOIN trips AS t ON t.route_id = r.route_id WHERE r.route_long_name = ?1

-- statement: gtfs-13
-- fine
-- tolerated: full-scan, sort-without-index
-- because: the bus lines, of few lines

SELECT route_id, route_short_name, route_long_name, route_color FROM routes WHERE route_type = 3 ORDER BY route_sort_order

-- statement: gtfs-14
-- fine
-- tolerated: harmful-index
-- because: sixty rows
-- run: 20240614, 20240614

SELECT service_id FROM calendar WHERE friday = 1 AND start_date <= ? AND end_date >= ?

-- statement: gtfs-15
-- fine
-- because: the course of a line, in the order of its key
-- run: 'r12-0' | 'r77-1'

SELECT shape_pt_lat, shape_pt_lon FROM shapes WHERE shape_id = ? ORDER BY shape_pt_sequence

-- statement: gtfs-16
-- fine
-- because: the platforms of a station, each counted in an index
-- run: 's30' | 's300'

SELECT s.stop_id, s.stop_name, (SELECT count(*) FROM stop_times AS st WHERE st.stop_id = s.stop_id) AS n FROM stops AS s WHERE s.parent_station = ?
