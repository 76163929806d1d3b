-- schema: lnd
-- about: A node of the Lightning network: the graph of all nodes and channels, and the payments with their attempts and hops.
-- origin: LND 0.20 (MIT, Copyright the Lightning Network developers): ten of the tables of its graph and payments with their indexes
-- superfluous: redundant-index idx_payment_intents_type
-- superfluous: duplicate-index idx_htlc_attempt_index
-- superfluous: redundant-index idx_route_hops_htlc_attempt_index

CREATE TABLE nodes (
  id INTEGER PRIMARY KEY, version SMALLINT NOT NULL, pub_key BLOB NOT NULL, alias TEXT, last_update BIGINT, color VARCHAR, signature BLOB);
CREATE UNIQUE INDEX nodes_unique ON nodes (pub_key, version);
CREATE TABLE node_extra_types (node_id BIGINT NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, type BIGINT NOT NULL, value BLOB);
CREATE UNIQUE INDEX node_extra_types_unique ON node_extra_types (type, node_id);
CREATE TABLE node_features (node_id BIGINT NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, feature_bit INTEGER NOT NULL);
CREATE UNIQUE INDEX node_features_unique ON node_features (node_id, feature_bit);
CREATE TABLE channels (
  id INTEGER PRIMARY KEY, version SMALLINT NOT NULL, scid BLOB NOT NULL, node_id_1 BIGINT NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, \
node_id_2 BIGINT NOT NULL REFERENCES nodes(id) ON DELETE CASCADE,
  outpoint TEXT NOT NULL, capacity BIGINT, bitcoin_key_1 BLOB, bitcoin_key_2 BLOB, node_1_signature BLOB, node_2_signature BLOB, \
bitcoin_1_signature BLOB, bitcoin_2_signature BLOB);
CREATE INDEX channels_node_id_1_idx ON channels(node_id_1);
CREATE INDEX channels_node_id_2_idx ON channels(node_id_2);
CREATE UNIQUE INDEX channels_unique ON channels(version, scid DESC);
CREATE INDEX channels_version_outpoint_idx ON channels(version, outpoint);
CREATE TABLE channel_policies (
  id INTEGER PRIMARY KEY, version SMALLINT NOT NULL, channel_id BIGINT NOT NULL REFERENCES channels(id) ON DELETE CASCADE, node_id BIGINT \
NOT NULL REFERENCES nodes(id) ON DELETE CASCADE,
  timelock INTEGER NOT NULL, fee_ppm BIGINT NOT NULL, base_fee_msat BIGINT NOT NULL, min_htlc_msat BIGINT NOT NULL, max_htlc_msat BIGINT, \
last_update BIGINT, disabled BOOLEAN, signature BLOB);
CREATE UNIQUE INDEX channel_policies_unique ON channel_policies (channel_id, node_id, version);
CREATE TABLE payment_intents (id INTEGER PRIMARY KEY, intent_type SMALLINT NOT NULL, intent_payload BLOB);
CREATE INDEX idx_payment_intents_type ON payment_intents(intent_type);
CREATE UNIQUE INDEX idx_payment_intents_unique ON payment_intents(intent_type, intent_payload);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY, intent_id BIGINT REFERENCES payment_intents (id), amount_msat BIGINT NOT NULL, created_at TIMESTAMP NOT NULL \
DEFAULT CURRENT_TIMESTAMP, payment_identifier BLOB NOT NULL, fail_reason INTEGER,
  CONSTRAINT idx_payments_payment_identifier_unique UNIQUE (payment_identifier));
CREATE INDEX idx_payments_created_at ON payments(created_at);
CREATE TABLE payment_htlc_attempts (
  id INTEGER PRIMARY KEY, attempt_index BIGINT NOT NULL, payment_id BIGINT NOT NULL REFERENCES payments (id) ON DELETE CASCADE, \
session_key BLOB NOT NULL, attempt_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  payment_hash BLOB NOT NULL, first_hop_amount_msat BIGINT NOT NULL, route_total_time_lock INTEGER NOT NULL, route_total_amount BIGINT NOT \
NULL, route_source_key BLOB NOT NULL,
  CONSTRAINT idx_htlc_attempt_index_unique UNIQUE (attempt_index), CONSTRAINT idx_htlc_session_key_unique UNIQUE (session_key));
