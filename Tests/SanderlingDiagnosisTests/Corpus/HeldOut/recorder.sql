-- schema: recorder
-- about: The history of a house: states of a thousand things, wide rows of columns that are no longer used.
-- origin: Home Assistant, recorder schema 41 (Apache-2.0, Copyright Home Assistant contributors): six of its tables with their indexes

CREATE TABLE states_meta (metadata_id INTEGER NOT NULL, entity_id VARCHAR(255), PRIMARY KEY (metadata_id));
CREATE UNIQUE INDEX ix_states_meta_entity_id ON states_meta (entity_id);
CREATE TABLE state_attributes (attributes_id INTEGER NOT NULL, hash BIGINT, shared_attrs TEXT, PRIMARY KEY (attributes_id));
CREATE INDEX ix_state_attributes_hash ON state_attributes (hash);
CREATE TABLE states (
  state_id INTEGER NOT NULL, entity_id CHAR(0), state VARCHAR(255), attributes CHAR(0), event_id SMALLINT,
  last_changed CHAR(0), last_changed_ts FLOAT, last_updated CHAR(0), last_updated_ts FLOAT, old_state_id INTEGER,
  attributes_id INTEGER, context_id CHAR(0), context_user_id CHAR(0), context_parent_id CHAR(0), origin_idx SMALLINT,
  context_id_bin BLOB, context_user_id_bin BLOB, context_parent_id_bin BLOB, metadata_id INTEGER, PRIMARY KEY (state_id),
  FOREIGN KEY (old_state_id) REFERENCES states (state_id),
  FOREIGN KEY (attributes_id) REFERENCES state_attributes (attributes_id),
  FOREIGN KEY (metadata_id) REFERENCES states_meta (metadata_id));
CREATE INDEX ix_states_attributes_id ON states (attributes_id);
CREATE INDEX ix_states_context_id_bin ON states (context_id_bin);
CREATE INDEX ix_states_last_updated_ts ON states (last_updated_ts);
CREATE INDEX ix_states_metadata_id_last_updated_ts ON states (metadata_id, last_updated_ts);
CREATE INDEX ix_states_old_state_id ON states (old_state_id);
CREATE TABLE statistics_meta (
  id INTEGER NOT NULL, statistic_id VARCHAR(255), source VARCHAR(32), unit_of_measurement VARCHAR(255), has_mean BOOLEAN,
  has_sum BOOLEAN, name VARCHAR(255), PRIMARY KEY (id));
CREATE UNIQUE INDEX ix_statistics_meta_statistic_id ON statistics_meta (statistic_id);
CREATE TABLE statistics (
  id INTEGER NOT NULL, created CHAR(0), created_ts FLOAT, metadata_id INTEGER, start CHAR(0), start_ts FLOAT, mean FLOAT,
  min FLOAT, max FLOAT, last_reset CHAR(0), last_reset_ts FLOAT, state FLOAT, sum FLOAT, PRIMARY KEY (id),
  FOREIGN KEY (metadata_id) REFERENCES statistics_meta (id) ON DELETE CASCADE);
CREATE INDEX ix_statistics_start_ts ON statistics (start_ts);
CREATE UNIQUE INDEX ix_statistics_statistic_id_start_ts ON statistics (metadata_id, start_ts);

INSERT INTO states_meta
SELECT i, CASE i % 4 WHEN 0 THEN 'light.' WHEN 1 THEN 'binary_sensor.' ELSE 'sensor.' END || word(i) FROM numbers WHERE i <= 600;
INSERT INTO state_attributes
SELECT i, i * 7919, '{"friendly_name":"' || title(1, i, 2) || '","device_class":"'
  || CASE WHEN chance(2, i) < 0.01 THEN 'battery' WHEN chance(2, i) < 0.5 THEN 'temperature' ELSE 'power' END
  || '","note":"' || word(pick(3, i, 900)) || '"}' FROM numbers WHERE i <= 8000;
INSERT INTO states (
  state_id, state, last_changed_ts, last_updated_ts, old_state_id, attributes_id, origin_idx, context_id_bin,
  context_parent_id_bin, metadata_id)
SELECT i, CASE WHEN chance(4, i) < 0.001 THEN 'unavailable' WHEN chance(4, i) < 0.03 THEN 'on' WHEN chance(4, i) < 0.08 THEN 'off'
    ELSE printf('%.1f', chance(5, i) * 90) END,
  iif(chance(6, i) < 0.5, NULL, 1700000000 + i * 20), 1700000000 + i * 20, iif(i > 700, i - pick(7, i, 600), NULL),
  pick(8, i, 7900), 0, CAST(printf('%016d', i) AS BLOB),
  iif(chance(9, i) < 0.05, CAST(printf('%016d', pick(10, i, 60000)) AS BLOB), NULL), skewed(11, i, 600)
