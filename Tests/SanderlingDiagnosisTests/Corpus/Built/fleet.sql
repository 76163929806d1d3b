-- schema: fleet
-- about: The telemetry of a fleet of vehicles: readings in a table without rowids, events with JSON and a generated column, trips; \
--   analyzed, with a partial index and one on an expression.
-- superfluous: redundant-index trip_vehicle

CREATE TABLE depot (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL);
CREATE TABLE vehicle (
  id INTEGER PRIMARY KEY, vin TEXT NOT NULL UNIQUE, plate TEXT NOT NULL, depot_id INTEGER REFERENCES depot (id),
  settings TEXT NOT NULL, retired_at INTEGER);
CREATE TABLE driver (id INTEGER PRIMARY KEY, badge TEXT NOT NULL UNIQUE, name TEXT NOT NULL, licence TEXT);
CREATE TABLE reading (
  vehicle_id INTEGER NOT NULL, at INTEGER NOT NULL, speed REAL NOT NULL, fuel REAL, odometer REAL NOT NULL,
  rpm INTEGER, fault TEXT, PRIMARY KEY (vehicle_id, at)) WITHOUT ROWID;
CREATE TABLE event (
  id INTEGER PRIMARY KEY, vehicle_id INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
  severity INTEGER NOT NULL, acknowledged INTEGER NOT NULL DEFAULT 0, payload TEXT NOT NULL,
  code TEXT GENERATED ALWAYS AS (json_extract(payload, '$.code')) VIRTUAL);
CREATE TABLE trip (
  id INTEGER PRIMARY KEY, vehicle_id INTEGER NOT NULL REFERENCES vehicle (id),
  driver_id INTEGER REFERENCES driver (id), badge_no INTEGER, started_at INTEGER NOT NULL, ended_at INTEGER,
  distance REAL NOT NULL, purpose TEXT);
CREATE TABLE fuel_fill (
  id INTEGER PRIMARY KEY, vehicle_id INTEGER NOT NULL, at INTEGER NOT NULL, litres REAL NOT NULL,
  price REAL NOT NULL);
CREATE INDEX event_vehicle_at ON event (vehicle_id, at);
CREATE INDEX event_unseen ON event (at) WHERE acknowledged = 0;
CREATE INDEX event_zone ON event (json_extract(payload, '$.zone'));
CREATE INDEX trip_vehicle ON trip (vehicle_id);
CREATE INDEX trip_vehicle_started ON trip (vehicle_id, started_at);
CREATE INDEX trip_started ON trip (started_at);
CREATE INDEX fuel_fill_vehicle ON fuel_fill (vehicle_id);

INSERT INTO depot SELECT i, title(1, i, 1), iif(i % 3 = 0, 'north', 'south') FROM numbers WHERE i <= 12;
INSERT INTO vehicle
SELECT i, printf('WV%09X', i * 104729), upper(substr(word(i), 1, 2)) || '-' || (100 + i), skewed(2, i, 12),
  json_object('units', iif(i % 4 = 0, 'imperial', 'metric'), 'seats', 1 + i % 5),
  iif(chance(3, i) < 0.1, 1700000000 + i, NULL)
FROM numbers WHERE i <= 160;
INSERT INTO driver
SELECT i, CAST(20000 + i * 3 AS TEXT), title(4, i, 2), iif(chance(5, i) < 0.9, upper(word(i * 31)), NULL)
FROM numbers WHERE i <= 2600;
INSERT OR IGNORE INTO reading
SELECT skewed(6, i, 160), 1700000000 + i * 60 + iif(chance(7, i) < 0.002, 7200, 0), round(chance(8, i) * 130, 1),
  iif(chance(9, i) < 0.05, NULL, round(chance(9, i) * 80, 2)), 20000 + i / 9.0, 700 + pick(10, i, 4000),
  iif(chance(11, i) < 0.008, 'P0' || (100 + skewed(12, i, 300)), NULL)
FROM numbers WHERE i <= 80000;
INSERT INTO event (id, vehicle_id, at, kind, severity, acknowledged, payload)
SELECT i, skewed(13, i, 160), 1700000000 + i * 120,
  CASE WHEN chance(14, i) < 0.5 THEN 'position' WHEN chance(14, i) < 0.8 THEN 'door' WHEN chance(14, i) < 0.97
    THEN 'ignition' ELSE 'fault' END,
  iif(chance(15, i) < 0.02, 5, pick(16, i, 3)), chance(17, i) >= 0.01,
  json_object('zone', skewed(18, i, 400), 'level', pick(19, i, 1000), 'code', printf('E%03d', skewed(20, i, 700)),
    'note', prose(21, i, pick(22, i, 80)))