CREATE INDEX idx_htlc_payment_id ON payment_htlc_attempts(payment_id);
CREATE INDEX idx_htlc_attempt_index ON payment_htlc_attempts(attempt_index);
CREATE INDEX idx_htlc_payment_hash ON payment_htlc_attempts(payment_hash);
CREATE INDEX idx_htlc_attempt_time ON payment_htlc_attempts(attempt_time);
CREATE TABLE payment_htlc_attempt_resolutions (
  attempt_index INTEGER PRIMARY KEY REFERENCES payment_htlc_attempts (attempt_index) ON DELETE CASCADE, resolution_time TIMESTAMP NOT \
NULL, resolution_type INTEGER NOT NULL CHECK (resolution_type IN (1, 2)),
  settle_preimage BLOB, failure_source_index INTEGER, htlc_fail_reason INTEGER, failure_msg BLOB);
CREATE INDEX idx_htlc_resolutions_type ON payment_htlc_attempt_resolutions(resolution_type);
CREATE INDEX idx_htlc_resolutions_time ON payment_htlc_attempt_resolutions(resolution_time);
CREATE TABLE payment_route_hops (
  id INTEGER PRIMARY KEY, htlc_attempt_index BIGINT NOT NULL REFERENCES payment_htlc_attempts (attempt_index) ON DELETE CASCADE, hop_index \
INTEGER NOT NULL, pub_key BLOB, scid TEXT NOT NULL,
  outgoing_time_lock INTEGER NOT NULL, amt_to_forward BIGINT NOT NULL, meta_data BLOB, CONSTRAINT idx_route_hops_unique_hop_per_attempt \
UNIQUE (htlc_attempt_index, hop_index));
CREATE INDEX idx_route_hops_htlc_attempt_index ON payment_route_hops(htlc_attempt_index);

INSERT INTO nodes
SELECT i, 1, CAST(printf('02%031x', i * 7919) AS BLOB), iif(chance(1, i) < 0.2, NULL, iif(chance(2, i) < 0.5, upper(word(i)), title(3, i, \
2))), iif(chance(1, i) < 0.2, NULL, 1700000000 + pick(4, i, 30000000)),
  '#' || printf('%06x', pick(5, i, 16000000)), iif(chance(1, i) < 0.2, NULL, CAST(printf('%064x', i * 104729) AS BLOB))
FROM numbers WHERE i <= 12000;
INSERT INTO node_extra_types SELECT i, 5 + i % 3, CAST(prose(6, i, 30) AS BLOB) FROM numbers WHERE i <= 12000 AND chance(7, i) < 0.6;
INSERT INTO node_features SELECT n.i, f.i * 2 + 1 FROM numbers AS n, numbers AS f WHERE n.i <= 12000 AND f.i <= 4 AND chance(8 + f.i, n.i) < 0.7;
INSERT INTO channels
SELECT i, 1, CAST(printf('%016x', 600000000 + i * 31) AS BLOB), skewed(20, i, 11000), 1 + (skewed(20, i, 11000) + pick(21, i, 10000)) % \
11000, printf('%064x:%d', i * 104729, i % 3), iif(chance(22, i) < 0.05, NULL, 100000 * skewed(23, i, 5000)),
  CAST(printf('%066x', i) AS BLOB), CAST(printf('%066x', i + 1) AS BLOB), CAST(printf('%064x', i * 3) AS BLOB), CAST(printf('%064x', i * \
5) AS BLOB), NULL, NULL
FROM numbers WHERE i <= 24000;
INSERT INTO channel_policies (version, channel_id, node_id, timelock, fee_ppm, base_fee_msat, min_htlc_msat, max_htlc_msat, last_update, \
disabled, signature)
SELECT 1, id, node_id_1, 40 * skewed(24, id, 5), skewed(25, id, 3000), 1000 * (chance(26, id) < 0.4), 1000, capacity * 990, 1722000000 - \
skewed(27, id, 15000000), chance(28, id) < 0.12, CAST(printf('%064x', id * 7) AS BLOB) FROM channels;
INSERT INTO channel_policies (version, channel_id, node_id, timelock, fee_ppm, base_fee_msat, min_htlc_msat, max_htlc_msat, last_update, \
disabled, signature)
SELECT 1, id, node_id_2, 40 * skewed(34, id, 5), skewed(35, id, 3000), 1000 * (chance(36, id) < 0.4), 1000, capacity * 990, 1722000000 - \
skewed(37, id, 15000000), chance(38, id) < 0.12, CAST(printf('%064x', id * 9) AS BLOB) FROM channels WHERE chance(39, id) < 0.85;
INSERT INTO payment_intents SELECT i, 0, CAST('lnbc' || printf('%040x', i * 104729) || prose(40, i, 200) AS BLOB) FROM numbers WHERE i <= 6000;
INSERT INTO payments
SELECT i, iif(chance(41, i) < 0.3, NULL, pick(42, i, 5980)), 1000 * skewed(43, i, 900000), datetime(1690000000 + i * 4000, 'unixepoch'), \
CAST(printf('%064x', i * 7919) AS BLOB),
  iif(chance(44, i) < 0.62, NULL, iif(chance(45, i) < 0.004, 4, skewed(46, i, 3) - 1))
