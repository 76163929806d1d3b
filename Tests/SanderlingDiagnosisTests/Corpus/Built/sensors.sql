-- schema: sensors
-- about: Measurements of sensors: a wrong sum, keys of two columns, newest rows of groups, duplicates.
-- superfluous: redundant-index reading_sensor

CREATE TABLE site (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE sensor (id INTEGER PRIMARY KEY, site_id INTEGER NOT NULL REFERENCES site (id), kind TEXT NOT NULL);
CREATE TABLE reading (id INTEGER PRIMARY KEY, sensor_id INTEGER NOT NULL REFERENCES sensor (id), at INTEGER NOT NULL, value REAL);
CREATE TABLE alarm (id INTEGER PRIMARY KEY, sensor_id INTEGER NOT NULL REFERENCES sensor (id), cost INTEGER);
CREATE INDEX sensor_site ON sensor (site_id);
CREATE INDEX reading_sensor ON reading (sensor_id);
CREATE INDEX reading_sensor_at ON reading (sensor_id, at);
CREATE INDEX alarm_sensor ON alarm (sensor_id);

INSERT INTO site SELECT i, title(1, i, 2) FROM numbers WHERE i <= 40;
INSERT INTO sensor SELECT i, pick(2, i, 40), word(pick(3, i, 6)) FROM numbers WHERE i <= 400;
INSERT INTO reading SELECT i, pick(4, i, 400), i / 3, iif(chance(5, i) < 0.05, NULL, chance(6, i) * 100)
FROM numbers WHERE i <= 80000;
INSERT INTO alarm SELECT i, pick(7, i, 400), iif(i % 7 = 0, NULL, pick(8, i, 20)) FROM numbers WHERE i <= 3000;

-- statement: sensors-01
-- is: multiplied-aggregate
-- because: each alarm counts once for each of 200 readings

SELECT site.id, site.name, sum(alarm.cost) AS costs, count(reading.id) AS readings FROM site
JOIN sensor ON sensor.site_id = site.id LEFT JOIN alarm ON alarm.sensor_id = sensor.id
LEFT JOIN reading ON reading.sensor_id = sensor.id GROUP BY site.id

-- best
-- changes results

SELECT site.id, site.name,
(SELECT sum(cost) FROM alarm JOIN sensor ON sensor.id = alarm.sensor_id WHERE sensor.site_id = site.id) AS costs,
(SELECT count(*) FROM reading JOIN sensor ON sensor.id = reading.sensor_id WHERE sensor.site_id = site.id) AS readings
FROM site WHERE EXISTS (SELECT 1 FROM sensor WHERE sensor.site_id = site.id)

-- statement: sensors-02
-- is: full-scan
-- because: both ends of an index

SELECT min(value), max(value) FROM reading WHERE value IS NOT NULL

-- best
-- index: reading (value)

SELECT (SELECT min(value) FROM reading WHERE value IS NOT NULL) AS "min(value)",
(SELECT max(value) FROM reading WHERE value IS NOT NULL) AS "max(value)"

-- statement: sensors-03
-- is: full-scan, sort-without-index
-- because: a thousandth of the readings

SELECT sensor_id, at FROM reading WHERE value > 99.9 ORDER BY at LIMIT 50

-- best
-- index: reading (value)

-- statement: sensors-04
-- fine
-- because: by the index of both columns
-- run: 17, 26000

SELECT value FROM reading WHERE sensor_id = ? AND at > ? ORDER BY at

-- statement: sensors-05
-- fine
-- because: by its index
-- run: 4

SELECT * FROM sensor WHERE site_id = ?

-- statement: sensors-06
-- fine
-- because: the end of a range of an index
-- run: 9

SELECT max(at) FROM reading WHERE sensor_id = ?