FROM numbers WHERE i <= 40000;
INSERT INTO trip
SELECT i, skewed(23, i, 160), iif(chance(24, i) < 0.1, NULL, skewed(25, i, 2500)),
  iif(chance(24, i) < 0.1, NULL, 20000 + 3 * skewed(25, i, 2500)), 1690000000 + i * 600,
  iif(chance(26, i) < 0.001, NULL, 1690000000 + i * 600 + 300 + skewed(27, i, 50000)), pick(28, i, 90000) / 100.0,
  iif(chance(29, i) < 0.7, title(30, i, 3), NULL)
FROM numbers WHERE i <= 30000;
INSERT INTO fuel_fill
SELECT i, skewed(31, i, 160), 1690000000 + i * 3000, 20 + pick(32, i, 600) / 10.0, 1.5 + chance(33, i)
FROM numbers WHERE i <= 6000;
ANALYZE;

-- statement: fleet-01
-- fine
-- because: a range of the primary key, in its order
-- run: 9, 1702000000, 1702100000

SELECT at, speed, fuel, odometer FROM reading
WHERE vehicle_id = :vehicle AND at BETWEEN :from AND :to ORDER BY at

-- statement: fleet-02
-- is: full-scan, partial-index, sort-without-index
-- because: 0.8 % have a fault, and the newest are wanted

SELECT vehicle_id, at, fault FROM reading WHERE fault IS NOT NULL ORDER BY at DESC LIMIT 40

-- best
-- index: reading (at) WHERE fault IS NOT NULL

-- or
-- index: reading (fault)

-- statement: fleet-03
-- is: full-scan, group-without-index, index-not-covering
-- because: the newest row of each vehicle is the end of a range of the key; grouping reads all 80,000

SELECT r.vehicle_id, r.at, r.speed, r.fuel
FROM reading r
JOIN (SELECT vehicle_id, MAX(at) AS at FROM reading GROUP BY vehicle_id) newest
  ON newest.vehicle_id = r.vehicle_id AND newest.at = r.at

-- best

SELECT r.vehicle_id, r.at, r.speed, r.fuel FROM vehicle v
JOIN reading r ON r.vehicle_id = v.id AND r.at = (SELECT MAX(at) FROM reading WHERE vehicle_id = v.id)

-- statement: fleet-04
-- fine
-- because: each gap between two readings has to be looked at, and the key has their order

SELECT vehicle_id, at, gap FROM (
  SELECT vehicle_id, at, at - LAG(at) OVER (PARTITION BY vehicle_id ORDER BY at) AS gap FROM reading
) WHERE gap > 86400

-- statement: fleet-05
-- is: expression-index, full-scan, function-on-column
-- because: 0.5 % of the events: an index can hold what is extracted
-- run: 995

SELECT id, vehicle_id, at FROM event WHERE json_extract(payload, '$.level') > :level ORDER BY at DESC

-- best
-- index: event (json_extract(payload, '$.level'))

-- statement: fleet-06
-- is: expression-index, full-scan, function-on-column
-- because: the zone has an index, but on the same expression in other words
-- run: 333

SELECT id, at, kind FROM event WHERE payload ->> '$.zone' = ?

-- best

SELECT id, at, kind FROM event WHERE json_extract(payload, '$.zone') = ?

-- or
-- index: event (payload ->> '$.zone')

-- statement: fleet-07
-- is: expression-index, full-scan
-- because: a generated column is computed for all rows, but can have an index
-- sampled
-- run: 'E431'

SELECT e.id, e.at, e.severity FROM event AS e WHERE e.code = $code ORDER BY e.at

-- best
-- index: event (code)

-- or
-- index: event (code, at)

-- statement: fleet-08
-- fine
-- because: the partial index holds the condition and the order

SELECT id, vehicle_id, kind, severity, payload FROM event WHERE acknowledged = 0 ORDER BY at DESC LIMIT 20

-- statement: fleet-09
-- is: index-not-covering, wide-rows-for-count
-- because: the busiest vehicle's 5,000 events are fetched with their payloads to be counted
-- run: 1, 4

SELECT count(*) FROM event WHERE vehicle_id = ?1 AND severity >= ?2

-- best
-- index: event (vehicle_id, severity)

-- statement: fleet-10
-- is: full-scan, or-without-index
-- because: the start of a trip has an index, its end has none
-- run: 1707990000

SELECT id, vehicle_id, purpose FROM trip
WHERE started_at > ?   -- planned
  OR ended_at IS NULL  -- on the way

-- best
-- index: trip (ended_at)

-- or
-- index: trip (ended_at, started_at)