FROM numbers WHERE i <= 8000;
INSERT INTO payment_htlc_attempts
SELECT i, i + 1000, iif(chance(47, i) < 0.3, 37 * skewed(48, i, 200), pick(49, i, 8000)), CAST(printf('%064x', i * 31337) AS BLOB), \
datetime(1690000000 + pick(49, i, 8000) * 4000 + pick(50, i, 90), 'unixepoch'),
  CAST(printf('%064x', pick(49, i, 8000) * 7919) AS BLOB), 1000 * skewed(51, i, 300000), 800000 + i, 1000 * skewed(51, i, 300000) + \
pick(52, i, 900), CAST(printf('02%031x', 7919) AS BLOB)
FROM numbers WHERE i <= 24000;
INSERT INTO payment_htlc_attempt_resolutions
SELECT attempt_index, datetime(attempt_time, '+20 seconds'), iif(chance(53, id) < 0.3, 1, 2), iif(chance(53, id) < 0.3, \
CAST(printf('%064x', id) AS BLOB), NULL), iif(chance(53, id) < 0.3, NULL, pick(54, id, 3)),
  iif(chance(53, id) < 0.3, NULL, iif(chance(55, id) < 0.004, 18, skewed(56, id, 10))), iif(chance(53, id) < 0.3, NULL, CAST(prose(57, id, \
60) AS BLOB))
FROM payment_htlc_attempts WHERE chance(58, id) < 0.99;
INSERT INTO payment_route_hops (htlc_attempt_index, hop_index, pub_key, scid, outgoing_time_lock, amt_to_forward)
SELECT a.attempt_index, h.i - 1, CAST(printf('02%031x', skewed(59 + h.i, a.id, 11000) * 7919) AS BLOB), CAST(600000000 + iif(chance(70 + \
h.i, a.id) < 0.5, skewed(80 + h.i, a.id, 900), pick(90 + h.i, a.id, 24000)) * 31 AS TEXT), 800000 + a.id, a.route_total_amount
FROM payment_htlc_attempts AS a, numbers AS h WHERE h.i <= 4 AND (h.i < 3 OR chance(99, a.id) < 0.6);

-- statement: lnd-01
-- is: full-scan, missing-statistics, or-without-index
-- because: channels of which either side changed in a day: both sides of all are looked up
-- run: 1718000000, 1718086400 | 1712000000, 1712086400

SELECT c.id, c.outpoint, cp1.last_update, cp2.last_update FROM channels AS c
LEFT JOIN channel_policies AS cp1 ON cp1.channel_id = c.id AND cp1.node_id = c.node_id_1 AND cp1.version = c.version
LEFT JOIN channel_policies AS cp2 ON cp2.channel_id = c.id AND cp2.node_id = c.node_id_2 AND cp2.version = c.version
WHERE c.version = 1 AND ((cp1.last_update >= ?1 AND cp1.last_update < ?2) OR (cp2.last_update >= ?1 AND cp2.last_update < ?2)) ORDER BY c.id

-- best
-- index: channel_policies (last_update, channel_id)