FROM numbers WHERE i <= 60000;
INSERT INTO statistics_meta SELECT i, 'sensor.' || word(i), 'recorder', 'kWh', 1, 1, NULL FROM numbers WHERE i <= 80;
INSERT INTO statistics (id, created_ts, metadata_id, start_ts, mean, min, max, state, sum)
SELECT i, 1700000010 + (i / 80) * 3600, 1 + i % 80, 1700000000 + (i / 80) * 3600, chance(12, i) * 50, 0, 50, i / 80, i / 80 * 1.5
FROM numbers WHERE i <= 40000;

-- statement: recorder-01
-- fine
-- because: the graph of one thing, by the index that was made for it
-- run: 100, 1700400000, 1700500000

SELECT state, last_updated_ts FROM states WHERE metadata_id = ? AND last_updated_ts > ? AND last_updated_ts < ? ORDER BY last_updated_ts

-- statement: recorder-02
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: one of a thousand states: the walk from the newest sees most of the table before it has fifty
-- run: 'unavailable'

SELECT m.entity_id, s.last_updated_ts FROM states s JOIN states_meta m ON m.metadata_id = s.metadata_id
WHERE s.state = ? ORDER BY s.last_updated_ts DESC LIMIT 50

-- best
-- index: states (state, last_updated_ts)

-- or
-- index: states (state)

-- statement: recorder-03
-- is: expression-index, full-scan, function-on-column
-- because: a day is a range of the time, which has an index
-- run: '2023-11-20'

SELECT metadata_id, count(*) FROM states WHERE date(last_updated_ts, 'unixepoch') = ? GROUP BY metadata_id

-- best

SELECT metadata_id, count(*) FROM states WHERE last_updated_ts >= CAST(strftime('%s', ?1) AS INTEGER)
AND last_updated_ts < CAST(strftime('%s', ?1, '+1 day') AS INTEGER) GROUP BY metadata_id

-- or
-- index: states (date(last_updated_ts, 'unixepoch'))

-- statement: recorder-04
-- is: full-scan, group-without-index
-- because: the newest of 600 things: 600 steps into the index, not a walk over its 60,000 entries

SELECT s.metadata_id, s.state, s.last_updated_ts FROM states s
JOIN (SELECT metadata_id, max(last_updated_ts) AS newest FROM states GROUP BY metadata_id) l
ON l.metadata_id = s.metadata_id AND l.newest = s.last_updated_ts

-- best

SELECT s.metadata_id, s.state, s.last_updated_ts FROM states_meta m CROSS JOIN states s ON s.metadata_id = m.metadata_id
AND s.last_updated_ts = (SELECT max(n.last_updated_ts) FROM states n WHERE n.metadata_id = m.metadata_id)

-- statement: recorder-05
-- fine
-- because: the index of the attributes is the list; each key is looked up in it

DELETE FROM state_attributes WHERE attributes_id NOT IN (SELECT attributes_id FROM states WHERE attributes_id IS NOT NULL)

-- statement: recorder-06
-- is: full-scan, index-not-covering, sort-without-index
-- because: 3 % are on, and the window wants them by thing and time
-- run: 'on'

SELECT metadata_id, last_updated_ts, last_updated_ts - lag(last_updated_ts) OVER (
  PARTITION BY metadata_id ORDER BY last_updated_ts) AS since FROM states WHERE state = ?

-- best
-- index: states (state, metadata_id, last_updated_ts)

-- or
-- index: states (state)

-- statement: recorder-07
-- is: expression-index, full-scan, function-on-column
-- because: 1 % of the attributes are a battery's; the states hang on them by their index

SELECT count(*) FROM states s JOIN state_attributes a ON a.attributes_id = s.attributes_id
WHERE json_extract(a.shared_attrs, '$.device_class') = 'battery'

-- best
-- index: state_attributes (json_extract(shared_attrs, '$.device_class'))

-- statement: recorder-08
-- is: full-scan, or-without-index
-- because: one side of the OR has an index, the other none
-- run: '0000000000004711', '0000000000004711'

SELECT state_id, state FROM states WHERE context_id_bin = CAST(? AS BLOB) OR context_parent_id_bin = CAST(? AS BLOB)

-- best
-- index: states (context_parent_id_bin)

-- statement: recorder-09
-- fine
-- because: a day of one meter, found by the unique index
-- run: 17, 1701710000

SELECT date(start_ts, 'unixepoch') AS day, max(sum) - min(sum) FROM statistics
WHERE metadata_id = ? AND start_ts >= ? GROUP BY day