-- statement: fleet-11
-- is: automatic-index, full-scan, type-mismatch
-- because: text and integer are compared as numbers, so the unique index on the text goes unused
-- run: 1700000000, 1700043200

SELECT t.id, t.distance, d.name /* badge numbers come as text from the readers */
FROM trip t JOIN driver d ON d.badge = t.badge_no
WHERE t.started_at >= ? AND t.started_at < ?

-- best

SELECT t.id, t.distance, d.name FROM trip t JOIN driver d ON d.badge = CAST(t.badge_no AS TEXT)
WHERE t.started_at >= ? AND t.started_at < ?

-- statement: fleet-12
-- fine
-- because: the last entry of a range of the index, then one row
-- run: 12

WITH latest AS (SELECT at FROM event WHERE vehicle_id = :v ORDER BY at DESC LIMIT 1)
SELECT e.* FROM event e, latest WHERE e.vehicle_id = :v AND e.at = latest.at

-- statement: fleet-13
-- is: foreign-key-without-index, full-scan
-- because: all trips are searched for those of the driver who leaves
-- run: '27791'

DELETE FROM driver WHERE badge = ?

-- best
-- index: trip (driver_id)

-- statement: fleet-14
-- is: multiplied-aggregate
-- because: each trip counts once for each time that the vehicle was filled, and each filling once for each trip
-- run: 11

SELECT v.plate, SUM(t.distance) AS km, SUM(f.litres) AS litres, SUM(f.litres) / SUM(t.distance) * 100 AS usage
FROM vehicle v LEFT JOIN trip t ON t.vehicle_id = v.id LEFT JOIN fuel_fill f ON f.vehicle_id = v.id
WHERE v.depot_id = :depot GROUP BY v.plate

-- best
-- changes results

SELECT plate, km, litres, litres / km * 100 AS usage FROM (
  SELECT v.plate, (SELECT SUM(distance) FROM trip WHERE vehicle_id = v.id) AS km,
    (SELECT SUM(litres) FROM fuel_fill WHERE vehicle_id = v.id) AS litres
  FROM vehicle v WHERE v.depot_id = :depot)

-- statement: fleet-15
-- is: full-scan, sort-without-index
-- because: a driver's trips are found and ordered by one index
-- run: 700

SELECT started_at, distance, SUM(distance) OVER (ORDER BY started_at ROWS UNBOUNDED PRECEDING) AS total
FROM trip WHERE driver_id = ?

-- best
-- index: trip (driver_id, started_at)

-- or
-- index: trip (driver_id)

-- statement: fleet-16
-- is: repeated-statement
-- because: once for each vehicle on the map
-- operation: refresh map
-- run: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | \
--   29 | 30 | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 38 | 39 | 40 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 48 | 49 | 50 | 51 | 52 | 53 | 54 | 55 | 56 \
--   | 57 | 58 | 59 | 60 | 61 | 62 | 63 | 64 | 65 | 66 | 67 | 68 | 69 | 70 | 71 | 72 | 73 | 74 | 75 | 76 | 77 | 78 | 79 | 80 | 81 | 82 | 83 | \
--   84 | 85 | 86 | 87 | 88 | 89 | 90 | 91 | 92 | 93 | 94 | 95 | 96 | 97 | 98 | 99 | 100 | 101 | 102 | 103 | 104 | 105 | 106 | 107 | 108 | 109 \
--   | 110 | 111 | 112 | 113 | 114 | 115 | 116 | 117 | 118 | 119 | 120 | 121 | 122 | 123 | 124 | 125 | 126 | 127 | 128 | 129 | 130 | 131 | 132 \
--   | 133 | 134 | 135 | 136 | 137 | 138 | 139 | 140 | 141 | 142 | 143 | 144 | 145 | 146 | 147 | 148 | 149 | 150

SELECT at, speed, odometer FROM reading WHERE vehicle_id = ? ORDER BY at DESC LIMIT 1

-- best
-- run: '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,\
--   47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,\
--   93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,\
--   129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150]'

SELECT r.at, r.speed, r.odometer FROM json_each(?) v
JOIN reading r ON r.vehicle_id = v.value AND r.at = (SELECT MAX(at) FROM reading WHERE vehicle_id = v.value)

-- statement: fleet-17
-- fine
-- because: one row by its primary key
-- run: 5, 1720000000, 51.5, NULL, 31000.0, 2100

INSERT INTO reading (vehicle_id, at, speed, fuel, odometer, rpm) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (vehicle_id, at) DO UPDATE SET speed = excluded.speed, fuel = coalesce(excluded.fuel, fuel)

-- statement: fleet-18
-- fine
-- because: 160 vehicles

SELECT id, plate FROM vehicle WHERE json_extract(settings, '$.units') = 'imperial' ORDER BY plate