SELECT c.id, c.outpoint, cp1.last_update, cp2.last_update FROM channels AS c
LEFT JOIN channel_policies AS cp1 ON cp1.channel_id = c.id AND cp1.node_id = c.node_id_1 AND cp1.version = c.version
LEFT JOIN channel_policies AS cp2 ON cp2.channel_id = c.id AND cp2.node_id = c.node_id_2 AND cp2.version = c.version
WHERE c.id IN (SELECT channel_id FROM channel_policies WHERE last_update >= ?1 AND last_update < ?2) AND +c.version = 1 ORDER BY c.id

-- statement: lnd-02
-- is: harmful-index, index-not-covering, missing-statistics, or-without-index
-- because: the channels of a node: all have the same version, which SQLite takes for selective
-- run: 1, 4321 | 1, 77

SELECT id, outpoint, capacity FROM channels WHERE version = ?1 AND (node_id_1 = ?2 OR node_id_2 = ?2)

-- best
-- change: ANALYZE

-- or

SELECT id, outpoint, capacity FROM channels WHERE +version = ?1 AND (node_id_1 = ?2 OR node_id_2 = ?2)

-- statement: lnd-03
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: a node by its name, whatever its case
-- run: 'SHUDRI' | 'guflo'

SELECT id, alias, last_update FROM nodes WHERE lower(alias) = lower(?)

-- best
-- index: nodes (lower(alias))

-- statement: lnd-04
-- is: multiplied-aggregate
-- because: fees are summed once for each hop
-- run: '2024-07-01 00:00:00'

SELECT p.id, p.amount_msat, sum(a.route_total_amount - a.first_hop_amount_msat) AS fees, count(h.id) AS hops FROM payments AS p JOIN \
payment_htlc_attempts AS a ON a.payment_id = p.id
JOIN payment_route_hops AS h ON h.htlc_attempt_index = a.attempt_index WHERE p.created_at >= ? GROUP BY p.id ORDER BY p.id

-- best
-- changes results

SELECT p.id, p.amount_msat, sum(a.route_total_amount - a.first_hop_amount_msat) AS fees, sum((SELECT count(*) FROM payment_route_hops AS h \
WHERE h.htlc_attempt_index = a.attempt_index)) AS hops
FROM payments AS p JOIN payment_htlc_attempts AS a ON a.payment_id = p.id WHERE p.created_at >= ? GROUP BY p.id ORDER BY p.id

-- statement: lnd-05
-- is: foreign-key-without-index
-- because: a node without channels goes: policies and extra types are read for its own
-- run: 11500 | 11777

DELETE FROM nodes WHERE id = ?

-- best
-- index: node_extra_types (node_id)
-- index: channel_policies (node_id)

-- statement: lnd-06
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: the newest payments that failed for a rare reason: nearly all are read from the newest
-- run: 4

SELECT id, amount_msat, created_at FROM payments WHERE fail_reason = ? ORDER BY created_at DESC LIMIT 20

-- best
-- index: payments (fail_reason, created_at)

-- statement: lnd-07
-- is: full-scan, harmful-index, index-not-covering, missing-statistics
-- because: which channels fail for a rare reason: all failures are read
-- run: 18

SELECT h.scid, count(*) AS n FROM payment_htlc_attempt_resolutions AS r JOIN payment_route_hops AS h ON h.htlc_attempt_index = \
r.attempt_index AND h.hop_index = r.failure_source_index
WHERE r.resolution_type = 2 AND r.htlc_fail_reason = ? GROUP BY h.scid ORDER BY n DESC, h.scid LIMIT 10

-- best
-- index: payment_htlc_attempt_resolutions (htlc_fail_reason, resolution_type)

-- or
-- index: payment_htlc_attempt_resolutions (resolution_type, htlc_fail_reason)

-- statement: lnd-08
-- is: expression-index, full-scan, function-on-column, type-mismatch
-- because: attempts by a channel whose number is stored as text
-- run: 600310000 | 600700600

SELECT htlc_attempt_index, hop_index FROM payment_route_hops WHERE CAST(scid AS INTEGER) = ? ORDER BY htlc_attempt_index

-- best
-- index: payment_route_hops (scid, htlc_attempt_index, hop_index)

SELECT htlc_attempt_index, hop_index FROM payment_route_hops WHERE scid = CAST(? AS TEXT) ORDER BY htlc_attempt_index

-- or
-- index: payment_route_hops (CAST(scid AS INTEGER))

-- statement: lnd-09
-- is: large-offset
-- because: a late page of the payments
-- run: 6000 | 7500

SELECT id, amount_msat, created_at FROM payments ORDER BY created_at, id LIMIT 100 OFFSET ?

-- best
-- run: '2024-04-24 23:06:40', 6000 | '2024-07-03 09:46:40', 7500

SELECT id, amount_msat, created_at FROM payments WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT 100

-- statement: lnd-10
-- is: or-without-index, subquery-per-row
-- because: the nodes with the most channels: counted one by one, with the rows themselves

SELECT n.id, n.alias, (SELECT count(*) FROM channels AS c WHERE c.node_id_1 = n.id OR c.node_id_2 = n.id) AS degree FROM nodes AS n ORDER \
BY degree DESC, n.id LIMIT 20

-- best

SELECT n.id, n.alias, d.degree FROM (SELECT node, count(*) AS degree FROM (SELECT node_id_1 AS node FROM channels UNION ALL SELECT \
node_id_2 FROM channels) GROUP BY node ORDER BY degree DESC, node LIMIT 20) AS d
JOIN nodes AS n ON n.id = d.node ORDER BY d.degree DESC, n.id

-- statement: lnd-11
-- is: expression-index, full-scan, function-on-column
-- because: a month's payments: the month is asked as a text made of the time, which has an index
-- run: '2024-03'

SELECT date(created_at) AS day, count(*), sum(amount_msat) FROM payments WHERE strftime('%Y-%m', created_at) = ? GROUP BY day

-- best

SELECT date(created_at) AS day, count(*), sum(amount_msat) FROM payments WHERE created_at >= ?1 || '-01' AND created_at < date(?1 || \
'-01', '+1 month') GROUP BY day

-- statement: lnd-12
-- is: foreign-key-without-index
-- because: intents without payment: for each that goes, all payments are read
-- run: 5900

DELETE FROM payment_intents WHERE id NOT IN (SELECT intent_id FROM payments WHERE intent_id IS NOT NULL) AND id > ?

-- best
-- index: payments (intent_id)

-- statement: lnd-13
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the attempts of some payments by their index
-- run: 800, 801, 4002

SELECT a.attempt_index, a.attempt_time, r.resolution_type, r.htlc_fail_reason FROM payment_htlc_attempts AS a LEFT JOIN \
payment_htlc_attempt_resolutions AS r ON r.attempt_index = a.attempt_index
WHERE a.payment_id IN (?, ?, ?) ORDER BY a.payment_id, a.attempt_time

-- statement: lnd-14
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the hops of an attempt
-- run: 12345

SELECT hop_index, scid, amt_to_forward FROM payment_route_hops WHERE htlc_attempt_index = ? ORDER BY hop_index

-- statement: lnd-15
-- fine
-- because: all channels are counted in the smallest index

SELECT count(*) FROM channels

-- statement: lnd-16
-- fine
-- tolerated: pattern-without-index
-- because: a part of a name that is found soon
-- run: '%ba%'

SELECT id, alias FROM nodes WHERE alias LIKE ? LIMIT 5

-- statement: lnd-17
-- fine
-- because: a policy comes in: one row by its key
-- run: 420, 11, 1722500000

INSERT INTO channel_policies (version, channel_id, node_id, timelock, fee_ppm, base_fee_msat, min_htlc_msat, last_update, disabled) VALUES \
(1, ?, ?, 40, 250, 1000, 1000, ?, 0)
ON CONFLICT (channel_id, node_id, version) DO UPDATE SET fee_ppm = excluded.fee_ppm, last_update = excluded.last_update WHERE \
excluded.last_update > channel_policies.last_update

-- statement: lnd-18
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the attempts of some hours' payments, numbered
-- run: '2024-02-02 00:00:00', '2024-02-02 04:00:00'

SELECT p.id, a.attempt_index, row_number() OVER (PARTITION BY p.id ORDER BY a.attempt_time) FROM payments AS p JOIN payment_htlc_attempts \
AS a ON a.payment_id = p.id WHERE p.created_at BETWEEN ? AND ?
